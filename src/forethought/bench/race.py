"""One learner, in a process of its own, until its NashConv is low enough or its seconds are used up.

`main` takes LEARNER GAME PEER_GAME NASHCONV SECONDS DIRECTORY from the command line. It prints a line after each exam:
the seconds of learning so far, and NashConv. Neither exams nor compilation count.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, NamedTuple

from forethought.api.solving import exploitability
from forethought.api.training import TrainingStart, train
from forethought.compiler.announce import Stopwatch
from forethought.learn.metrics import IterationReport

if TYPE_CHECKING:
    from forethought.bench.openspiel_learners import OpenSpielLearner

OURS = "forethought"
SEED = 1
RARELY = 10**9
STEP = 1.05  # how much longer than at the last exam learning has taken at the next one

Tell = Callable[[float, float], None]


class Goal(NamedTuple):
    """What to reach, and in how many seconds."""

    game: str
    peer_game: str
    nashconv: float
    seconds: float


class Clock:
    """Counts the seconds of learning; when they are used up the process ends, in whatever it is doing.

    Exams are 5 % of the time apart, and no closer than an exam takes.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds, self._due, self.spent = seconds, 0.0, 0.0

    def start(self) -> None:
        self._alarm = Timer(max(0.0, self._seconds - self.spent), os._exit, (0,))
        self._alarm.daemon = True
        self._alarm.start()
        self._watch = Stopwatch()

    def stop(self) -> float:
        """Return the seconds since the start, and add them to what is spent."""
        self._alarm.cancel()
        elapsed = self._watch.seconds
        self.spent += elapsed
        return elapsed

    @property
    def exam_is_due(self) -> bool:
        return self.spent >= self._due

    def examined(self, seconds: float) -> None:
        """Note that an exam has taken so long."""
        self._due = max(STEP * self.spent, self.spent + seconds)


def ours(goal: Goal, directory: Path, tell: Tell) -> None:
    """Train as `forethought train GAME` does. Of the run's own exams two remain; they are short, and count."""
    clock, started = Clock(goal.seconds), list[TrainingStart]()

    def begin(start: TrainingStart) -> None:
        started.append(start)
        clock.start()

    def examine(report: IterationReport) -> bool:
        clock.stop()
        start, nashconv = started[0], float("inf")
        if clock.exam_is_due:
            exam, weights = Stopwatch(), start.run.weights_file(report.iteration)
            nashconv = exploitability(start.game, start.learner.players(str(weights))["policy"]).nashconv
            tell(clock.spent, nashconv)
            clock.examined(exam.seconds)
        clock.start()
        return nashconv <= goal.nashconv

    short = {"evaluation.every": RARELY, "evaluation.games": 2}
    train(goal.game, run=directory / "run", seed=SEED, settings=short, started=begin, callback=examine)
    clock.stop()


def theirs(learner: "OpenSpielLearner", examine: Callable[["OpenSpielLearner"], float], goal: Goal, tell: Tell) -> None:
    """Let a learner of OpenSpiel learn. What it does once, in the end, counts as if it ended at this exam."""
    clock, nashconv = Clock(goal.seconds), float("inf")
    while nashconv > goal.nashconv:
        clock.start()
        learner.learn()
        clock.stop()
        if clock.exam_is_due:
            exam = Stopwatch()
            clock.start()
            learner.finish()
            finishing = clock.stop()
            nashconv = examine(learner)
            tell(clock.spent, nashconv)
            clock.spent -= finishing
            clock.examined(exam.seconds)


def main() -> None:
    name, game, peer_game, nashconv, seconds, directory = sys.argv[1:]
    goal = Goal(game, peer_game, float(nashconv), float(seconds))
    if name == OURS:
        ours(goal, Path(directory), say)
        return
    import torch  # noqa: PLC0415 (only in the processes of those who need it)

    from forethought.bench.openspiel_learners import LEARNERS, NashConvExam  # noqa: PLC0415 (it needs OpenSpiel)

    torch.set_num_threads(os.cpu_count() or 1)  # as many threads as our learner has
    theirs(LEARNERS[name](goal.peer_game), NashConvExam(goal.game, goal.peer_game).nashconv, goal, say)


def say(seconds: float, nashconv: float) -> None:
    sys.stdout.write(f"{seconds} {nashconv}\n")
    sys.stdout.flush()
