"""Turning and reflecting examples at random: on a symmetric board each one teaches several."""

import numpy as np

from forethought.board import Board
from forethought.game import Game
from forethought.learn.memory import Memory
from forethought.learn.samples import Samples


class TurnedMemory:
    """A memory whose rows are turned as they are drawn."""

    def __init__(self, memory: Memory, game: Game, board: Board) -> None:
        self._memory = memory
        self._facts, self._actions = maps_of(game, board)

    def batch(self, size: int, rng: np.random.Generator) -> Samples:
        """Return rows drawn uniformly, with replacement, each under a symmetry drawn uniformly."""
        return turned(
            self._memory.batch(size, rng), rng.integers(len(self._facts), size=size), self._facts, self._actions
        )


def maps_of(game: Game, board: Board) -> tuple[np.ndarray, np.ndarray]:
    """Return what becomes of each fact, and of each action, under each symmetry."""
    facts = [[board.mapped_facts(symmetry, [fact])[0] for fact in range(game.facts)] for symmetry in board.symmetries]
    return np.array(facts, np.int32), np.array([symmetry.actions for symmetry in board.symmetries], np.int32)


def turned(samples: Samples, which: np.ndarray, facts: np.ndarray, actions: np.ndarray) -> Samples:
    """Return the rows, each under its symmetry. The order within a row does not matter; padding stays padding."""
    return samples._replace(
        facts=facts[which[:, None], samples.facts], actions=actions[which[:, None], samples.actions]
    )
