"""Breakthrough: two rows of pawns each; the first pawn on the far row wins.

A pawn steps one row forward, straight onto an empty cell only, diagonally also onto an enemy, which it captures. A
player whose last pawn is captured has lost too. While it has pawns it can move: nobody can block a foremost pawn's
diagonals.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numpy import int8, uint64

from forethought.arrays import Int64s
from forethought.board import Board, Move, make_board, square_grid
from forethought.errors import ForethoughtError
from forethought.game import TERMINAL, Game, record
from forethought.games import register_game
from forethought.games.boards import board_game
from forethought.games.boards.bits import ONE, cells_of, count, first_cell, marks, write_facts
from forethought.games.boards.winners import NOBODY, returns

PAWN_STEPS = ((-1, 1), (0, 1), (1, 1))  # to the right, and forward
MOST_CELLS = 64

Steps = tuple[tuple[int, int], ...]


@cache
def board_of(rows: int = 8, columns: int = 8, steps: Steps = PAWN_STEPS) -> Board:
    """Return the board and all steps on it: first those upwards, player 0's, then as many downwards."""
    grid = square_grid(rows, columns)
    number = {place: cell for cell, place in enumerate(grid.places)}
    moves = []
    for forward in (1, -1):
        for (column, row), origin in number.items():
            places = [(column + right, row + forward * ahead) for right, ahead in steps]
            moves += [Move(origin, target) for target in sorted(number[place] for place in places if place in number)]
    above = [row for _, row in grid.places]
    return make_board(grid, moves, keeps=lambda folding: [above[cell] for cell in folding] == above)


@register_game("breakthrough")
def breakthrough(rows: int = 8, columns: int = 8) -> Game:
    """Breakthrough: pawns step forward and capture diagonally; the first on the far row wins."""
    check_size("breakthrough", rows, columns, fewest_columns=2)
    return race("breakthrough", board_of(rows, columns, PAWN_STEPS))


def check_size(name: str, rows: int, columns: int, fewest_columns: int) -> None:
    if rows < 4 or columns < fewest_columns or rows * columns > MOST_CELLS:
        raise ForethoughtError(
            f"{name}: rows must be at least 4, columns at least {fewest_columns}, "
            f"and cells at most {MOST_CELLS}, not {rows} x {columns}."
        )


class Reach(NamedTuple):
    """The steps of a piece, by player, cell and step [2, cells, steps]; one off the board ends on the piece itself."""

    actions: Int64s
    targets: npt.NDArray[np.uint64]
    peaceful: npt.NDArray[np.uint64]  # 1 if the step goes straight ahead, and captures nothing


def reach_of(board: Board) -> Reach:
    steps = int(np.bincount(board.origins[: board.actions // 2]).max())
    actions = np.zeros((2, board.cells, steps), np.int64)
    targets = np.tile(np.arange(board.cells, dtype=np.uint64)[:, None], (2, 1, steps))
    peaceful = np.zeros((2, board.cells, steps), np.uint64)
    found = np.zeros((2, board.cells), np.int64)
    for action, (origin, target) in enumerate(zip(board.origins, board.targets, strict=True)):
        player = 2 * action // board.actions
        place = player, origin, found[player, origin]
        found[player, origin] += 1
        actions[place], targets[place] = action, target
        peaceful[place] = board.grid.places[origin][0] == board.grid.places[target][0]
    return Reach(actions, targets, peaceful)


def race(name: str, board: Board) -> Game:
    """Make the game in which pieces run for the far row by the steps of the board; only a straight one is peaceful."""
    origins, targets = board.origins, board.targets
    cells, (rows, columns) = board.cells, board.grid.shape
    steps_of, reach, peaceful = reach_of(board)
    steps = steps_of.shape[2]
    row = (1 << columns) - 1
    army = row | row << columns
    state = record(turn=int8, winner=int8, pieces=(uint64, 2))

    def start(s):
        s.winner = NOBODY
        s.pieces[0] = army
        s.pieces[1] = army << (cells - 2 * columns)

    def player(s):
        return s.turn if s.winner == NOBODY else TERMINAL

    def legal(s, out):
        own, enemy = uint64(s.pieces[s.turn]), uint64(s.pieces[1 - s.turn])
        rest = own
        n = 0
        while rest:
            cell = first_cell(rest)
            rest &= rest - ONE
            for step in range(steps):  # write every step, keep the legal ones: no branch for the processor to guess
                out[n] = steps_of[s.turn, cell, step]
                target = reach[s.turn, cell, step]
                blocked = own >> target | (enemy >> target) & peaceful[s.turn, cell, step]
                n += int(~blocked & ONE)
        return n

    def apply(s, action):
        target = int(targets[action])
        s.pieces[s.turn] ^= 1 << int(origins[action]) | 1 << target
        s.pieces[1 - s.turn] &= ~(1 << target)
        if (
            target < columns or target >= cells - columns or s.pieces[1 - s.turn] == 0
        ):  # nobody steps back to its own row
            s.winner = s.turn
        s.turn = 1 - s.turn

    def facts(s, observer, out):
        return write_facts(s.pieces, cells, observer, s.turn, out)

    def show(s):
        return board.grid.draw(marks(s.pieces, cells))

    def set_up(s, owners, player):
        s.turn = player
        for who in range(2):
            s.pieces[who] = cells_of(owners, who)
            if count(s.pieces[who]) > 2 * columns:
                return f"player {who} has more than {2 * columns} pieces"
        for who, far in ((0, row << (cells - columns)), (1, row)):
            if s.pieces[who] & far or s.pieces[1 - who] == 0:
                s.winner = who
        return None

    plies = 2 * columns * (2 * rows - 5) + 1  # all pieces stand one row before the far one, and then one more step
    return board_game(
        name, board, plies=plies, record=state, rules=[start, player, legal, apply, returns, facts, show, set_up]
    )
