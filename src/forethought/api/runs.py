"""Runs of training, as they are on disk: what they measured, and the players that use what they learned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from forethought.api.arguments import PathLike
from forethought.arrays import Float64s
from forethought.drawing.charts import curve
from forethought.drawing.markup import Markup, beside, block, note
from forethought.errors import ForethoughtError
from forethought.evaluate.curves import Curve, Measurement, Panel, draw_curves
from forethought.evaluate.pictures import check_picture_file, save_figure
from forethought.learn.learner import LEARNERS
from forethought.learn.metrics import COMMON, IterationReport, Metric
from forethought.learn.run import Run, is_training
from forethought.learn.verdict import Verdict, verdict
from forethought.player import PlayerSettings
from forethought.results import ASIDE, Listing, ResultBase
from forethought.runs import all_runs, find_run, shortest_name

TRAINING, STOPPED, DAMAGED = "training", "stopped", "damaged"
PICTURE = "curves.png"
LOGARITHMIC = ("nashconv",)


@dataclass(frozen=True)
class TrainedRun(ResultBase):
    """A run on disk: what it has measured, and the players that use what it has learned."""

    name: str
    directory: Path
    game: str
    algorithm: str
    seed: int
    reports: Sequence[IterationReport] = field(repr=False, metadata=ASIDE)
    described: Sequence[Metric] = field(repr=False, metadata=ASIDE)
    seconds: float = 0.0  # of the training that returned this
    interrupted: bool = False  # by Ctrl-C, before its end

    @property
    def iterations(self) -> int:
        """How many iterations are complete."""
        return self.reports[-1].iteration if self.reports else 0

    @property
    def metrics(self) -> dict[str, Float64s]:
        """What was measured, an array [iterations] for each name; NaN where it was not measured."""
        names = dict.fromkeys(name for report in self.reports for name in report.values)
        return {
            name: np.array([report.values.get(name, np.nan) for report in self.reports], np.float64) for name in names
        }

    @property
    def verdict(self) -> Verdict:
        """Whether it learned, in a sentence."""
        return verdict(self.reports, LEARNERS.find(self.algorithm).learner.remedy)

    def newest(self, name: str) -> float | None:
        """Return what was measured last under a name; None if nothing was."""
        values = [value for report in self.reports if (value := report.get(name)) is not None]
        return values[-1] if values else None

    def players(self) -> Mapping[str, PlayerSettings]:
        """Return the players that use what was learned, by what they are."""
        return LEARNERS.find(self.algorithm).learner.players(shortest_name(self.directory))

    def player(self) -> PlayerSettings:
        """Return the strongest of them."""
        return LEARNERS.find(self.algorithm).strongest(shortest_name(self.directory))

    def plot(self, path: PathLike | None = None) -> "RunPlot":
        """Draw the curves of the run to a file, .png or .svg: curves.png in its directory if none is named."""
        return plot(self, path)

    def as_dict(self) -> dict[str, Any]:
        """Return the run as plain data: what `--json` prints."""
        counted = {"iterations": self.iterations, "games": int(sum(one.values.get("games", 0) for one in self.reports))}
        newest = {name: self.newest(name) for name in ("nashconv", "win_rate", "simulations_per_second")}
        return super().as_dict() | counted | newest

    def _repr_html_(self) -> str:
        title = f"{self.name}: {self.algorithm} on {self.game}, {self.iterations} iterations, seed {self.seed}"
        return block(title, note(self.verdict.sentence if self.reports else "nothing was measured yet"), _curves(self))


@dataclass(frozen=True)
class RunSummary(ResultBase):
    """A run in a line."""

    run: str
    directory: str
    state: str  # TRAINING, STOPPED or DAMAGED
    game: str = ""
    algorithm: str = ""
    iterations: int = 0  # complete
    wanted: int | None = 0  # iterations in all; None: the minutes decide
    nashconv: float | None = None  # the newest
    win_rate: float | None = None  # the newest
    changed: str | None = None  # when it last reported anything


@dataclass(frozen=True)
class PlottedRun:
    """A run in a picture: whether it learned, and what was measured in each iteration."""

    run: str
    verdict: Verdict
    points: list[Measurement]


@dataclass(frozen=True)
class RunPlot(ResultBase):
    """A picture of the curves of runs."""

    picture: Path
    runs: list[PlottedRun]
    drawn: Sequence[TrainedRun] = field(repr=False, compare=False, metadata=ASIDE)

    def _repr_html_(self) -> str:
        return block(f"drawn to {self.picture}", [[note(one.verdict.sentence), _curves(one)] for one in self.drawn])


def open_run(name: PathLike) -> TrainedRun:
    """Return a run by its name or directory. Raises ForethoughtError if there is none, or it is damaged."""
    return trained_run(Run.open(find_run(str(name)), lock=False))


def trained_run(run: Run) -> TrainedRun:
    """Read a run as it is on disk."""
    chosen = run.configuration
    return TrainedRun(run.name, run.directory, chosen.game, chosen.algorithm, chosen.seed, run.reports(), run.metrics())


def runs() -> Listing[RunSummary]:
    """List the runs: how far they are, how strong, and which are training now."""
    return Listing(_summary(directory) for directory in all_runs())


def plot(runs: PathLike | TrainedRun | Sequence[PathLike | TrainedRun], path: PathLike | None = None) -> RunPlot:
    """Draw what runs have measured, over iterations and over time, several runs in one picture.

    Runs are given by name, by directory or themselves; one that is named twice is drawn once. Without a path the
    picture is curves.png, in the directory of a single run. Raises ForethoughtError if nothing was measured yet.
    """
    given = [runs] if isinstance(runs, str | Path | TrainedRun) else runs
    opened = [one if isinstance(one, TrainedRun) else open_run(one) for one in given]
    drawn = list({run.directory.resolve(): run for run in opened}.values())
    where = path if path is not None else (drawn[0].directory / PICTURE if len(drawn) == 1 else Path(PICTURE))
    check_picture_file(where)
    names = [run.name for run in drawn]
    names = names if len({*names}) == len(names) else [str(run.directory) for run in drawn]
    panels = [_panel(metric) for metric in _drawn_metrics(drawn).values()]
    points = [measurements(run) for run in drawn]
    figure = draw_curves(list(map(Curve, names, points)), panels)
    plotted = [PlottedRun(name, run.verdict, found) for name, run, found in zip(names, drawn, points, strict=True)]
    return RunPlot(save_figure(figure, where), plotted, drawn)


def measurements(run: TrainedRun) -> list[Measurement]:
    """Return what was measured. Time counts training only, not the pauses of a run that was resumed."""
    points, seconds = [], 0.0
    for report in run.reports:
        seconds += report.values.get("seconds", 0.0)
        points.append(Measurement(report.iteration, seconds, report.values))
    return points


def _summary(directory: Path) -> RunSummary:
    """Sum up a run; one that cannot be read does not hide the others."""
    try:
        opened = Run.open(directory, lock=False)
        events, found = opened.events(), trained_run(opened)
    except ForethoughtError:
        return RunSummary(directory.name, str(directory), DAMAGED)
    times = [event["time"] for event in events if isinstance(event.get("time"), int | float)]
    return RunSummary(
        found.name,
        str(directory),
        TRAINING if is_training(directory) else STOPPED,
        found.game,
        found.algorithm,
        found.iterations,
        None if opened.configuration.is_limited_by_time else opened.configuration.iterations,
        found.newest("nashconv"),
        found.newest("win_rate"),
        datetime.fromtimestamp(max(times)).astimezone().isoformat(timespec="seconds") if times else None,
    )


def _drawn_metrics(runs: Sequence[TrainedRun]) -> dict[str, Metric]:
    """Return what pictures show: how strong runs are, and what their learners report; not how fast they were."""
    described = {metric.name: metric for run in runs for metric in run.described}
    return {name: metric for name, metric in described.items() if metric.better or metric not in COMMON}


def _panel(metric: Metric) -> Panel:
    label = f"{metric.title} (95 %)" if metric.interval else metric.title
    unit = f" [{metric.unit}]" if metric.unit and metric.unit != "share" else ""
    return Panel(metric.name, label + unit, metric.unit, metric.name in LOGARITHMIC)


def _curves(run: TrainedRun) -> Markup:
    """Draw the metrics over the iterations."""
    titles, iterations = _drawn_metrics([run]), [report.iteration for report in run.reports]
    found = {name: values for name, values in run.metrics.items() if name in titles}
    return beside(
        [curve(titles[name].title, iterations, values.tolist(), ("iteration", "")) for name, values in found.items()]
    )
