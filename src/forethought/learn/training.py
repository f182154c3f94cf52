"""The one loop: iterate, save, examine, report, checkpoint; again and again.

Everything random in iteration n is drawn from generators that the run's seed and n decide, and each game from one of
its own. So a run that is stopped at any instant goes on from its last checkpoint and its finished games as if it had
never stopped.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from forethought.compiler.announce import Stopwatch
from forethought.game import Game
from forethought.learn.exams import Examiner
from forethought.learn.learner import Learner, LearnerState, new_learner
from forethought.learn.metrics import COMMON, IterationReport
from forethought.learn.play import GamesFinished, Play
from forethought.learn.run import Run
from forethought.runtime.executor import Executor, ExecutorState, state_of

Callback = Callable[[IterationReport], Any]  # called after every iteration; returning True ends the training


class Training:
    """A run in progress: its learner, as far as it has come."""

    def __init__(self, run: Run, game: Game, executor: Executor) -> None:
        self.run, self.game, self.executor = run, game, executor
        self.learner: Learner = new_learner(game, run.configuration)
        self.iteration = 0  # the last that is complete
        self._told: ExecutorState | None = None
        for warning in self.learner.warnings:
            run.warn(warning)
        self._examiner = Examiner(game, run.configuration, executor)
        checkpoint = run.newest_checkpoint()
        if checkpoint is not None:
            self.iteration = checkpoint.iteration
            games = (run.games(number) for number in range(1, checkpoint.iteration + 1))
            self.learner.restore(LearnerState(checkpoint.arrays, checkpoint.about), games)

    def train(
        self, callbacks: Sequence[Callback] = (), listen: GamesFinished = lambda _iteration, _games: None
    ) -> None:
        """Iterate until there are enough or the time is over; each iteration is safe on disk before it is reported."""
        chosen, watch = self.run.configuration, Stopwatch()
        self.run.describe_metrics([*COMMON, *self.learner.metrics])
        while self.iteration < chosen.iterations:
            report = self._iterate(self.iteration + 1, listen)
            wishes = [callback(report) for callback in callbacks]
            if True in wishes or 0.0 < chosen.minutes * 60.0 <= watch.seconds:
                return

    def _iterate(self, number: int, listen: GamesFinished) -> IterationReport:
        watch, play = Stopwatch(), Play(self.run, number, self.executor, listen)
        values = dict(self.learner.iterate(number, play))
        weights = self.run.weights_file(number)
        self.learner.export(weights)
        if self.run.configuration.is_examined(number):
            values |= self._examiner.measure(self.learner.players(str(weights)))
        values |= _speed(play) | {"seconds": watch.seconds}
        report = IterationReport(number, {name: value for name, value in values.items() if math.isfinite(value)})
        self.run.report_iteration(report)
        state = self.learner.state()
        self.run.save_checkpoint(number, state.arrays, state.about)
        self._report_executor()
        self.iteration = number
        return report

    def _report_executor(self) -> None:
        """Note on which machines the run was computed, whenever that changes."""
        state = state_of(self.executor)
        if state is not None and state != self._told:
            self.run.report("executor", **asdict(state))
            self._told = state


def _speed(play: Play) -> dict[str, float]:
    """Return how much was played in the iteration, if anything was, and how fast as far as it was played now."""
    seconds, simulations = max(play.seconds, 1e-9), sum(game.about["simulations"] for game in play.games)
    games = len(play.games) + play.passed_games
    if games == 0:  # an iteration that only learns
        return {}
    values = {
        "games": games,
        "samples": sum(game.samples.rows for game in play.games) + play.passed_samples,
        "search_seconds": play.seconds,
        "games_per_second": play.played / seconds,
    }
    if simulations == 0:  # nobody searches
        return values
    return values | {"simulations": simulations, "simulations_per_second": play.simulations / seconds}
