"""Regrets and average strategies, one row for each information set met: the memory of Monte Carlo CFR.

Rows are added as walks meet them. Kernels never allocate: they ask whether there is room, and stop if there is not;
Python then makes the arrays larger and lets them go on. What the rows hold does not depend on when that happens.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.compiler import kernel
from forethought.game import Game, Table
from forethought.search.infosets import NO_ROW, Index, add_row, find_row, grown, key_of, make_index, room
from forethought.solve.policies import TabularPolicy, normalised

Ints = npt.NDArray[np.int64]
ShortInts = npt.NDArray[np.int32]  # half the memory: most of a large table is facts and actions
Reals = npt.NDArray[np.float64]


class Regrets(NamedTuple):
    """Row r has the facts, and the actions with their regrets and averages, from its offset to the next row's."""

    infosets: Index
    fact_offsets: Ints  # [room + 1]
    facts: ShortInts
    action_offsets: Ints  # [room + 1]
    actions: ShortInts
    regrets: Reals
    averages: Reals
    max_rows: int


def make_regrets(max_rows: int, rows: int = 1024) -> Regrets:
    """Return an empty table, at first with room for so many rows."""
    index = make_index(rows)
    offsets, entries = room(index) + 1, 4 * rows
    return Regrets(
        index,
        np.zeros(offsets, np.int64),
        np.zeros(entries, np.int32),
        np.zeros(offsets, np.int64),
        np.zeros(entries, np.int32),
        np.zeros(entries),
        np.zeros(entries),
        max_rows,
    )


@kernel
def has_room(game: Table, table: Regrets, rows: int) -> bool:
    """Whether so many more rows fit, whatever their facts and actions."""
    used = table.infosets.used[0]
    spare_rows = len(table.fact_offsets) - 1 - used
    spare_facts = len(table.facts) - table.fact_offsets[used]
    spare_actions = len(table.actions) - table.action_offsets[used]
    return min(spare_rows, spare_facts // game.fact_count, spare_actions // game.choices) >= rows  # type: ignore[no-any-return]


def enlarged(game: Table, table: Regrets, rows: int) -> Regrets:
    """Return a table with the same rows and room for so many more, by doubling whatever is too small."""
    used = int(table.infosets.used[0])
    index = table.infosets
    while room(index) < used + rows:
        index = grown(index)
    fact_room = int(table.fact_offsets[used]) + rows * game.fact_count
    action_room = int(table.action_offsets[used]) + rows * game.choices
    return Regrets(
        index,
        _extended(table.fact_offsets, room(index) + 1),
        _extended(table.facts, fact_room),
        _extended(table.action_offsets, room(index) + 1),
        _extended(table.actions, action_room),
        _extended(table.regrets, action_room),
        _extended(table.averages, action_room),
        table.max_rows,
    )


def _extended(array: npt.NDArray[Any], needed: int) -> npt.NDArray[Any]:
    if len(array) >= needed:
        return array
    longer = np.zeros(max(2 * len(array), needed), array.dtype)
    longer[: len(array)] = array
    return longer


@kernel
def entry_of(table: Regrets, facts: Ints, known: int, actions: Ints, count: int) -> int:
    """Return where the actions of an information set begin, in a new row if it is met for the first time.

    NO_ROW if there are as many rows as there may be. The caller has seen to it that there is room.
    """
    key = key_of(facts, known)
    row = find_row(table.infosets, key)
    if row == NO_ROW and table.infosets.used[0] < table.max_rows:
        row = add_row(table.infosets, key)
        first_fact, first = table.fact_offsets[row], table.action_offsets[row]
        for i in range(known):
            table.facts[first_fact + i] = facts[i]
        for i in range(count):
            table.actions[first + i] = actions[i]
        table.fact_offsets[row + 1] = first_fact + known
        table.action_offsets[row + 1] = first + count
    return table.action_offsets[row] if row != NO_ROW else NO_ROW


@kernel
def match_regrets(regrets: Reals, first: int, count: int, strategy: Reals) -> None:
    """Write the current strategy: in proportion to positive regrets; uniform if there are none, or no row."""
    total = 0.0
    if first != NO_ROW:
        for i in range(count):
            strategy[i] = max(regrets[first + i], 0.0)
            total += strategy[i]
    if total > 0.0:
        for i in range(count):
            strategy[i] /= total
    else:
        for i in range(count):
            strategy[i] = 1.0 / count


@kernel
def add_to_average(averages: Reals, first: int, count: int, strategy: Reals, weight: float) -> None:
    if first != NO_ROW:
        for i in range(count):
            averages[first + i] += weight * strategy[i]


def average_policy(game: Game, table: Regrets, about: dict[str, Any]) -> TabularPolicy:
    """Return the average strategy of every row; uniform where nothing has been added up yet."""
    rows = int(table.infosets.used[0])
    fact_offsets, action_offsets = table.fact_offsets[: rows + 1].copy(), table.action_offsets[: rows + 1].copy()
    counts = np.diff(action_offsets)
    averages = table.averages[: action_offsets[-1]]
    uniform = np.repeat(1.0 / counts, counts)
    return TabularPolicy(
        facts=table.facts[: fact_offsets[-1]].astype(np.int64),
        fact_offsets=fact_offsets,
        actions=table.actions[: action_offsets[-1]].astype(np.int64),
        probabilities=normalised(action_offsets[:-1], averages, uniform),
        action_offsets=action_offsets,
        about={"game": game.name, "facts": game.facts, "spec": game.spec or game.name, **about},
    )
