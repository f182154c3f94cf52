"""Training runs, going on with them, and looking at them."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from forethought.arrays import Float64s
from forethought.errors import ForethoughtError
from forethought.evaluate.curves import Curve, Measurement, Panel, draw_curves
from forethought.game import Game
from forethought.games import load
from forethought.learn.configuration import Configuration, configuration_from
from forethought.learn.learner import LEARNERS, Learner, recommended_learner
from forethought.learn.metrics import IterationReport, Metric
from forethought.learn.play import GamesFinished
from forethought.learn.run import Run, is_training
from forethought.learn.training import Callback, Training
from forethought.learn.verdict import Verdict, verdict
from forethought.player import PlayerSettings, find_player
from forethought.runs import all_runs, find_run, new_run, shortest_name
from forethought.runtime.executor import Executor, find_executor
from forethought.runtime.threads import Threads

TRAINING, STOPPED, DAMAGED = "training", "stopped", "damaged"
PICTURE = "curves.png"
LOGARITHMIC = ("nashconv",)


@dataclass(frozen=True)
class TrainedRun:
    """A run on disk: what it has measured, and the players that use what it has learned."""

    name: str
    directory: Path
    game: str
    algorithm: str
    seed: int
    reports: Sequence[IterationReport] = field(repr=False)
    described: Sequence[Metric] = field(repr=False)
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
        return verdict(self.reports)

    def newest(self, name: str) -> float | None:
        """Return what was measured last under a name; None if nothing was."""
        values = [value for report in self.reports if (value := report.get(name)) is not None]
        return values[-1] if values else None

    def players(self) -> Mapping[str, PlayerSettings]:
        """Return the players that use what was learned."""
        return LEARNERS.find(self.algorithm).learner.players(shortest_name(self.directory))

    def player(self) -> PlayerSettings:
        """Return the strongest of them."""
        return LEARNERS.find(self.algorithm).strongest(shortest_name(self.directory))

    def plot(self, path: str | Path | None = None) -> Path:
        """Draw the curves of the run to a PNG file, in its directory if no other is named; return its path."""
        return plot_runs([self], path)

    def summary(self) -> dict[str, Any]:
        """Return what `forethought train --json` prints."""
        return {
            "run": str(self.directory),
            "iterations": self.iterations,
            "games": int(sum(report.values.get("games", 0) for report in self.reports)),
            "seconds": self.seconds,
            "nashconv": self.newest("nashconv"),
            "win_rate": self.newest("win_rate"),
            "simulations_per_second": self.newest("simulations_per_second"),
            "seed": self.seed,
        }


@dataclass(frozen=True)
class TrainingStart:
    """What is known when a training begins, for whoever shows it."""

    run: Run
    game: Game
    learner: Learner
    iteration: int  # the last that is complete


Started = Callable[[TrainingStart], None]


def train(  # noqa: PLR0913 (each is a choice of the caller)
    game: str | Game,
    *,
    algorithm: str | None = None,
    run: str | Path | None = None,
    iterations: int | None = None,
    games: int | None = None,
    simulations: int | None = None,
    minutes: float | None = None,
    workers: int | None = None,
    device: str | None = None,
    seed: int | None = None,
    config: str | Path | None = None,
    settings: Mapping[str, Any] | Sequence[str] = (),
    executor: str | Executor | None = None,
    callback: Callback | Sequence[Callback] = (),
    started: Started | None = None,
    listen: GamesFinished = lambda _iteration, _games: None,
) -> TrainedRun:
    """Train a player of a game, in a directory of its own, and return the run.

    `settings` are those of `--set`: a mapping such as {"memory.capacity": 1000}. `callback` is called with the report
    of every iteration; returning True ends the training. Ctrl-C ends it too: what is finished is kept, and `resume`
    goes on with it. Raises ForethoughtError if the game does not suit the algorithm or a setting is out of range.
    """
    made = load(game, compiled=False)
    flags = {
        "algorithm": algorithm,
        "iterations": iterations,
        "games": games,
        "search.simulations": simulations,
        "minutes": minutes,
        "workers": workers,
        "learning.device": device,
    }
    texts = [f"{key}={value}" for key, value in settings.items()] if isinstance(settings, Mapping) else list(settings)
    file = None if config is None else Path(config)
    recommended = algorithm or recommended_learner(made)
    spec = made.spec or made.name
    configuration = configuration_from(spec, file, texts, recommended, **flags, seed=seed)
    compiled = load(made)
    kind = LEARNERS.find(configuration.algorithm)
    kind.learner(compiled, configuration)  # a game that does not suit is refused before there is a run
    find_player(configuration.evaluation.against)
    with Run.create(new_run(None if run is None else str(run), spec), configuration) as created:
        return _continue(created, compiled, executor, callback, started, listen)


def resume(  # noqa: PLR0913 (each is a choice of the caller)
    run: str | Path,
    *,
    iterations: int | None = None,
    minutes: float | None = None,
    workers: int | None = None,
    executor: str | Executor | None = None,
    callback: Callback | Sequence[Callback] = (),
    started: Started | None = None,
    listen: GamesFinished = lambda _iteration, _games: None,
) -> TrainedRun:
    """Go on with a run where it stopped, as if it never had; with more iterations, also with a finished one."""
    with Run.open(find_run(str(run))) as opened:
        changes = {"iterations": iterations, "minutes": minutes, "workers": workers}
        given: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
        done = max((report.iteration for report in opened.reports()), default=0)
        if iterations is not None and iterations < done:
            raise ForethoughtError(f"{opened.name} has {done} iterations already; give as many or more.")
        if given:
            opened.reconfigure(replace(opened.configuration, **given))
        return _continue(opened, load(opened.configuration.game), executor, callback, started, listen)


def _continue(
    run: Run,
    game: Game,
    executor: str | Executor | None,
    callback: Callback | Sequence[Callback],
    started: Started | None,
    listen: GamesFinished,
) -> TrainedRun:
    training, began = Training(run, game, _executor(executor, run.configuration)), time.monotonic()
    if started is not None:
        started(TrainingStart(run, game, training.learner, training.iteration))
    interrupted = False
    try:
        training.train([callback] if callable(callback) else callback, listen)
    except KeyboardInterrupt:
        interrupted = True
        run.report("stopped")
    return replace(trained_run(run), seconds=time.monotonic() - began, interrupted=interrupted)


def _executor(given: str | Executor | None, configuration: Configuration) -> Executor:
    if given is None:
        return Threads(configuration.threads)
    return find_executor(given) if isinstance(given, str) else given


def trained_run(run: Run) -> TrainedRun:
    """Read a run as it is on disk."""
    chosen = run.configuration
    return TrainedRun(run.name, run.directory, chosen.game, chosen.algorithm, chosen.seed, run.reports(), run.metrics())


def open_run(name: str | Path) -> TrainedRun:
    """Return a run by its name or directory."""
    return trained_run(Run.open(find_run(str(name)), lock=False))


@dataclass(frozen=True)
class RunSummary:
    """A run in a line."""

    run: str
    directory: str
    state: str  # TRAINING, STOPPED or DAMAGED
    game: str = ""
    algorithm: str = ""
    iterations: int = 0  # complete
    wanted: int = 0  # iterations in all
    nashconv: float | None = None  # the newest
    win_rate: float | None = None  # the newest
    changed: str | None = None  # when it last reported anything


def runs() -> list[RunSummary]:
    """List the runs: how far they are, how strong, and which are training now."""
    return [_summary(directory) for directory in all_runs()]


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
        opened.configuration.iterations,
        found.newest("nashconv"),
        found.newest("win_rate"),
        datetime.fromtimestamp(max(times)).astimezone().isoformat(timespec="seconds") if times else None,
    )


def plot_runs(runs: Sequence[TrainedRun], path: str | Path | None = None) -> Path:
    """Draw the curves of runs to one PNG file; return its path."""
    where = Path(path) if path is not None else (runs[0].directory / PICTURE if len(runs) == 1 else Path(PICTURE))
    if where.suffix.lower() != ".png":
        raise ForethoughtError(f"The picture {where} must end in .png.")
    described = {metric.name: metric for run in runs for metric in run.described}
    curves = [Curve(name, measurements(run)) for name, run in zip(names_of(runs), runs, strict=True)]
    draw_curves(curves, [_panel(metric) for metric in described.values()], where)
    return where


def names_of(runs: Sequence[TrainedRun]) -> list[str]:
    """Return the names of runs, or their directories where two have the same name."""
    names = [run.name for run in runs]
    return names if len({*names}) == len(names) else [str(run.directory) for run in runs]


def measurements(run: TrainedRun) -> list[Measurement]:
    """Return what was measured. Time counts training only, not the pauses of a run that was resumed."""
    points, seconds = [], 0.0
    for report in run.reports:
        seconds += report.values.get("seconds", 0.0)
        points.append(Measurement(report.iteration, seconds, report.values))
    return points


def _panel(metric: Metric) -> Panel:
    label = f"{metric.title} (95 %)" if metric.interval else metric.title
    unit = f" [{metric.unit}]" if metric.unit and metric.unit != "share" else ""
    return Panel(metric.name, label + unit, metric.unit, metric.name in LOGARITHMIC)
