"""Trainings as a picture: what was measured, over iterations and over time, several runs in one."""

from collections.abc import Callable, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from forethought.errors import ForethoughtError
from forethought.evaluate.pictures import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABEL = 36  # characters of a line of an axis's label
LONG = 7200.0  # seconds; from here on time is told in hours


class Measurement(NamedTuple):
    """One iteration of a training: what was measured in it, by name."""

    iteration: int
    seconds: float  # of training until then
    values: Mapping[str, float]


class Panel(NamedTuple):
    """What one row of the picture shows; `name_low` and `name_high` are drawn as a band where they are measured."""

    name: str
    label: str
    unit: str = ""
    logarithmic: bool = False


class Curve(NamedTuple):
    """A run to draw."""

    name: str
    points: Sequence[Measurement]


Place = Callable[[Measurement], float]


def draw_curves(curves: Sequence[Curve], panels: Sequence[Panel]) -> "Figure":
    """Draw a row for each panel of which something was measured, over iterations and over time."""
    points = [point for curve in curves for point in curve.points]
    rows = [panel for panel in panels if any(panel.name in point.values for point in points)]
    if not rows:
        names = ", ".join(curve.name for curve in curves)
        raise ForethoughtError(f"There is nothing to draw yet: no iteration of {names} was measured.")
    figure = new_figure(11.0, 1.0 + 3.5 * len(rows))
    grid = figure.subplots(len(rows), 2, squeeze=False, sharey="row")
    for panel, cells in zip(rows, grid, strict=True):
        for axes, (label, place) in zip(cells, _columns(points), strict=True):
            for curve in curves:
                _draw(axes, curve, panel, place)
            axes.set(xlabel=label, ylabel=fill(panel.label, LABEL))
            axes.grid(alpha=0.3, which="both")
    grid[0][0].legend()
    return figure


def _columns(points: Sequence[Measurement]) -> tuple[tuple[str, Place], tuple[str, Place]]:
    longest = max(point.seconds for point in points)
    unit, size = ("hours", 3600.0) if longest >= LONG else ("minutes", 60.0)
    return ("iterations", lambda point: point.iteration), (unit, lambda point: point.seconds / size)


def _draw(axes: "Axes", curve: Curve, panel: Panel, place: Place) -> None:
    """Draw what was measured, and its intervals as a band where they are known."""
    points = [point for point in curve.points if panel.name in point.values]
    at = [place(point) for point in points]
    names = (panel.name, f"{panel.name}_low", f"{panel.name}_high")
    rows = [[point.values.get(name, np.nan) for name in names] for point in points]
    middle, low, high = np.array(rows, np.float64).reshape(-1, 3).T  # NaN is not drawn
    (line,) = axes.plot(at, middle, marker=".", label=curve.name)
    axes.fill_between(at, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    if panel.unit == "share":
        axes.yaxis.set_major_formatter("{x:.0%}")
    if panel.logarithmic:
        _scale_logarithmically(axes)


def _scale_logarithmically(axes: "Axes") -> None:
    """Use a log scale; only 0 would lie below all of it."""
    from matplotlib.ticker import LogLocator  # noqa: PLC0415 (slow to import)

    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("")
