"""What all trainings have in common: iteration after iteration, each safe on disk before it is told."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

import numpy as np

from forethought.game import Game
from forethought.learn.events import IterationReport
from forethought.learn.run import Run

WEIGHTS, GAMES, MEMORY, LESSONS, EXAMS, GATES, GROWTH = range(7)  # what a generator is for

Listener = Callable[[int, int], None]  # iteration, games finished in it


class Loop(ABC):
    """A run in progress."""

    def __init__(self, run: Run, game: Game) -> None:
        self.run, self.game, self.configuration = run, game, run.configuration
        self.iteration = 0  # the last that is complete

    def iterations(self, listen: Listener) -> Iterator[IterationReport]:
        """Iterate until there are enough or the time is over; each iteration is safe on disk before it is reported."""
        chosen, began = self.configuration, time.monotonic()
        while self.iteration < chosen.iterations:
            yield self._iterate(self.iteration + 1, listen)
            if 0.0 < chosen.minutes * 60.0 <= time.monotonic() - began:
                return

    @abstractmethod
    def _iterate(self, iteration: int, listen: Listener) -> IterationReport:
        """Play, learn, measure, and keep it all."""

    def _exam_due(self, iteration: int) -> bool:
        chosen = self.configuration
        return iteration % chosen.evaluation.every == 0 or iteration in (1, chosen.iterations)

    def _rng(self, purpose: int, iteration: int = 0) -> np.random.Generator:
        return np.random.default_rng((self.configuration.seed, purpose, iteration))
