"""What the apprentice learns from: a bounded memory of examples in which old ones fade.

The paper's exponentially weighted reservoir, as we read it. Until the memory is full, every new row is appended. From
then on a new row is let in with the fixed probability

    p = k (1 - exp(-1 / (beta k))), about 1 / beta,        k = capacity

and replaces a row drawn uniformly. So a given row is replaced by a given newcomer with probability
p / k = 1 - exp(-1 / (beta k)), and survives n newcomers with probability (1 - p / k)^n = exp(-n / (beta k)). A newcomer
let in lives through beta k more on average: with beta = 2 the memory reaches twice as far back as a queue of its size,
and half of what is new never enters it.
"""

import math

import numpy as np

from forethought.errors import ForethoughtError
from forethought.learn.samples import Samples, no_samples, widened


class Memory:
    """An exponentially weighted reservoir of rows; the same rows and random numbers make the same memory."""

    def __init__(
        self, capacity_rows: int, beta: float, width: int, choices: int, values: int = 0, currents: bool = False
    ) -> None:
        if capacity_rows < 1 or not 1.0 <= beta < math.inf:
            raise ForethoughtError(
                f"A memory of {capacity_rows} rows with decay {beta} cannot be: memory.capacity and memory.beta must "
                "both be at least 1."
            )
        self.capacity = capacity_rows
        self.rows = 0
        self._samples = no_samples(
            width, choices, capacity_rows, values, currents
        )  # costs nothing until it is written to
        # A newcomer is thrown at k / p places, of which the first k exist: both draws of the law in one.
        self._places = -1.0 / np.expm1(-1.0 / (beta * capacity_rows))

    def add(self, samples: Samples, rng: np.random.Generator) -> None:
        """Offer rows to the memory, one after another; how they are divided into calls makes no difference."""
        self._make_room_for(samples.facts.shape[1])
        samples = widened(samples, self._samples.facts.shape[1])
        appended = min(samples.rows, self.capacity - self.rows)
        self._write(np.arange(self.rows, self.rows + appended), samples.chosen(slice(appended)))
        self.rows += appended
        late = samples.chosen(slice(appended, None))
        slots = (rng.random(late.rows) * self._places).astype(np.int64)
        entering = np.flatnonzero(slots < self.capacity)[::-1]
        slots, last = np.unique(slots[entering], return_index=True)  # of several rows for one slot, the last stays
        self._write(slots, late.chosen(entering[last]))

    def batch(self, size: int, rng: np.random.Generator) -> Samples:
        """Return rows drawn uniformly, with replacement."""
        self._check_not_empty()
        return self._samples.chosen(rng.integers(self.rows, size=size))

    def linear_batch(self, size: int, rng: np.random.Generator) -> Samples:
        """Return rows drawn with replacement, each in proportion to its place: until the memory is full, to its age.

        So iteration k counts k times, as in linear averaging of regret minimisers (Brown and Sandholm, 2019).
        """
        self._check_not_empty()
        return self._samples.chosen((self.rows * np.sqrt(rng.random(size))).astype(np.int64))

    def _check_not_empty(self) -> None:
        if self.rows == 0:
            raise ForethoughtError("There is nothing to learn from: play games with at least one decision first.")

    def _make_room_for(self, width: int) -> None:
        """Let rows have so many facts. Only rows in use are copied: the others still cost nothing."""
        facts = self._samples.facts
        if width > facts.shape[1]:
            wider = np.zeros((self.capacity, width), np.int32)
            wider[: self.rows, : facts.shape[1]] = facts[: self.rows]
            self._samples = self._samples._replace(facts=wider)

    def _write(self, slots: np.ndarray[tuple[int, ...], np.dtype[np.int64]], samples: Samples) -> None:
        for kept, new in zip(self._samples, samples, strict=True):
            kept[slots] = new
