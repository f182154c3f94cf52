"""The games of a data set as positions to learn from: what the mover knew, what it might do, what it did, who won.

Where only one action is legal, and where a position was only set up, nobody decided anything: such positions are left
out.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float32s, Int32s, Int64s
from forethought.compiler import kernel, pointer
from forethought.errors import ForethoughtError
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.nets.values import value_columns
from forethought.records.data_set import TRAIN, RecordSet
from forethought.rollouts import write_legal
from forethought.status import BROKEN

GAMES = 64  # that are replayed at once


class Positions(NamedTuple):
    """One row for each decision, padded with zeros."""

    facts: Int32s  # [rows, facts] of the mover
    known: Int32s  # [rows] how many of them
    actions: Int32s  # [rows, choices] the legal ones
    counts: Int32s  # [rows] how many of them
    played: Int32s  # [rows] the place of the one that was played among them
    movers: Int32s  # [rows]
    games: Int64s  # [rows] the number of the game in the data set
    values: Float32s  # [rows, values] what was won in the end, as in `nets/values.py`; NaN if that is not known

    @property
    def rows(self) -> int:
        return len(self.known)


def positions_of(records: RecordSet, game: Game, games: Int64s) -> Positions:
    """Return all decisions of some games of a data set, game by game."""
    records.check_game(game)
    begins, ends = np.array([records.begin(int(one)) for one in games], np.int64), records.ends[games]
    rows = int((ends - begins).sum())
    room = _room(game, rows)
    memory = np.zeros(game.table.state_bytes, np.uint8), np.zeros(game.table.choices, np.int64)
    setups, flat = records.setups[games].astype(np.int64), records.actions.astype(np.int64, copy=False)
    facts = np.zeros(game.facts, np.int64)
    found = write_positions(game.table, flat, begins, ends, setups, *memory, facts, room)
    if found < 0:
        raise ForethoughtError(f"{records.path} holds a game that {records.spec} does not allow; import it again.")
    filled = Positions._make(array[:found] for array in room)
    width, choices = (int(counted.max(initial=0)) for counted in (filled.known, filled.counts))
    numbers = games[filled.games]
    seats = (filled.movers[:, None] + np.arange(value_columns(game))) % game.players
    return filled._replace(
        facts=filled.facts[:, :width].copy(),
        actions=filled.actions[:, :choices].copy(),
        games=numbers,
        values=records.returns[numbers[:, None], seats],
    )


def batches(
    records: RecordSet, game: Game, part: str = TRAIN, *, games: int = GAMES, seed: int | None = None
) -> Iterator[Positions]:
    """Yield the decisions of a part of a data set, so many games at once; with a seed, in an order that it draws."""
    order = records.games(part)
    if seed is not None:
        order = np.random.default_rng(seed).permutation(order)
    for first in range(0, len(order), games):
        yield positions_of(records, game, order[first : first + games])


def _room(game: Game, rows: int) -> Positions:
    """Return room for so many decisions; what is not written to costs nothing."""
    choices = game.table.choices
    return Positions(
        np.zeros((rows, game.facts), np.int32),
        np.zeros(rows, np.int32),
        np.zeros((rows, choices), np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int64),
        np.zeros((rows, 0), np.float32),
    )


@kernel
def write_positions(  # noqa: PLR0913, PLR0917 (a kernel takes its arrays one by one)
    game: Table,
    actions: Int64s,
    begins: Int64s,
    ends: Int64s,
    setups: Int64s,
    state: Bytes,
    choices: Int64s,
    facts: Int64s,
    out: Positions,
) -> int:
    """Replay games, and write a row for each decision; return how many there are, or BROKEN."""
    s, row = pointer(state), 0
    for number in range(len(begins)):
        state[:] = 0
        game.start(s)
        for place in range(begins[number], ends[number]):
            player = game.player(s)
            if player == TERMINAL or place - begins[number] == game.plies:
                return BROKEN
            count = write_legal(game, s, pointer(choices))
            chosen = -1
            for i in range(count):
                if choices[i] == actions[place]:
                    chosen = i
            if chosen < 0:
                return BROKEN
            if player != CHANCE and count > 1 and place - begins[number] >= setups[number]:
                out.known[row] = game.facts(s, player, pointer(facts))
                for i in range(out.known[row]):
                    out.facts[row, i] = facts[i]
                for i in range(count):
                    out.actions[row, i] = choices[i]
                out.counts[row], out.played[row] = count, chosen
                out.movers[row], out.games[row] = player, number
                row += 1
            game.apply(s, actions[place])
    return row
