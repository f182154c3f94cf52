"""Regrets and average strategies, one row for each information set in memory; shared by all regret minimisers.

Rows are added when walks first visit an information set. Kernels never allocate: they check whether there is room, and
return if there is none; Python then enlarges the arrays and calls again. Results do not depend on when that happens.

A row takes 16 bytes per action, and 16 bytes per place of the index, of which 3/8 to 3/4 are used.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s, Int32s, Int64s
from forethought.compiler import inlined_kernel
from forethought.game import Table
from forethought.search.infosets import NO_ROW, Index, add_key, grown, make_index, room


class Labels(NamedTuple):
    """Facts and actions of the rows, in the order in which they were added; kept only if all rows are read later."""

    kept: bool
    fact_offsets: Int64s  # [rows + 1]
    facts: Int32s
    action_offsets: Int64s  # [rows + 1] also half of the offset of the row's entries
    actions: Int32s


class Regrets(NamedTuple):
    """The index maps the key of an information set to its entries: a regret for each action, then an average each."""

    infosets: Index
    entries: Float64s
    baselines: (
        Float64s  # in the places of regrets, estimated returns to the owner; of averages, visits; empty if unused
    )
    used: Int64s  # [1] number of entries
    labels: Labels
    max_rows: int


def make_regrets(max_rows: int, labelled: bool = False, rows: int = 1024, baselines: bool = False) -> Regrets:
    """Return an empty table with room for `rows` rows."""
    index = make_index(rows)
    label_rows = room(index) if labelled else 0
    labels = Labels(
        labelled,
        np.zeros(label_rows + 1, np.int64),
        np.zeros(4 * label_rows, np.int32),
        np.zeros(label_rows + 1, np.int64),
        np.zeros(4 * label_rows, np.int32),
    )
    entries = np.zeros(8 * rows)
    return Regrets(index, entries, np.zeros(8 * rows * baselines), np.zeros(1, np.int64), labels, max_rows)


@inlined_kernel
def has_room(game: Table, table: Regrets, rows: int) -> bool:
    """Whether `rows` more rows fit, with any facts and actions; or no more may be added."""
    used, labels = table.infosets.used[0], table.labels
    if used >= table.max_rows:
        return True
    spare = min(room(table.infosets) - used, (len(table.entries) - table.used[0]) // (2 * game.choices))
    if labels.kept:
        spare_facts = (len(labels.facts) - labels.fact_offsets[used]) // game.fact_count
        spare_actions = (len(labels.actions) - labels.action_offsets[used]) // game.choices
        spare = min(spare, spare_facts, spare_actions)
    return spare >= rows  # type: ignore[no-any-return]


def enlarged(game: Table, table: Regrets, rows: int) -> Regrets:
    """Return a table with the same rows and room for `rows` more; arrays that are too small are doubled."""
    used, labels, index = int(table.infosets.used[0]), table.labels, table.infosets
    while room(index) < used + rows:
        index = grown(index)
    entry_room = int(table.used[0]) + 2 * rows * game.choices
    if labels.kept:
        fact_room = int(labels.fact_offsets[used]) + rows * game.fact_count
        labels = Labels(
            True,
            _extended(labels.fact_offsets, room(index) + 1),
            _extended(labels.facts, fact_room),
            _extended(labels.action_offsets, room(index) + 1),
            _extended(labels.actions, entry_room // 2),
        )
    entries = _extended(table.entries, entry_room)
    baselines = _extended(table.baselines, len(entries)) if len(table.baselines) else table.baselines
    return table._replace(infosets=index, entries=entries, baselines=baselines, labels=labels)


def _extended(array: npt.NDArray[Any], needed: int) -> npt.NDArray[Any]:
    if len(array) >= needed:
        return array
    longer = np.zeros(max(2 * len(array), needed), array.dtype)
    longer[: len(array)] = array
    return longer


@inlined_kernel
def add_entry(table: Regrets, key: Any, facts: Int64s, known: int, actions: Int64s, count: int) -> int:
    """Add an information set; return the offset of its entries, or NO_ROW if no more may be added.

    The caller guarantees capacity.
    """
    row = table.infosets.used[0]
    if row >= table.max_rows:
        return NO_ROW
    first = table.used[0]
    add_key(table.infosets, key, first)
    table.used[0] += 2 * count
    if table.labels.kept:
        write_label(table.labels, row, facts, known, actions, count)
    return first  # type: ignore[no-any-return]


@inlined_kernel
def write_label(labels: Labels, row: int, facts: Int64s, known: int, actions: Int64s, count: int) -> None:
    first_fact, first_action = labels.fact_offsets[row], labels.action_offsets[row]
    for i in range(known):
        labels.facts[first_fact + i] = facts[i]
    for i in range(count):
        labels.actions[first_action + i] = actions[i]
    labels.fact_offsets[row + 1] = first_fact + known
    labels.action_offsets[row + 1] = first_action + count


@inlined_kernel
def match_regrets(table: Regrets, first: int, count: int, strategy: Float64s) -> None:
    """Write the current strategy by regret matching; uniform if no regret is positive, or there is no row."""
    total = 0.0
    if first != NO_ROW:
        for i in range(count):
            strategy[i] = max(table.entries[first + i], 0.0)
            total += strategy[i]
    if total > 0.0:
        for i in range(count):
            strategy[i] /= total
    else:
        for i in range(count):
            strategy[i] = 1.0 / count


def matched(regrets: Float64s) -> Float64s:
    """Return the policy by regret matching: what `match_regrets` writes."""
    positive = np.maximum(regrets, 0.0)
    total = positive.sum()
    return positive / total if total > 0.0 else np.full(len(regrets), 1.0 / len(regrets))


@inlined_kernel
def mix_uniform(strategy: Float64s, count: int, share: float, mixed: Float64s) -> None:
    """Write the strategy with a share of uniform play."""
    for i in range(count):
        mixed[i] = share / count + (1.0 - share) * strategy[i]


@inlined_kernel
def add_to_average(table: Regrets, first: int, count: int, strategy: Float64s, weight: float) -> None:
    if first != NO_ROW:
        for i in range(count):
            table.entries[first + count + i] += weight * strategy[i]


def averages_of(table: Regrets, first: int, count: int) -> Float64s:
    """Return the sums of a row's strategies."""
    return table.entries[first + count : first + 2 * count]
