"""Games in lock-step (`evaluate/lockstep.py`) in which the moves of one side are recorded, to be learned from.

Any compiled evaluator decides. `learn/lockstep.py` notes what else magnetic mirror descent needs of a decision.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Bytes, Int32s, Int64s
from forethought.compiler import inlined_kernel, kernel
from forethought.evaluate.lockstep import GamesInProgress, Lockstep, ask_together, play_choice
from forethought.game import Game, Table
from forethought.nets.evaluator import answer
from forethought.nets.questions import Questions
from forethought.randomness import Generator, choose


class RecordedMoves(NamedTuple):
    """A row for each decision, in the order in which they were made, padded with zeros."""

    facts: Int32s  # [rows, facts] of the mover
    known: Int32s  # [rows] how many of them
    games: Int32s  # [rows]
    players: Int32s  # [rows] who decided
    actions: Int32s  # [rows, choices] the legal ones
    counts: Int32s  # [rows] how many of them
    choices: Int32s  # [rows] the place of the one that was played

    @property
    def rows(self) -> int:
        return len(self.games)

    def chosen(self, places: Int64s) -> "RecordedMoves":
        """Return some of the rows."""
        return RecordedMoves._make(array[places] for array in self)


class MovesSide:
    """An evaluator in some seats, with a record of its moves."""

    def __init__(self, games: GamesInProgress, seats: Sequence[int], evaluator: Any) -> None:
        count = len(games.rngs)
        self._games, self._seats, self._evaluator = games, games.seats(seats), evaluator
        self._scratch, self._written = evaluator.scratch(count), np.zeros(1, np.int64)
        self._out = room_for_moves(games.game, count * games.game.plies)

    def move(self) -> int:
        games, decider = self._games, (self._evaluator, self._scratch)
        record = self._written, self._out
        return games.checked(record_moves(games.game.table, *decider, games.play, self._seats, *record, games.rngs))

    def moves(self) -> RecordedMoves:
        """Return the moves so far."""
        return RecordedMoves._make(array[: self._written[0]].copy() for array in self._out)


def room_for_moves(game: Game, rows: int) -> RecordedMoves:
    """Return room for moves; what is not written to costs nothing."""
    choices = game.table.choices
    return RecordedMoves(
        np.zeros((rows, game.facts), np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
        np.zeros((rows, choices), np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
    )


@kernel
def record_moves(
    game: Table,
    evaluator: Any,
    scratch: Any,
    play: Lockstep,
    seats: Bytes,
    written: Int64s,
    out: RecordedMoves,
    rngs: Generator,
) -> int:
    """Let an evaluator decide in all games in which one of the seats is to move; return how many, or BROKEN."""
    asked = ask_together(game, play, seats, rngs)
    if asked <= 0:
        return asked
    answer(evaluator, play.questions, asked, scratch)
    for row in range(asked):
        at = written[0]
        choice = choose(play.questions.policies[row], play.questions.counts[row], rngs[play.asking[row]])
        note_facts(play.questions, row, out, at)
        note_choice(play, row, choice, out, at)
        play_choice(game, play, row, choice)
        written[0] = at + 1
    return asked


@inlined_kernel
def note_facts(questions: Questions, row: int, out: Any, at: int) -> None:
    """Note what the mover knows."""
    out.known[at] = questions.known[row]
    for k in range(questions.known[row]):
        out.facts[at, k] = questions.facts[row, k]


@inlined_kernel
def note_choice(play: Lockstep, row: int, choice: int, out: Any, at: int) -> None:
    """Note who decides where between what, and which it is."""
    g, count = play.asking[row], play.questions.counts[row]
    out.games[at], out.players[at], out.counts[at], out.choices[at] = g, play.movers[g], count, choice
    for k in range(len(out.actions[at])):
        out.actions[at, k] = play.questions.actions[row, k] if k < count else 0
