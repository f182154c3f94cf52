"""Training players, and going on with it."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from forethought.api.arguments import ExecutorLike, GameLike, PathLike, chosen_executor
from forethought.api.runs import TrainedRun, trained_run
from forethought.errors import ForethoughtError
from forethought.evaluate.rounds import entrant
from forethought.game import Game
from forethought.games import load
from forethought.learn.configuration import UNTIL_TIME_IS_OVER, Configuration, configuration_from
from forethought.learn.learner import LEARNERS, Learner, recommended_learner, usual_presets
from forethought.learn.play import GamesFinished
from forethought.learn.run import Run
from forethought.learn.training import Callback, Training
from forethought.runs import find_run, new_run
from forethought.runtime.executor import Executor
from forethought.runtime.threads import Threads


@dataclass(frozen=True)
class TrainingStart:
    """What is known when a training begins, for whoever shows it."""

    run: Run
    game: Game
    learner: Learner
    iteration: int  # the last that is complete
    executor: Executor


Started = Callable[[TrainingStart], None]


def train(  # noqa: PLR0913 (each is a choice of the caller)
    game: GameLike,
    *,
    algorithm: str | None = None,
    run: PathLike | None = None,
    iterations: int | None = None,
    games: int | None = None,
    simulations: int | None = None,
    records: PathLike | None = None,
    expert: str | None = None,
    minutes: float | None = None,
    preset: str | None = None,
    workers: int | None = None,
    device: str | None = None,
    seed: int | None = None,
    config: PathLike | None = None,
    settings: Mapping[str, Any] | Sequence[str] = (),
    executor: ExecutorLike | None = None,
    callback: Callback | Sequence[Callback] = (),
    started: Started | None = None,
    listen: GamesFinished = lambda _iteration, _games: None,
) -> TrainedRun:
    """Train a player of a game, in a directory of its own, and return the run.

    With `minutes` and no `iterations`, the minutes decide. `preset` names settings that the others begin from, such as
    "paper". Where games are imitated, `records` names a data set, a file or a run of them, or `expert` a player that
    plays them. `settings` are those of `--set`: a mapping such as {"memory.capacity": 1000}. `callback` is called with
    the report of every iteration; returning True ends the training. Ctrl-C ends it too: what is finished is kept, and
    `resume` goes on with it. Raises ForethoughtError if the game does not suit the algorithm or a setting is out of
    range.
    """
    _check_minutes(minutes)
    if records is not None and expert is not None:
        raise ForethoughtError("Games to imitate come from records or from an expert: name one of them.")
    flags = {
        "algorithm": algorithm,
        "preset": preset,
        "iterations": iterations,
        "games": games,
        "search.simulations": simulations,
        "imitation.records": None if records is None else _place_of(records),
        "expert.player": expert,
        "minutes": minutes,
        "workers": workers,
        "learning.device": device,
        "seed": seed,
    }
    learner = planned_learner(game, config, settings, flags)  # what is refused is so before there is a run
    configuration = learner.configuration
    if configuration.iterations == UNTIL_TIME_IS_OVER:
        configuration = replace(configuration, iterations=learner.iterations_within(configuration.minutes * 60.0))
    entrant(configuration.evaluation.against).new_group(learner.game)
    runner = _executor(executor, configuration)
    with Run.create(new_run(None if run is None else str(run), configuration.game), configuration) as created:
        return _continue(created, learner.game, runner, callback, started, listen)


def planned_learner(
    game: GameLike,
    config: PathLike | None,
    settings: Mapping[str, Any] | Sequence[str],
    flags: Mapping[str, Any],
) -> Learner:
    """Return the learner of a training as it is asked for, by a file, settings and flags (None: not given)."""
    made = load(game, compiled=False)
    texts = [f"{key}={value}" for key, value in settings.items()] if isinstance(settings, Mapping) else list(settings)
    file = None if config is None else Path(config)
    recommended = flags["algorithm"] or recommended_learner(made)
    configuration = configuration_from(made.spec or made.name, file, texts, recommended, usual_presets(made), **flags)
    return LEARNERS.find(configuration.algorithm).learner(load(made), configuration)


def resume(  # noqa: PLR0913 (each is a choice of the caller)
    run: PathLike,
    *,
    iterations: int | None = None,
    minutes: float | None = None,
    workers: int | None = None,
    executor: ExecutorLike | None = None,
    callback: Callback | Sequence[Callback] = (),
    started: Started | None = None,
    listen: GamesFinished = lambda _iteration, _games: None,
) -> TrainedRun:
    """Go on with a run where it stopped, as if it never had; with more iterations, also with a finished one."""
    _check_minutes(minutes)
    with Run.open(find_run(str(run))) as opened:
        changes = {"iterations": iterations, "minutes": minutes, "workers": workers}
        given: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
        done = max((report.iteration for report in opened.reports()), default=0)
        if iterations is not None and iterations < done:
            raise ForethoughtError(f"{opened.name} has {done} iterations already; give as many or more.")
        if given:
            opened.reconfigure(replace(opened.configuration, **given))
        runner = _executor(executor, opened.configuration)
        return _continue(opened, load(opened.configuration.game), runner, callback, started, listen)


def _continue(
    run: Run,
    game: Game,
    executor: Executor,
    callback: Callback | Sequence[Callback],
    started: Started | None,
    listen: GamesFinished,
) -> TrainedRun:
    training, began = Training(run, game, executor), time.monotonic()
    if started is not None:
        started(TrainingStart(run, game, training.learner, training.iteration, executor))
    interrupted = False
    try:
        training.train([callback] if callable(callback) else callback, listen)
    except KeyboardInterrupt:
        interrupted = True
        run.report("stopped")
    return replace(trained_run(run), seconds=time.monotonic() - began, interrupted=interrupted)


def _place_of(records: PathLike) -> str:
    """Return what names records from wherever the run is resumed: a path from the root, or the name of a run."""
    return str(Path(records).absolute()) if Path(records).exists() else str(records)


def _check_minutes(minutes: float | None) -> None:
    if minutes is not None and not minutes > 0.0:
        raise ForethoughtError(f"minutes must be above 0, not {minutes:g}; leave them out for no limit.")


def _executor(given: ExecutorLike | None, configuration: Configuration) -> Executor:
    return Threads(configuration.threads) if given is None else chosen_executor(given, None)
