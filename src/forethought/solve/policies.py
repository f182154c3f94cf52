"""Tabular policies: probabilities for each information set, in memory, for kernels, and on disk.

On disk a policy is one file of arrays (`tensors.py`).
"""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s, Int64s
from forethought.compiler import kernel
from forethought.game import Game
from forethought.nets.evaluator import answer
from forethought.nets.questions import Questions
from forethought.search.infosets import NO_ROW, Index, find_row, index_facts, key_of, make_index
from forethought.tensors import Format, read_tensors, write_tensors

FORMAT = Format("forethought policy 2", "policy", "`forethought solve GAME --save FILE` makes one")


class PolicyTable(NamedTuple):
    """A policy for kernels: find a row by its facts' key; an information set without a row is played uniformly."""

    index: Index  # type: ignore[assignment]  # hides a method of tuples that is not used here
    offsets: Int64s  # [rows + 1] of the rows' actions and probabilities
    actions: Int64s  # [sum of actions]
    probabilities: Float64s  # [sum of actions]

    def scratch(self, rows: int) -> None:
        """Return nothing: looking up needs no memory."""


@answer.register(PolicyTable)
@kernel
def answer_by_table(table: PolicyTable, questions: Questions, rows: int, _scratch: None) -> None:
    """Look up the first `rows` questions; a row of other actions than are legal counts for nothing."""
    for row in range(rows):
        count, policy = questions.counts[row], questions.policies[row]
        found = find_row(table.index, key_of(questions.facts[row], questions.known[row]))
        first = table.offsets[found] if found != NO_ROW else 0
        fits = found != NO_ROW and table.offsets[found + 1] - first == count
        for k in range(count):
            fits = fits and table.actions[first + k] == questions.actions[row, k]
        for k in range(count):
            policy[k] = table.probabilities[first + k] if fits else 1.0 / count


@dataclass(frozen=True, eq=False)
class TabularPolicy:
    """Rows of facts, legal actions and probabilities; of row r, those from offset r to offset r+1."""

    facts: Int64s
    fact_offsets: Int64s  # [rows + 1]
    actions: Int64s
    probabilities: Float64s
    action_offsets: Int64s  # [rows + 1]
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return len(self.fact_offsets) - 1

    def row_facts(self, row: int) -> tuple[int, ...]:
        return tuple(self.facts[self.fact_offsets[row] : self.fact_offsets[row + 1]].tolist())

    @cached_property
    def by_facts(self) -> dict[tuple[int, ...], tuple[tuple[int, ...], tuple[float, ...]]]:
        """(actions, probabilities) of each information set."""
        found = {}
        for row in range(self.rows):
            span = slice(self.action_offsets[row], self.action_offsets[row + 1])
            found[self.row_facts(row)] = (tuple(self.actions[span].tolist()), tuple(self.probabilities[span].tolist()))
        return found

    @cached_property
    def table(self) -> PolicyTable:
        index = make_index(max(1, self.rows))
        index_facts(self.facts, self.fact_offsets, index)
        return PolicyTable(index, self.action_offsets, self.actions, self.probabilities)

    def save(self, path: Path) -> None:
        """Write the policy as a file."""
        write_tensors(path, FORMAT, {name: getattr(self, name) for name in _ARRAYS}, self.about)


_ARRAYS = {
    "facts": np.int64,
    "fact_offsets": np.int64,
    "actions": np.int64,
    "probabilities": np.float64,
    "action_offsets": np.int64,
}


def normalised(first: Int64s, weights: Float64s, fallback: Float64s) -> Float64s:
    """Scale each row of weights, which begin at `first`, to sum to one; rows of zeros become the fallback's."""
    if len(first) == 0:
        return fallback
    totals = np.repeat(np.add.reduceat(weights, first), np.diff(np.append(first, len(weights))))
    scaled = fallback.copy()
    np.divide(weights, totals, out=scaled, where=totals > 0.0)
    return scaled


def uniform_table() -> PolicyTable:
    """Return the uniform policy, which has no rows."""
    return PolicyTable(make_index(1), np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))


def is_uniform(policy: Any) -> bool:
    """Whether a policy is known to be uniform without asking it."""
    return isinstance(policy, PolicyTable) and len(policy.offsets) == 1


def load_policy(path: Path, game: Game) -> TabularPolicy:
    """Read a policy of this game; a damaged or foreign file is refused."""
    file = read_tensors(path, FORMAT)
    file.check_about(game.spec or game.name, game=game.name, facts=game.facts)
    if not _is_sound(file.arrays):
        raise file.damaged()
    return TabularPolicy(**file.arrays, about=file.about)


def _is_sound(arrays: dict[str, npt.NDArray[Any]]) -> bool:
    """Whether the arrays are consistent and every row is a distribution."""
    if set(arrays) != set(_ARRAYS) or any(arrays[name].dtype != kind for name, kind in _ARRAYS.items()):
        return False
    if any(array.ndim != 1 for array in arrays.values()):
        return False
    for offsets, ends in (("fact_offsets", ("facts",)), ("action_offsets", ("actions", "probabilities"))):
        steps = np.diff(arrays[offsets])
        if len(steps) == 0 or arrays[offsets][0] != 0 or np.any(steps < 0):
            return False
        if any(arrays[offsets][-1] != len(arrays[end]) for end in ends):
            return False
    if len(arrays["fact_offsets"]) != len(arrays["action_offsets"]) or np.any(np.diff(arrays["action_offsets"]) == 0):
        return False
    probabilities = arrays["probabilities"]
    if not np.all(np.isfinite(probabilities)) or np.any(probabilities < 0):
        return False
    return bool(np.allclose(np.add.reduceat(probabilities, arrays["action_offsets"][:-1]), 1.0, atol=1e-6))
