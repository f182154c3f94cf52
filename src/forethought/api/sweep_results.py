"""What a sweep comes to: a table with intervals over seeds, curves, and both as files."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from forethought.api.runs import LOGARITHMIC, TrainedRun, measurements
from forethought.drawing.charts import curve
from forethought.drawing.markup import beside, block, note, table
from forethought.evaluate.curves import Curve, Measurement, Panel, draw_curves
from forethought.evaluate.intervals import student_interval
from forethought.evaluate.pictures import save_figure
from forethought.files import write_atomically
from forethought.learn.metrics import Metric
from forethought.learn.sweep_runs import seconds_of
from forethought.results import ASIDE, ResultBase

PICTURE, TABLE, VALUES = "curves.png", "table.md", "values.csv"


@dataclass(frozen=True)
class Estimate:
    """One measurement over seeds: the mean, and Student's 95 % interval; none of a single seed."""

    measure: str
    mean: float
    low: float | None
    high: float | None
    values: list[float]  # of each seed

    def __str__(self) -> str:
        mean = self.written(self.mean)
        if self.low is None or self.high is None:
            return mean
        return f"{mean} ({self.written(self.low)} to {self.written(self.high)})"

    @property
    def each(self) -> str:
        """The value of each seed."""
        return ", ".join(map(self.written, self.values))

    def written(self, value: float) -> str:
        """Write a value as people read it."""
        return f"{value:.1%}" if self.measure.startswith("win_rate") else f"{value:.3g}"


@dataclass(frozen=True)
class VariantResult:
    """What the runs of a variant came to, one run a seed."""

    variant: str
    settings: Mapping[str, Any]
    runs: list[str]
    seconds: list[float]  # of training, compilation not counted
    measured: list[Estimate]
    curve: list[Measurement]  # means over seeds, with `name_low` and `name_high`


@dataclass(frozen=True)
class SweepResult(ResultBase):
    """All runs of a sweep."""

    sweep: str
    game: str
    seeds: list[int]
    variants: list[VariantResult]
    directory: Path  # of table.md, values.csv and curves.png
    panels: Sequence[Panel] = field(repr=False, metadata=ASIDE)

    @property
    def columns(self) -> list[str]:
        """The headings of the table."""
        several = len(self.seeds) > 1
        seeds = f"seed{'s' if several else ''} {', '.join(map(str, self.seeds))}"
        return ["variant", "measured", "mean (95 %)" if several else "value", seeds, "minutes"]

    @property
    def rows(self) -> list[list[str]]:
        """The table: a row for each measurement of each variant; minutes are those of a training."""
        return [row for variant in self.variants for row in _rows(variant)]

    def _repr_html_(self) -> str:
        charts = [
            curve(f"{variant.variant}: {panel.label}", *_points(variant, panel.name), ("iteration", ""))
            for panel in self.panels
            for variant in self.variants
        ]
        title = f"{self.sweep}: {len(self.variants)} variants of {self.game}, seeds {', '.join(map(str, self.seeds))}"
        return block(
            title, table(self.columns, self.rows, left=self.columns), note(str(self.directory)), beside(charts)
        )


def _rows(variant: VariantResult) -> Iterator[list[str]]:
    """Yield the rows of a variant; its name and minutes stand in the first."""
    name, minutes = variant.variant, f"{np.mean(variant.seconds) / 60:.3g}"
    for one in variant.measured:
        yield [name, one.measure, str(one), one.each, minutes]
        name = minutes = ""


class MeasuredRun(NamedTuple):
    """A run that is finished, and what was measured of it."""

    run: TrainedRun
    values: Mapping[str, float]


def variant_result(
    name: str, settings: Mapping[str, Any], measured: Sequence[MeasuredRun], metrics: Sequence[str]
) -> VariantResult:
    """Join the runs of all seeds of a variant."""
    common = [key for key in measured[0].values if all(key in one.values for one in measured)]
    runs = [one.run for one in measured]
    return VariantResult(
        name,
        dict(settings),
        [run.name for run in runs],
        [seconds_of(run.reports) for run in runs],
        [estimate(key, [one.values[key] for one in measured]) for key in common],
        mean_curve([measurements(run) for run in runs], metrics),
    )


def estimate(measure: str, values: Sequence[float]) -> Estimate:
    """Return the mean over seeds, and its interval."""
    given = np.array(values, np.float64)
    low, high = student_interval(given) or (None, None)
    return Estimate(measure, float(given.mean()), low, high, given.tolist())


def mean_curve(runs: Sequence[Sequence[Measurement]], metrics: Sequence[str]) -> list[Measurement]:
    """Return the mean over runs of what all of them measured in an iteration, with its interval."""
    points = []
    for together in zip(*runs, strict=False):  # by minutes, some runs have more iterations
        values: dict[str, float] = {}
        for name in metrics:
            if all(name in point.values for point in together):
                found = estimate(name, [point.values[name] for point in together])
                values[name] = found.mean
                if found.low is not None and found.high is not None:
                    values |= {f"{name}_low": found.low, f"{name}_high": found.high}
        points.append(Measurement(together[0].iteration, float(np.mean([one.seconds for one in together])), values))
    return [point for point in points if point.values]


def panels_for(variants: Sequence[VariantResult], described: Sequence[Metric], metrics: Sequence[str]) -> list[Panel]:
    """Return what the picture shows: the metrics that the runs of some variant have measured."""
    known = {one.name: one for one in described}
    drawn = {name for variant in variants for point in variant.curve for name in point.values}
    return [_panel(known[name]) for name in metrics if name in drawn]


def save_result(result: SweepResult) -> None:
    """Write the table, the values and the picture."""
    write_atomically(result.directory / TABLE, markdown_of(result).encode())
    write_atomically(result.directory / VALUES, csv_of(result).encode())
    if result.panels:
        figure = draw_curves([Curve(one.variant, one.curve) for one in result.variants], result.panels)
        save_figure(figure, result.directory / PICTURE)


def markdown_of(result: SweepResult) -> str:
    """Write the table as Markdown."""
    return markdown_table(result.columns, result.rows)


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write rows under headings as Markdown."""
    escaped = [[cell.replace("|", "\\|") for cell in line] for line in (columns, ["---"] * len(columns), *rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in escaped)


def csv_of(result: SweepResult) -> str:
    """Write a line for each value of each run."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["variant", "seed", "run", "measure", "value"])
    for variant in result.variants:
        for one in variant.measured:
            for seed, run, value in zip(result.seeds, variant.runs, one.values, strict=True):
                writer.writerow([variant.variant, seed, run, one.measure, value])
    return text.getvalue()


def _points(variant: VariantResult, metric: str) -> tuple[list[float], list[float]]:
    points = [(float(point.iteration), point.values[metric]) for point in variant.curve if metric in point.values]
    across, up = zip(*points, strict=True) if points else ((), ())
    return list(across), list(up)


def _panel(metric: Metric) -> Panel:
    return Panel(metric.name, f"{metric.title} (mean, 95 % over seeds)", metric.unit, metric.name in LOGARITHMIC)
