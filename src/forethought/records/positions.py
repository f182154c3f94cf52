"""The games of a data set as positions to learn from: what the mover knew, what it might do, what it did, who won.

Where only one action is legal, and where a position was only set up, nobody decided anything: such positions are left
out.
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Array, Bytes, Float32s, Int32s, Int64s
from forethought.compiler import kernel, pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.rollouts import write_legal
from forethought.status import BROKEN


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


def positions_of(game: Game, actions: Array, begins: Int64s, ends: Int64s, setups: Int64s) -> Positions | None:
    """Return all decisions of games whose actions stand in these places, without values; None if one is not legal."""
    room = _room(game, int((ends - begins).sum()))
    memory = np.zeros(game.table.state_bytes, np.uint8), np.zeros(game.table.choices, np.int64)
    lengths, plays = ends - begins, [actions[begin:end] for begin, end in zip(begins, ends, strict=True)]
    flat = np.concatenate([np.zeros(0, np.int64), *plays]).astype(np.int64)
    facts, last = np.zeros(game.facts, np.int64), np.cumsum(lengths)
    found = write_positions(game.table, flat, last - lengths, last, setups, *memory, facts, room)
    if found < 0:
        return None
    filled = Positions._make(array[:found] for array in room)
    width, choices = (int(counted.max(initial=0)) for counted in (filled.known, filled.counts))
    return filled._replace(facts=filled.facts[:, :width].copy(), actions=filled.actions[:, :choices].copy())


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
