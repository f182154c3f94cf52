"""Perceptrons that learn together from remembered positions, in batches of one size."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch

from forethought.arrays import Array, Bytes, Int32s
from forethought.game import Game
from forethought.learn.one_hot import write_inputs
from forethought.learn.perceptron import Perceptron
from forethought.learn.state_parts import restore_parts, state_of_parts


class Seen(NamedTuple):
    """Positions, and who looks at them."""

    states: Bytes
    players: Int32s


class Perceptrons(ABC):
    """Networks of one game."""

    def __init__(self, game: Game, batch: int) -> None:
        """Begin with room for batches of so many rows."""
        torch.set_num_threads(1)
        self._game, self._batch = game, batch
        # for kernels: facts or legal actions of a position, a number for each choice, and one for each row
        self._spare = np.zeros(game.facts + game.table.choices, np.int64)
        self._floats, self._targets = np.zeros(game.table.choices), np.zeros(batch, np.float32)

    @abstractmethod
    def _parts(self) -> Mapping[str, Perceptron]:
        """Return the networks by name."""

    def _answer(self, network: Perceptron, seen: Seen) -> None:
        """Compute a network's outputs for a batch of positions."""
        write_inputs(self._game.table, seen, np.arange(self._batch), network.inputs, self._spare)
        network.forward(self._batch)

    def state(self) -> dict[str, Array]:
        """Return all that further learning depends on, copied."""
        return state_of_parts(self._parts())

    def restore(self, state: dict[str, Array]) -> None:
        """Become what gave this state."""
        restore_parts(self._parts(), state)
