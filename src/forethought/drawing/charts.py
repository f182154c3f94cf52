"""Curves as inline SVG."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from forethought.drawing.markup import IDEA, SOFT, Markup, element

WIDTH, HEIGHT = 360.0, 200.0
LEFT, RIGHT, TOP, BOTTOM = 58.0, 350.0, 24.0, 168.0  # of the area with the curve
TICKS = 4


class Axis(NamedTuple):
    """What is shown along one side: its name, whether on a scale of logarithms, and from where to where."""

    label: str
    logarithmic: bool
    low: float
    high: float

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 to 1."""
        low, high, at = (math.log(one) if self.logarithmic else one for one in (self.low, self.high, value))
        return (at - low) / (high - low) if high > low else 0.5

    def ticks(self) -> list[float]:
        """Return some values to write beside the axis."""
        if not self.logarithmic:
            return [self.low + (self.high - self.low) * n / TICKS for n in range(TICKS + 1)]
        first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
        powers = [10.0**n for n in range(first, last + 1, max(1, (last - first) // TICKS))]
        return powers if len(powers) > 1 else [self.low, self.high]


def curve(
    title: str, xs: Sequence[float], ys: Sequence[float], labels: tuple[str, str], logarithmic: bool = False
) -> Markup:
    """Return a picture of ys over xs; what is not finite, or not above 0 on scales of logarithms, is left out."""
    points = [(x, y) for x, y in zip(xs, ys, strict=True) if _drawable(x, logarithmic) and _drawable(y, logarithmic)]
    if not points:
        return element("div", f"{title}: nothing was measured", style=f"color:{SOFT}")
    across, up = (
        Axis(label, logarithmic, min(values), max(values))
        for label, values in zip(labels, zip(*points, strict=True), strict=True)
    )
    places = [(LEFT + (RIGHT - LEFT) * across.place(x), BOTTOM - (BOTTOM - TOP) * up.place(y)) for x, y in points]
    line = element(
        "polyline",
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in places),
        fill="none",
        stroke=IDEA,
        stroke_width=2,
    )
    dots = [element("circle", cx=x, cy=y, r=2.2, fill=IDEA) for x, y in places]
    heading = _text(title, (LEFT + RIGHT) / 2, 14, "middle", weight="600")
    parts = [heading, *_across(across), *_up(up), line, *dots]
    return element("svg", parts, viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}", width=WIDTH, height=HEIGHT)


def _drawable(value: float, logarithmic: bool) -> bool:
    return math.isfinite(value) and (value > 0.0 or not logarithmic)


def _across(axis: Axis) -> Iterable[Markup]:
    yield _line(LEFT, BOTTOM, RIGHT, BOTTOM)
    yield _text(axis.label, (LEFT + RIGHT) / 2, HEIGHT - 4, "middle")
    for value in axis.ticks():
        yield _text(f"{value:.3g}", LEFT + (RIGHT - LEFT) * axis.place(value), BOTTOM + 14, "middle")


def _up(axis: Axis) -> Iterable[Markup]:
    yield _line(LEFT, TOP, LEFT, BOTTOM)
    yield _text(axis.label, 4, 14, "start")
    for value in axis.ticks():
        yield _text(f"{value:.3g}", LEFT - 5, BOTTOM - (BOTTOM - TOP) * axis.place(value) + 4, "end")


def _line(x1: float, y1: float, x2: float, y2: float) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=SOFT)


def _text(text: str, x: float, y: float, anchor: str, weight: str | None = None) -> Markup:
    given = {"fill": "currentColor", "font_size": 11, "text_anchor": anchor, "font_weight": weight}
    return element("text", text, x=x, y=y, **given)
