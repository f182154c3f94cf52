"""The figure of an item: printed values beside ours, as curves where there are any, otherwise row by row."""

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from forethought.evaluate.pictures import new_figure
from forethought.reproduce.result import ReproducedItem, ReproducedRow
from forethought.reproduce.verdicts import Span

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = 72  # characters of a line
PRINTED = "#8a8a8a"
LABELS = {"share": "win rate", "elo": "Elo"}


def draw_item(item: ReproducedItem) -> "Figure":
    """Draw curves over x if the rows of an item have a place there or a curve of their own, otherwise a dot a row."""
    if any(one.curve for one in item.rows):
        return _curves(item)
    if any(one.x is not None for one in item.rows):
        return _series(item)
    return _dots(item)


def _curves(item: ReproducedItem) -> "Figure":
    """Draw the curve of each row that has one, and its printed value as a line across."""
    figure, axes = _panel(item)
    for one in (row for row in item.rows if row.curve):
        xs, ys = zip(*one.curve, strict=True)
        (line,) = axes.plot(xs, ys, marker="." if len(xs) < 60 else None, label=one.series or one.name)
        if one.printed.value is not None:
            axes.axhline(one.printed.value, color=line.get_color(), linestyle="--", linewidth=1)
    axes.legend()
    return figure


def _series(item: ReproducedItem) -> "Figure":
    """Draw a curve for each series, and what was printed of it in grey."""
    figure, axes = _panel(item)
    for name in dict.fromkeys(one.series for one in item.rows):
        rows = [one for one in item.rows if one.series == name and one.x is not None]
        _bars(axes, rows, [one.ours for one in rows], marker="o", label=name)
        printed = [one for one in rows if one.printed.value is not None]
        if printed:
            spans = [one.printed for one in printed]
            _bars(axes, printed, spans, marker="s", linestyle="--", color=PRINTED, label=f"{name}, printed")
    axes.legend()
    return figure


def _bars(axes: "Axes", rows: Sequence[ReproducedRow], spans: Sequence[Span], **style: object) -> None:
    known = [(row.x, span) for row, span in zip(rows, spans, strict=True) if span.value is not None]
    if known:
        xs, given = zip(*known, strict=True)
        axes.errorbar(xs, [one.value for one in given], yerr=_arms(given), capsize=3, **style)  # type: ignore[arg-type]


def _dots(item: ReproducedItem) -> "Figure":
    """Draw a line for each row: printed in grey, ours beside it."""
    figure = new_figure(7.2, 1.2 + 0.34 * len(item.rows))
    axes = figure.subplots()
    places = range(len(item.rows))
    for spans, shift, style in (
        ([one.printed for one in item.rows], 0.12, {"fmt": "s", "color": PRINTED, "label": "printed"}),
        ([one.ours for one in item.rows], -0.12, {"fmt": "o", "label": "ours"}),
    ):
        known = [(place + shift, span) for place, span in zip(places, spans, strict=True) if span.value is not None]
        if known:
            at, given = zip(*known, strict=True)
            axes.errorbar([one.value for one in given], at, xerr=_arms(given), capsize=3, **style)  # type: ignore[arg-type]
    axes.set_yticks(places, [one.name for one in item.rows])
    axes.invert_yaxis()
    axes.set(xlabel=LABELS.get(item.unit, ""), title=fill(item.heading, TITLE))
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


def _panel(item: ReproducedItem) -> tuple["Figure", "Axes"]:
    figure = new_figure(7.2, 4.2)
    axes = figure.subplots()
    axes.set(title=fill(item.heading, TITLE), xlabel=item.across, ylabel=LABELS.get(item.unit, ""))
    axes.grid(alpha=0.3)
    return figure, axes


def _arms(spans: Sequence[Span]) -> list[list[float]]:
    """Return how far intervals reach below and above their values."""
    ends = [(one.value or 0.0, *one.ends) for one in spans]
    return [[max(0.0, value - low) for value, low, _ in ends], [max(0.0, high - value) for value, _, high in ends]]
