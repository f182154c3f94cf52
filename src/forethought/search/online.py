"""What searches that walk have in common: a tree in memory, and walking so often, or for so long."""

import time
from abc import ABC, abstractmethod

import numpy as np

from forethought.arrays import Float64s
from forethought.game import Game, Observation
from forethought.search.infosets import find_row, key_of
from forethought.search.oos.kernels import BROKE, NO_ROOM, make_turns
from forethought.search.regret import enlarged, make_regrets

BROKEN_LAW = "a game did not end within the declared {} plies, or had no legal action"
PORTION = 20_000  # walks between two looks at the clock, or at the keyboard


class OnlineSearch(ABC):
    """One search, kept during a whole game: every walk serves all positions it comes through."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    @abstractmethod
    def walked(self) -> int:
        """How many walks have been made, over all targets."""

    @property
    @abstractmethod
    def infosets(self) -> int:
        """How many information sets are in memory; where nothing is hidden, every position is one."""

    def walks(self, count: int) -> None:
        """Walk so many more times. With uniform roll-outs it does not matter in which portions walks are asked for."""
        end = self.walked + count
        while True:
            self._walk_until(min(end, self.walked + PORTION))
            if self.walked == end:
                return

    def walks_for(self, seconds: float) -> None:
        """Walk for so long, and at least a little."""
        end, portion = time.perf_counter() + seconds, 64
        self.walks(portion)
        while time.perf_counter() < end:
            portion = min(2 * portion, PORTION)
            self.walks(portion)

    @abstractmethod
    def _walk_until(self, end: int) -> None:
        """Walk until so many walks have been made in all."""

    @abstractmethod
    def aim_at(self, observation: Observation | None) -> None:
        """Search for what a player should do who is to move and observes this; without it, from the start."""

    @abstractmethod
    def policy(self, observation: Observation) -> Float64s:
        """Return what a player should do there; uniform where no walk has been."""

    @abstractmethod
    def about_actions(self, observation: Observation) -> dict[str, Float64s]:
        """Return what else the search knows of the actions there, by names that people read."""


class InfosetSearch(OnlineSearch):
    """A search that remembers by information set."""

    def __init__(self, game: Game, max_infosets: int, slots: int, labelled: bool) -> None:
        super().__init__(game)
        self.table, self._turns = make_regrets(max_infosets, labelled), make_turns(slots)

    @property
    def walked(self) -> int:
        return int(self._turns.begun[0])

    @property
    def infosets(self) -> int:
        return int(self.table.infosets.used[0])

    def _walk_until(self, end: int) -> None:
        self._turns.end[0] = end
        while result := self._advance():
            if result == BROKE:
                raise self.game.mistake(BROKEN_LAW.format(self.game.plies))
            if result == NO_ROOM:
                self.table = enlarged(self.game.table, self.table, 1)
            else:
                self._answer()

    @abstractmethod
    def _advance(self) -> int:
        """Walk on; return 0 when all is done, how many walks wait for an answer, NO_ROOM or BROKE."""

    def _answer(self) -> None:
        """Answer the walks that wait."""

    def _first(self, observation: Observation) -> int:
        """Return where the entries of what a player observes begin, or NO_ROW."""
        return find_row(self.table.infosets, key_of_facts(observation.facts))


def key_of_facts(facts: tuple[int, ...]) -> np.uint64:
    return np.uint64(key_of(np.array(facts, np.int64), len(facts)))
