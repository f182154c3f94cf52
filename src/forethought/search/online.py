"""What all searches share: a tree in memory, and simulations, a given number of them or for a given time.

Inside kernels a simulation is a *walk*: it descends from the root through the tree, may wait there for an evaluator's
answer, and updates the tree on its way back up.
"""

import math
import time
from abc import ABC, abstractmethod

import numpy as np

from forethought.arrays import Float64s
from forethought.game import Game, Observation
from forethought.search.infosets import find_row, key_of
from forethought.search.oos.kernels import make_turns
from forethought.search.regret import Regrets, enlarged
from forethought.status import BROKEN, NO_ROOM, broken_law

PORTION = 20_000  # simulations between two checks of the clock or for an interrupt


class OnlineSearch(ABC):
    """One search, kept during a whole game: every simulation improves the estimates of all positions that it visits."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    @abstractmethod
    def simulated(self) -> int:
        """Number of simulations so far, over all targets."""

    @property
    @abstractmethod
    def infosets(self) -> int:
        """Number of information sets in memory; where nothing is hidden, every position is one."""

    def simulate(self, count: int) -> None:
        """Run `count` more simulations. With uniform roll-outs it does not matter how they are divided into calls."""
        end = self.simulated + count
        while True:
            self.simulate_until(min(end, self.simulated + PORTION))
            if self.simulated == end:
                return

    def simulate_for(self, seconds: float, most: float = math.inf) -> None:
        """Run simulations for `seconds`, at least one and at most `most`."""
        end, last, portion = time.perf_counter() + seconds, self.simulated + most, 1
        while self.simulated < last:
            self.simulate(int(min(portion, last - self.simulated)))
            if time.perf_counter() >= end:
                return
            portion = min(2 * portion, PORTION)

    @abstractmethod
    def simulate_until(self, end: int) -> None:
        """Simulate until there have been `end` simulations in all."""

    def principal_line(self) -> list[int]:
        """Return the actions that the search expects from here on; nothing if it does not say."""
        return []

    @abstractmethod
    def aim_at(self, observation: Observation | None) -> None:
        """Search the decision of the player who observes this; without an observation, the start of the game."""

    @abstractmethod
    def policy(self, observation: Observation) -> Float64s:
        """Return the policy found for an observation; uniform if no simulation has visited it."""

    @abstractmethod
    def about_actions(self, observation: Observation) -> dict[str, Float64s]:
        """Return what else the search has found about the legal actions, by names for people."""


class InfosetSearch(OnlineSearch):
    """A search that remembers by information set."""

    def __init__(self, game: Game, table: Regrets, slots: int) -> None:
        super().__init__(game)
        self.table, self._turns = table, make_turns(slots)

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
        """Advance the walks; return DONE, the number of walks that wait for an answer, NO_ROOM or BROKEN."""

    def _answer(self) -> None:
        """Answer the waiting walks."""

    def _first(self, observation: Observation) -> int:
        """Return the offset of an observation's entries, or NO_ROW."""
        return find_row(self.table.infosets, key_of_facts(observation.facts))


def key_of_facts(facts: tuple[int, ...]) -> np.uint64:
    return np.uint64(key_of(np.array(facts, np.int64), len(facts)))
