"""Batches of questions for tests of networks."""

from typing import NamedTuple

import numpy as np

from forethought.nets.questions import Questions

UNTOUCHED = -7.0


class Asked(NamedTuple):
    """Positions: what is known in each, and what is legal."""

    facts: np.ndarray
    known: np.ndarray
    actions: np.ndarray
    counts: np.ndarray

    def listed(self, row: int) -> tuple[list[int], list[int]]:
        return self.facts[row, : self.known[row]].tolist(), self.actions[row, : self.counts[row]].tolist()

    def part(self, rows: slice) -> "Asked":
        return Asked(*(np.ascontiguousarray(array[rows]) for array in self))

    def questions(self, columns: int) -> Questions:
        """The same for evaluators, with so many columns for values; the answers are UNTOUCHED so far."""
        rows = len(self.known)
        return Questions(
            np.zeros((rows, 0), np.uint8),
            self.facts,
            self.known,
            np.zeros(rows, np.uint64),
            self.actions,
            self.counts,
            np.full(self.actions.shape, UNTOUCHED),
            np.full((rows, columns), UNTOUCHED),
        )


def random_batch(facts: int, actions: int, rows: int, seed: int) -> Asked:
    """Positions with any number of facts, none and all included, and any number of legal actions."""
    rng = np.random.default_rng(seed)
    known, counts = rng.integers(0, facts + 1, rows), rng.integers(1, actions + 1, rows)
    known[0], counts[0] = 0, 1
    known[-1], counts[-1] = facts, actions
    batch = Asked(np.full((rows, facts), -1), known, np.full((rows, actions), -1), counts)
    for row in range(rows):
        batch.facts[row, : known[row]] = rng.permutation(facts)[: known[row]]
        batch.actions[row, : counts[row]] = np.sort(rng.permutation(actions)[: counts[row]])
    return batch
