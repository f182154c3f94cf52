"""Memories of rows, any named tuple of arrays: the latest ones, or a uniform sample of all that there have been.

Both are part of a checkpoint, so that a run goes on with what it remembered.
"""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar, cast

import numpy as np

from forethought.arrays import Array, Int64s

Rows = TypeVar("Rows", bound="tuple[Array, ...]")  # a named tuple: arrays with a row each


class RowMemory(ABC, Generic[Rows]):
    """Room for so many rows, which costs nothing until it is written to."""

    def __init__(self, capacity: int, like: Rows) -> None:
        """Begin empty; rows will be like these."""
        self.capacity, self.offered = capacity, 0
        kind: Any = type(like)
        self._kept: Any = kind._make(np.zeros((capacity, *array.shape[1:]), array.dtype) for array in like)

    @property
    def rows(self) -> int:
        """How many rows are remembered."""
        return min(self.offered, self.capacity)

    def add(self, rows: Rows, rng: np.random.Generator) -> None:
        """Offer rows, one after another; of several that get one place, the last stays."""
        places = self._places(len(rows[0]), rng)
        entering = np.flatnonzero(places < self.capacity)[::-1]
        taken, last = np.unique(places[entering], return_index=True)
        for kept, new in zip(self._kept, rows, strict=True):
            kept[taken] = new[entering[last]]
        self.offered += len(rows[0])

    @abstractmethod
    def _places(self, count: int, rng: np.random.Generator) -> Int64s:
        """Return the places of so many new rows; the capacity and above: none."""

    def batch(self, size: int, rng: np.random.Generator) -> Rows:
        """Return rows drawn uniformly, with replacement."""
        return self._at(rng.integers(self.rows, size=size))

    def _at(self, places: Int64s) -> Rows:
        return cast("Rows", self._kept._make(array[places] for array in self._kept))

    def state(self) -> dict[str, Array]:
        """Return all that is remembered, copied."""
        kept = {name: array[: self.rows].copy() for name, array in self._kept._asdict().items()}
        return kept | {"offered": np.array([self.offered])}

    def restore(self, state: dict[str, Array]) -> None:
        """Become what gave this state."""
        self.offered = int(state["offered"][0])
        for name, array in self._kept._asdict().items():
            array[: self.rows] = state[name]


class CircularMemory(RowMemory[Rows]):
    """The latest rows: a new one takes the place of the oldest."""

    def _places(self, count: int, rng: np.random.Generator) -> Int64s:  # noqa: ARG002
        return np.arange(self.offered, self.offered + count) % self.capacity

    def latest(self, count: int, size: int, rng: np.random.Generator) -> Rows:
        """Return rows drawn uniformly, with replacement, of the latest so many."""
        count = min(count, self.rows)
        return self._at((self.offered - count + rng.integers(count, size=size)) % self.capacity)


class ReservoirMemory(RowMemory[Rows]):
    """A uniform sample of all rows there have been (Vitter's algorithm R, 1985)."""

    def _places(self, count: int, rng: np.random.Generator) -> Int64s:
        numbers = np.arange(self.offered, self.offered + count)
        drawn = (rng.random(count) * (numbers + 1)).astype(np.int64)
        return np.where(numbers < self.capacity, numbers, drawn)
