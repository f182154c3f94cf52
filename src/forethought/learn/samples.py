"""Training examples: what a player knew, what it might do, what the expert found it should do, and what was won."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float32s, Int32s
from forethought.game import Game

Example = tuple[Sequence[int], Sequence[int], Sequence[float]]  # facts, legal actions, their probabilities


class Samples(NamedTuple):
    """One row each, padded with zeros to the longest there can be; a few hundred bytes a row."""

    facts: Int32s  # [rows, facts of one observation at most]
    known: Int32s  # [rows] how many of them
    actions: Int32s  # [rows, choices]
    counts: Int32s  # [rows] how many of them
    targets: Float32s  # [rows, choices] a probability for each of those actions
    values: Float32s  # [rows, values] what was won in the end, in the columns of `nets/values.py`; none if nobody asks
    currents: Float32s  # [rows, choices] probabilities of the search's last policy; no columns if nobody asks

    @property
    def rows(self) -> int:
        return len(self.known)

    def row(self, place: int) -> "tuple[tuple[int, ...], tuple[int, ...], tuple[float, ...]]":
        """Return the facts, actions and probabilities of one row, without padding."""
        known, count = int(self.known[place]), int(self.counts[place])
        return (
            tuple(self.facts[place, :known].tolist()),
            tuple(self.actions[place, :count].tolist()),
            tuple(self.targets[place, :count].tolist()),
        )

    def chosen(self, places: Any) -> "Samples":
        """Return some of the rows: a slice, a mask, or a list of places."""
        return Samples(*(array[places] for array in self))


def no_samples(width: int, choices: int, rows: int = 0, values: int = 0, currents: bool = False) -> Samples:
    """Return rows of zeros, for observations of up to so many facts and actions, so many values, current policies."""
    return Samples(
        np.zeros((rows, width), np.int32),
        np.zeros(rows, np.int32),
        np.zeros((rows, choices), np.int32),
        np.zeros(rows, np.int32),
        np.zeros((rows, choices), np.float32),
        np.zeros((rows, values), np.float32),
        np.zeros((rows, choices if currents else 0), np.float32),
    )


def samples_of(
    game: Game,
    examples: Sequence[Example],
    values: Float32s | None = None,
    currents: Sequence[Sequence[float]] | None = None,
) -> Samples:
    """Make rows of examples and, if given, of their values and of the current policies there.

    They are as wide as the longest list of facts among them.
    """
    width = max((len(facts) for facts, _, _ in examples), default=0)
    columns = 0 if values is None else values.shape[1]
    rows = no_samples(width, game.actions, len(examples), columns, currents is not None)
    for place, policy in enumerate(currents or ()):
        rows.currents[place, : len(policy)] = policy
    if values is not None:
        rows.values[:] = values
    for place, (facts, actions, probabilities) in enumerate(examples):
        rows.facts[place, : len(facts)], rows.known[place] = facts, len(facts)
        rows.actions[place, : len(actions)], rows.counts[place] = actions, len(actions)
        rows.targets[place, : len(actions)] = probabilities
    return rows


def joined(parts: Sequence[Samples]) -> Samples:
    """Return the rows of all parts, one after another."""
    width = max(part.facts.shape[1] for part in parts)
    return Samples(*(np.concatenate(arrays) for arrays in zip(*(widened(part, width) for part in parts), strict=True)))


def widened(samples: Samples, width: int) -> Samples:
    """Return the same rows with room for observations of at least so many facts."""
    missing = width - samples.facts.shape[1]
    return samples._replace(facts=np.pad(samples.facts, ((0, 0), (0, missing)))) if missing > 0 else samples
