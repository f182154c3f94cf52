"""What all searches have in common: a tree in memory, and simulations, a number of them or for some time.

Inside kernels a simulation is a *walk*: it goes from the root into the tree, may stop to ask an evaluator, and goes
back up with what it found.
"""

import math
import time
from abc import ABC, abstractmethod

import numpy as np

from forethought.arrays import Float64s
from forethought.game import Game, Observation
from forethought.search.infosets import find_row, key_of
from forethought.search.oos.kernels import make_turns
from forethought.search.regret import enlarged, make_regrets
from forethought.status import BROKEN, NO_ROOM, broken_law

PORTION = 20_000  # simulations between two looks at the clock, or at the keyboard


class OnlineSearch(ABC):
    """One search, kept during a whole game: every simulation serves all positions it comes through."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    @abstractmethod
    def simulated(self) -> int:
        """How many simulations have been run, over all targets."""

    @property
    @abstractmethod
    def infosets(self) -> int:
        """How many information sets are in memory; where nothing is hidden, every position is one."""

    def simulate(self, count: int) -> None:
        """Run so many more simulations. With uniform roll-outs it does not matter how they are divided into calls."""
        end = self.simulated + count
        while True:
            self.simulate_until(min(end, self.simulated + PORTION))
            if self.simulated == end:
                return

    def simulate_for(self, seconds: float, most: float = math.inf) -> None:
        """Run simulations for some time, at least one and at most so many."""
        end, last, portion = time.perf_counter() + seconds, self.simulated + most, 1
        while self.simulated < last:
            self.simulate(int(min(portion, last - self.simulated)))
            if time.perf_counter() >= end:
                return
            portion = min(2 * portion, PORTION)

    @abstractmethod
    def simulate_until(self, end: int) -> None:
        """Simulate until there have been so many simulations in all."""

    @abstractmethod
    def aim_at(self, observation: Observation | None) -> None:
        """Search for what a player should do who is to move and observes this; without it, from the start."""

    @abstractmethod
    def policy(self, observation: Observation) -> Float64s:
        """Return what a player should do there; uniform where no simulation has been."""

    @abstractmethod
    def about_actions(self, observation: Observation) -> dict[str, Float64s]:
        """Return what else the search knows of the actions there, by names that people read."""


class InfosetSearch(OnlineSearch):
    """A search that remembers by information set."""

    def __init__(self, game: Game, max_infosets: int, slots: int, labelled: bool) -> None:
        super().__init__(game)
        self.table, self._turns = make_regrets(max_infosets, labelled), make_turns(slots)

    @property
    def simulated(self) -> int:
        return int(self._turns.begun[0])

    @property
    def infosets(self) -> int:
        return int(self.table.infosets.used[0])

    def simulate_until(self, end: int) -> None:
        self._turns.end[0] = end
        while result := self._advance():
            if result == BROKEN:
                raise broken_law(self.game)
            if result == NO_ROOM:
                self.table = enlarged(self.game.table, self.table, 1)
            else:
                self._answer()

    @abstractmethod
    def _advance(self) -> int:
        """Walk on; return DONE, how many walks wait for an answer, NO_ROOM or BROKEN."""

    def _answer(self) -> None:
        """Answer the walks that wait."""

    def _first(self, observation: Observation) -> int:
        """Return where the entries of what a player observes begin, or NO_ROW."""
        return find_row(self.table.infosets, key_of_facts(observation.facts))


def key_of_facts(facts: tuple[int, ...]) -> np.uint64:
    return np.uint64(key_of(np.array(facts, np.int64), len(facts)))
