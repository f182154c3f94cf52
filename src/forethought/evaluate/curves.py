"""Trainings as a picture: how strength grows over iterations and over time, several runs in one."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from forethought.errors import ForethoughtError
from forethought.files import write_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONG = 7200.0  # seconds; from here on time is told in hours


class Measurement(NamedTuple):
    """One point of a training; what was not measured is None."""

    iteration: int
    seconds: float  # of training until then
    nashconv: float | None = None
    win_rate: float | None = None
    win_rate_low: float | None = None
    win_rate_high: float | None = None


class Curve(NamedTuple):
    """A run to draw."""

    name: str
    points: Sequence[Measurement]


Place = Callable[[Measurement], float]
Draw = Callable[["Axes", Curve, Place], None]


def draw_curves(curves: Sequence[Curve], path: Path) -> None:
    """Write a PNG: a row for NashConv and one for win rates, as far as measured, over iterations and over time."""
    from matplotlib.figure import Figure  # noqa: PLC0415 (slow to import)

    rows = _rows(curves)
    if not rows:
        names = ", ".join(curve.name for curve in curves)
        raise ForethoughtError(f"There is nothing to draw yet: no iteration of {names} was measured.")
    figure = Figure(figsize=(11, 1 + 3.5 * len(rows)), layout="constrained")
    grid = figure.subplots(len(rows), 2, squeeze=False, sharey="row")
    for (name, draw), panels in zip(rows, grid, strict=True):
        for axes, (label, place) in zip(panels, _columns(curves), strict=True):
            for curve in curves:
                draw(axes, curve, place)
            axes.set(xlabel=label, ylabel=name)
            axes.grid(alpha=0.3, which="both")
    grid[0][0].legend()
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=150)
    write_atomically(path, content.getvalue())


def _rows(curves: Sequence[Curve]) -> list[tuple[str, Draw]]:
    """Return what was measured, each with the function that draws it."""
    points = [point for curve in curves for point in curve.points]
    rows: list[tuple[str, Draw]] = []
    if any(point.nashconv is not None for point in points):
        rows.append(("NashConv", _draw_nashconv))
    if any(point.win_rate is not None for point in points):
        rows.append(("win rate (95 %)", _draw_win_rate))
    return rows


def _columns(curves: Sequence[Curve]) -> tuple[tuple[str, Place], tuple[str, Place]]:
    longest = max(point.seconds for curve in curves for point in curve.points)
    unit, size = ("hours", 3600.0) if longest >= LONG else ("minutes", 60.0)
    return ("iterations", lambda point: point.iteration), (unit, lambda point: point.seconds / size)


def _draw_nashconv(axes: "Axes", curve: Curve, place: Place) -> None:
    """Draw values on a log scale; only an equilibrium, at 0, would lie below all of it."""
    from matplotlib.ticker import LogLocator  # noqa: PLC0415 (slow to import)

    points = [(place(point), point.nashconv) for point in curve.points if point.nashconv is not None]
    axes.plot([at for at, _ in points], [value for _, value in points], marker=".", label=curve.name)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("")


def _draw_win_rate(axes: "Axes", curve: Curve, place: Place) -> None:
    """Draw the rates, and their intervals as a band where they are known."""
    points = [point for point in curve.points if point.win_rate is not None]
    at = [place(point) for point in points]
    rows = [(point.win_rate, point.win_rate_low, point.win_rate_high) for point in points]
    rate, low, high = np.array(rows, np.float64).reshape(-1, 3).T  # None becomes NaN, which is not drawn
    (line,) = axes.plot(at, rate, marker=".", label=curve.name)
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.fill_between(at, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
