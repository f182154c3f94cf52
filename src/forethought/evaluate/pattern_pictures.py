"""Patterns as pictures: each a small board around the move, its weights below."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from forethought.board.grids import Tiling, centre
from forethought.errors import ForethoughtError
from forethought.evaluate.explanations import WeighedPattern
from forethought.evaluate.pictures import new_figure
from forethought.patterns.pattern import EMPTY, ENEMY, FRIEND, FROM, OFF, TO, Element, Offset, Pattern
from forethought.patterns.text import LETTERS

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

Point = tuple[float, float]

COLUMNS = 4
PANEL, CAPTION, LARGEST_CELL = 2.4, 0.5, 0.4  # inches
FACES = {EMPTY: "#ffffff", FRIEND: "#1f5fa8", ENEMY: "#c8541c", OFF: "#555555"}
NAMES = {FRIEND: "friend", ENEMY: "enemy", EMPTY: "empty", OFF: "off the board"}
CELL, LINE, MARK, CROSS = "#f2efe6", "#b9b4a5", "#2a8a3c", "#111111"


def draw_patterns(patterns: Sequence[WeighedPattern], tiling: Tiling, title: str = "") -> "Figure":
    """Draw patterns in rows, all to one scale: the target of the move in a frame, its origin in a dashed one."""
    if not patterns:
        raise ForethoughtError("There is no pattern to draw; name a run that has learned some.")
    columns = min(COLUMNS, len(patterns))
    rows = math.ceil(len(patterns) / columns)
    reach = _reach([one.pattern for one in patterns], tiling)
    cell = min(LARGEST_CELL, PANEL / (2.0 * max(reach)))
    figure = new_figure(max(columns, 3) * PANEL, rows * (2.0 * reach[1] * cell + CAPTION) + 1.0)
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in panels:
        axes.set_axis_off()
    for axes, one in zip(panels, patterns, strict=False):
        _draw_pattern(axes, one.pattern, tiling, reach)
        axes.text(0.5, -0.02, _caption(one), transform=axes.transAxes, ha="center", va="top", fontsize=8)
    figure.suptitle(title, fontsize=10)
    figure.legend(handles=_legend(), loc="outside lower center", ncols=4, fontsize=8, frameon=False)
    return figure


def _caption(one: WeighedPattern) -> str:
    weights = "  ".join(f"{name} {weight:+.2f}" for name, weight in one.weights.items())
    return f"#{one.rank} of player {one.player}\n{weights}"


def _draw_pattern(axes: "Axes", pattern: Pattern, tiling: Tiling, reach: Point) -> None:
    places = list(_cells(pattern))
    for place in places:
        axes.add_patch(_cell(place, tiling, facecolor=CELL, edgecolor=LINE))
    for place in pattern.allowed:
        _draw_signs(axes, [e for e in pattern.elements if (e.right, e.up) == place], centre(tiling, *place))
    origin = (0, 0) if pattern.anchor == FROM else pattern.origin
    if pattern.anchor == TO:
        axes.add_patch(_cell((0, 0), tiling, fill=False, edgecolor=MARK, linewidth=2.5))
    if origin is not None:
        axes.add_patch(_cell(origin, tiling, fill=False, edgecolor=MARK, linewidth=2.0, linestyle="--"))
    x, y = _middle(places, tiling)
    axes.set(xlim=(x - reach[0], x + reach[0]), ylim=(y - reach[1], y + reach[1]), aspect="equal")


def _draw_signs(axes: "Axes", elements: Sequence[Element], centre: Point) -> None:
    """Draw what a cell must be, or beside each other all that it must not be."""
    from matplotlib.patches import Circle  # noqa: PLC0415 (slow to import)

    size = 0.32 if len(elements) == 1 else 0.2
    for number, element in enumerate(elements):
        x, y = centre[0] + 0.46 * (number - (len(elements) - 1) / 2), centre[1]
        fade = 0.45 if element.negated else 1.0
        axes.add_patch(Circle((x, y), size, facecolor=FACES[element.kind], edgecolor="#333333", alpha=fade))
        colour = "#333333" if element.kind == EMPTY else "white"
        axes.text(x, y, LETTERS[element.kind], ha="center", va="center_baseline", color=colour, fontsize=25 * size)
        if element.negated:
            for slope in (1, -1):
                axes.plot([x - size, x + size], [y - slope * size, y + slope * size], color=CROSS, linewidth=1.4)


def _cells(pattern: Pattern) -> Iterator[Offset]:
    """Yield the cells of the smallest rectangle that holds all that a pattern mentions."""
    mentioned = {(0, 0), *pattern.allowed, *([] if pattern.origin is None else [pattern.origin])}
    columns, rows = ([place[axis] for place in mentioned] for axis in (0, 1))
    for up in range(min(rows), max(rows) + 1):
        for right in range(min(columns), max(columns) + 1):
            yield right, up


def _middle(places: Sequence[Offset], tiling: Tiling) -> Point:
    xs, ys = zip(*(centre(tiling, *place) for place in places), strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _reach(patterns: Sequence[Pattern], tiling: Tiling) -> Point:
    """Return how far the largest drawings go from their middles, to the side and up."""
    far = [(0.0, 0.0)]
    for pattern in patterns:
        places = list(_cells(pattern))
        x, y = _middle(places, tiling)
        far += [(abs(at[0] - x), abs(at[1] - y)) for at in (centre(tiling, *place) for place in places)]
    return max(right for right, _ in far) + 0.65, max(up for _, up in far) + 0.65


def _cell(place: Offset, tiling: Tiling, **style: object) -> "Patch":
    """Return the outline of a cell; crossings of lines are drawn as the squares around them."""
    from matplotlib.patches import Rectangle, RegularPolygon  # noqa: PLC0415 (slow to import)

    x, y = centre(tiling, *place)
    if tiling == "hex":
        return RegularPolygon((x, y), 6, radius=1 / math.sqrt(3.0), **style)  # type: ignore[arg-type]
    return Rectangle((x - 0.5, y - 0.5), 1.0, 1.0, **style)  # type: ignore[arg-type]


def _legend() -> "list[Artist]":
    from matplotlib.lines import Line2D  # noqa: PLC0415 (slow to import)
    from matplotlib.patches import Patch  # noqa: PLC0415

    kinds = [
        Patch(facecolor=FACES[kind], edgecolor="#333333", label=f"{LETTERS[kind]}  {NAMES[kind]}") for kind in NAMES
    ]
    return [
        *kinds,
        Patch(facecolor=CELL, edgecolor=LINE, label="anything"),
        Line2D([], [], color=CROSS, marker="x", linestyle="", label="crossed out: not"),
        Patch(fill=False, edgecolor=MARK, linewidth=2.5, label="the move goes here"),
        Patch(fill=False, edgecolor=MARK, linewidth=2.0, linestyle="--", label="and comes from here"),
    ]
