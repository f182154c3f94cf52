"""The runs of a sweep on disk: which are complete, which go on, and which are other trainings of the same name."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.learn.configuration import Configuration, keys_of
from forethought.learn.learner import new_learner
from forethought.learn.metrics import IterationReport
from forethought.learn.run import Run
from forethought.learn.sweeps import Sweep, SweepTraining
from forethought.runs import CONFIGURATION, runs_directory


def directory_of(training: SweepTraining) -> Path:
    """Return where the run of a training is, or will be."""
    return runs_directory() / training.run


def found_run(training: SweepTraining) -> Run | None:
    """Return the run of a training, to look at; None if it has not begun."""
    directory = directory_of(training)
    return Run.open(directory, lock=False) if (directory / CONFIGURATION).is_file() else None


def refuse_others(plan: Sweep) -> None:
    """Refuse a sweep that would go on with a run of other settings: from an older state of the file, say."""
    for training in plan.trainings:
        run = found_run(training)
        key = run and _difference(run.configuration, training.configuration)
        if run and key:
            raise ForethoughtError(
                f"{plan.file}: the run {training.run} exists and has {_said(run.configuration, key)}, not "
                f"{_said(training.configuration, key)}; move that run away, or rename the file."
            )


def is_complete(training: SweepTraining) -> bool:
    """Whether a run has come to its end: its last iteration, or the end of its minutes."""
    run = found_run(training)
    if run is None:
        return False
    reports, minutes = run.reports(), training.configuration.minutes
    done = reports[-1].iteration if reports else 0
    return done >= run.configuration.iterations or 0.0 < minutes * 60.0 <= seconds_of(reports)


def part_of(configuration: Configuration, iterations: float, seconds: float) -> float:
    """Return the part of a training that is done after so many iterations and seconds."""
    by_time = seconds / (60.0 * configuration.minutes) if configuration.minutes else 0.0
    return min(1.0, max(by_time, iterations / configuration.iterations))


def seconds_of(reports: Iterable[IterationReport]) -> float:
    """Return how long a run was trained, compilation and pauses not counted."""
    return sum(report.values["seconds"] for report in reports)


def forecast_seconds(game: Game, trainings: Sequence[SweepTraining]) -> float:
    """Return what trainings take at least: their minutes, or self-play as far as learners can tell.

    One training of each variant is looked at. Those that start from a run that does not exist yet tell nothing.
    """
    total, known = 0.0, dict[str, float]()
    for training in trainings:
        name = training.variant.name
        if name not in known:
            known[name] = _forecast(game, training)
        total += known[name]
    return total


def _forecast(game: Game, training: SweepTraining) -> float:
    chosen = training.configuration
    if chosen.is_limited_by_time:
        return 60.0 * chosen.minutes
    if training.variant.named:
        return 0.0
    found = new_learner(game, chosen).forecast()
    return 0.0 if found is None else chosen.iterations * found.seconds_per_iteration


def _difference(found: Configuration, wanted: Configuration) -> str | None:
    """Return the first setting in which a run differs; how many workers it has changes nothing.

    Where only minutes limit a training, its learner has planned the iterations.
    """
    free = {"workers", *(("iterations",) if wanted.is_limited_by_time else ())}
    keys = list(dict.fromkeys([*keys_of(type(wanted)), *keys_of(type(found))]))
    different = (key for key in keys if key not in free and _value(found, key) != _value(wanted, key))
    return next(different, None)


def _said(configuration: Configuration, key: str) -> str:
    return f"{key}={_value(configuration, key)}"


def _value(configuration: Configuration, key: str) -> object:
    """Return a setting by its dotted key; None of another algorithm's."""
    value: object = configuration
    for part in key.split("."):
        value = getattr(value, part, None)
    return value
