"""Sweeps: trainings of every variant with every seed, measured alike, and what they come to with intervals over seeds.

A sweep keeps nothing of its own but measurements of NashConv: runs are ordinary runs, and matches are in the store of
all matches. So it can be killed at any moment, and the same call goes on.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from forethought.api.arguments import ExecutorLike, PathLike, Progress, chosen_executor, quiet
from forethought.api.matches import match
from forethought.api.runs import TrainedRun, open_run
from forethought.api.solving import exploitability
from forethought.api.sweep_results import (
    TABLE,
    MeasuredRun,
    SweepResult,
    panels_for,
    save_result,
    variant_result,
)
from forethought.api.training import resume, train
from forethought.errors import ForethoughtError
from forethought.evaluate.exploitability import EXACT
from forethought.evaluate.match import MatchResult
from forethought.evaluate.rounds import entrant
from forethought.evaluate.store import identity_of
from forethought.files import check_can_write, write_atomically
from forethought.game import Game
from forethought.games import files_of, load
from forethought.learn.learner import LEARNERS
from forethought.learn.metrics import IterationReport
from forethought.learn.sweep_runs import directory_of, found_run, is_complete, part_of, refuse_others, seconds_of
from forethought.learn.sweeps import RUN, MatchMeasure, Sweep, SweepTraining, read_sweep
from forethought.player import PlayerSettings, find_player, read_player
from forethought.runs import matches_file, runs_directory
from forethought.runtime.executor import Executor, Stopped, Stopping
from forethought.runtime.threads import Threads
from forethought.solve.forecast import MAX_NODES, forecast_nodes
from forethought.solve.public_tree import is_public_tree
from forethought.sources import package_digest

SWEEPS = "sweeps"  # the directory of results, beside the runs
KEPT = "nashconv.json"


@dataclass(frozen=True)
class SweepStart:
    """What is known when a sweep begins, for whoever shows it."""

    plan: Sweep
    game: Game
    left: list[SweepTraining]  # trainings that are not complete


Begun = Callable[[SweepStart], None]
Finished = Callable[[SweepTraining, Mapping[str, float]], None]  # a run, and what was measured of it


def sweep(  # noqa: PLR0913 (each is a choice of the caller)
    config: PathLike,
    *,
    at_once: int = 1,
    output: PathLike | None = None,
    executor: ExecutorLike | None = None,
    workers: int | None = None,
    progress: Progress = quiet,
    begun: Begun | None = None,
    finished: Finished | None = None,
) -> SweepResult:
    """Train and measure what a TOML file names: every variant with every seed.

    Runs are called by the file, the variant and the seed. Those that are complete are kept, and one that was stopped
    goes on: after Ctrl-C or a kill, call it again. `at_once` trainings share the cores; results depend neither on that
    nor on the executor. The table, the values and the picture are written to the directory `output`, runs/sweeps/NAME
    if none is given. Raises ForethoughtError, before anything is trained, if something in the file is wrong or a run
    of one of these names has other settings.
    """
    plan = read_sweep(Path(config))
    if at_once < 1:
        raise ForethoughtError(f"at_once must be a whole number at least 1, not {at_once}.")
    directory = runs_directory() / SWEEPS / plan.name if output is None else Path(output)
    check_can_write(directory / TABLE, "table")
    refuse_others(plan)
    game = load(plan.game)
    _check_measures(plan, game)
    runner, parts = chosen_executor(executor, workers), _Parts(plan, progress)
    measurer = _Measurer(plan, game, runner, directory / KEPT, parts)
    left = [training for training in plan.trainings if not is_complete(training)]
    if begun is not None:
        begun(SweepStart(plan, game, left))
    shared = executor is None and workers is None and at_once > 1  # the cores, by trainings of one thread or a few
    each = Threads(max(1, (os.cpu_count() or 1) // at_once)) if shared else runner
    measured: dict[str, MeasuredRun] = {}
    for training in _trained(plan, _Trainer(each, parts), at_once):
        run = open_run(directory_of(training))
        measured[training.run] = MeasuredRun(run, measurer.values_of(run, training))
        if finished is not None:
            finished(training, measured[training.run].values)
    result = _result(plan, measured, directory)
    save_result(result)
    return result


def _check_measures(plan: Sweep, game: Game) -> None:
    """Refuse opponents that do not suit the game, and an exact NashConv of a game that is too large for one."""
    try:
        for one in plan.measures.matches:
            entrant(one.against).new_group(game)
    except ForethoughtError as error:
        raise ForethoughtError(f"{plan.file}: measure.match: {error}") from error
    if plan.measures.nashconv and forecast_nodes(game) > MAX_NODES and not _has_public_tree(plan, game):
        raise ForethoughtError(f"{plan.file}: measure.nashconv: {plan.game} is too large for an exact one; remove it.")


def _has_public_tree(plan: Sweep, game: Game) -> bool:
    """Whether an exact NashConv can be had without unrolling the game: that of networks, not of searches."""
    player = plan.measures.player
    return is_public_tree(game) is None and not (player and read_player(player.replace(RUN, "run"))[0].searches)


def _trained(plan: Sweep, trainer: "_Trainer", at_once: int) -> Iterator[SweepTraining]:
    """Yield the trainings as they are complete, those last that start from runs of others."""
    for named in (False, True):
        jobs = [one for one in plan.trainings if bool(one.variant.named) == named]
        if at_once == 1:  # in this thread, which Ctrl-C reaches
            for job in jobs:
                trainer.complete(job, lambda: False)
                yield job
        else:
            for job, _ in Threads(at_once).map(trainer.complete, jobs):
                yield job


class _Parts:
    """How far each training is, told from several threads."""

    def __init__(self, plan: Sweep, progress: Progress) -> None:
        self._progress, self._lock = progress, Lock()
        self._parts = dict.fromkeys((training.run for training in plan.trainings), 0.0)

    def tell(self, training: SweepTraining, what: str, part: float = 1.0) -> None:
        """Report what is being done of a training; one that is measured is complete."""
        with self._lock:
            self._parts[training.run] = part
            self._progress(f"{training.run}, {what}", sum(self._parts.values()) / len(self._parts))


class _Trainer:
    """Brings trainings to their ends, several at once if need be."""

    def __init__(self, executor: Executor, parts: _Parts) -> None:
        self._executor, self._parts = executor, parts

    def complete(self, training: SweepTraining, stopping: Stopping) -> None:
        """Begin or go on with a training until it is complete. A task for threads."""
        while not is_complete(training):
            run = found_run(training)
            reports = run.reports() if run else []
            watch = _Watch(training, stopping, self._parts, {one.iteration: one for one in reports})
            if self._go_on(training, watch, begun=run is not None).interrupted:
                raise KeyboardInterrupt
            if not watch.seen:  # nothing was left to do: a power cut lost the last report
                break
        self._parts.tell(training, "complete")

    def _go_on(self, training: SweepTraining, watch: "_Watch", *, begun: bool) -> TrainedRun:
        means: dict[str, Any] = {"executor": self._executor, "callback": watch.iteration, "listen": watch.games}
        if begun:
            return resume(directory_of(training), **means)
        chosen = training.configuration
        return train(
            chosen.game,
            algorithm=chosen.algorithm,
            run=training.run,
            seed=training.seed,
            settings=training.settings,
            **means,
        )


@dataclass
class _Watch:
    """Follows one training. Minutes are those of all sittings together, so they are counted here."""

    training: SweepTraining
    stopping: Stopping
    parts: _Parts
    reports: dict[int, IterationReport]  # by iteration: one that a kill undid is reported again
    seen: int = 0  # iterations of this sitting

    def games(self, iteration: int, games: int) -> None:
        """Take how many games of an iteration are finished; end a training that should stop."""
        if self.stopping():
            raise Stopped
        self._tell(iteration, iteration - 1 + min(1.0, games / self.training.configuration.games))

    def iteration(self, report: IterationReport) -> bool:
        """Take an iteration that is complete; return whether the training is."""
        self.reports[report.iteration] = report
        self.seen += 1
        return self._tell(report.iteration, report.iteration) >= 1.0

    def _tell(self, iteration: int, iterations: float) -> float:
        part = part_of(self.training.configuration, iterations, seconds_of(self.reports.values()))
        self.parts.tell(self.training, f"iteration {iteration}", part)
        return part


class _Measurer:
    """Measures runs that are complete. What was measured before is found again."""

    def __init__(self, plan: Sweep, game: Game, executor: Executor, kept: Path, parts: _Parts) -> None:
        self._plan, self._game, self._executor, self._file, self._parts = plan, game, executor, kept, parts

    def values_of(self, run: TrainedRun, training: SweepTraining) -> dict[str, float]:
        """Return all that the file asks for, by name; metrics that the training did not measure are left out."""
        measures = self._plan.measures
        newest = {name: run.newest(name) for name in measures.metrics}
        values = {name: value for name, value in newest.items() if value is not None}
        if measures.nashconv:
            values[measures.title] = self._nashconv(training)
        for one in measures.matches:
            values[one.title] = getattr(self._match(training, one), one.report)
        return values

    def _match(self, training: SweepTraining, wanted: MatchMeasure) -> MatchResult:
        return match(
            self._game,
            self._player(training, wanted.player or self._plan.measures.player),
            wanted.against,
            games=wanted.games,
            seed=wanted.seed,
            store=matches_file(),
            executor=self._executor,
            progress=lambda what, _part: self._parts.tell(training, what),
        )

    def _player(self, training: SweepTraining, spec: str, role: str = "") -> PlayerSettings:
        if spec:
            return find_player(spec.replace(RUN, training.run))
        players = LEARNERS.find(training.configuration.algorithm).learner.players(training.run)
        return players.get(role) or next(iter(players.values()))

    def _nashconv(self, training: SweepTraining) -> float:
        game, player = self._plan.game, self._player(training, self._plan.measures.player, "policy")
        identity = [package_digest(), identity_of(game, files_of(game)), identity_of(str(player), player.files())]
        key = " ".join(identity)
        if key not in self._kept:
            found = exploitability(self._game, player, executor=self._executor)
            if found.kind != EXACT:
                raise ForethoughtError(f"{game} is larger than forecast, and has no exact NashConv here.")
            self._kept[key] = found.nashconv
            write_atomically(self._file, (json.dumps(self._kept, indent=2) + "\n").encode())
        return self._kept[key]

    @cached_property
    def _kept(self) -> dict[str, float]:
        """What was measured; a damaged file is nothing, and is measured again."""
        try:
            found = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        return {key: float(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _result(plan: Sweep, measured: Mapping[str, MeasuredRun], directory: Path) -> SweepResult:
    metrics = plan.measures.metrics
    variants = [
        variant_result(one.name, one.settings, [measured[plan.run_of(one.name, seed)] for seed in plan.seeds], metrics)
        for one in plan.variants
    ]
    described = [metric for found in measured.values() for metric in found.run.described]
    panels = panels_for(variants, described, metrics)
    return SweepResult(plan.name, plan.game, list(plan.seeds), variants, directory, panels)
