"""Yavalath: place stones on a hexagon of hexagons; four in a row win, but three in a row lose.

Four take precedence: a stone that makes a row of four and another of three wins.
"""

from functools import cache

import numpy as np
from numpy import int8, int64

from forethought.arrays import Int64s
from forethought.board import NOWHERE, Board, hexagon_grid, make_board, placements
from forethought.errors import ForethoughtError
from forethought.game import TERMINAL, Game, record
from forethought.games import register_game
from forethought.games.boards import board_game
from forethought.games.boards.bits import cells_of, marks, write_cells, write_facts
from forethought.games.boards.lines import deciding, rows_in
from forethought.games.boards.winners import NOBODY, returns

SIDES = range(3, 6)  # a board of side 5 has 61 cells, the most that fit into one number
NO_CELLS = -1  # all bits: in no player's stones


@cache
def board_of(side: int = 5) -> Board:
    """Return the hexagon; an action is the cell of a stone."""
    grid = hexagon_grid(side)
    return make_board(grid, placements(grid))


def rows_through(board: Board, length: int) -> Int64s:
    """Return the rows of so many cells through each cell, as sets of cells [cells, most rows]."""
    rows: list[list[int]] = [[] for _ in range(board.cells)]
    for first in range(board.cells):
        for way in range(3):
            row = [first]
            while len(row) < length and row[-1] != NOWHERE:
                row.append(int(board.grid.neighbours[row[-1], way]))
            if row[-1] != NOWHERE:
                for cell in row:
                    rows[cell].append(sum(1 << c for c in row))
    most = max(map(len, rows))
    return np.array([[*found, *[NO_CELLS] * (most - len(found))] for found in rows])


@register_game("yavalath")
def yavalath(side: int = 5) -> Game:
    """Yavalath: four in a row win, three in a row lose."""
    if side not in SIDES:
        raise ForethoughtError(f"yavalath: side must be from {SIDES[0]} to {SIDES[-1]}, not {side}.")
    board = board_of(side)
    cells = board.cells
    full = (1 << cells) - 1
    threes, fours = rows_through(board, 3), rows_through(board, 4)
    state = record(turn=int8, winner=int8, stones=(int64, 2))

    def start(s):
        s.winner = NOBODY

    def player(s):
        return s.turn if s.winner == NOBODY and (s.stones[0] | s.stones[1]) != full else TERMINAL

    def legal(s, out):
        return write_cells(~(s.stones[0] | s.stones[1]), cells, 0, out, 0)

    def completes(rows, cell, stones):
        for i in range(rows.shape[1]):
            row = int(rows[cell, i])
            if stones & row == row:
                return True
        return False

    def apply(s, action):
        s.stones[s.turn] |= 1 << action
        if completes(fours, action, s.stones[s.turn]):
            s.winner = s.turn
        elif completes(threes, action, s.stones[s.turn]):
            s.winner = 1 - s.turn
        s.turn = 1 - s.turn

    def facts(s, observer, out):
        return write_facts(s.stones, cells, observer, s.turn, out)

    def show(s):
        return board.grid.draw(marks(s.stones, cells))

    def draw(s, observer):
        on_board = marks(s.stones, cells)
        fours = rows_in(on_board, board.grid, lambda length: length >= 4)
        return deciding(fours or rows_in(on_board, board.grid, lambda length: length == 3))

    def set_up(s, owners, player):
        s.turn = player
        s.stones[0], s.stones[1] = cells_of(owners, 0), cells_of(owners, 1)
        for cell, owner in enumerate(owners):
            if owner and (completes(threes, cell, s.stones[owner - 1]) or completes(fours, cell, s.stones[owner - 1])):
                s.winner = owner - 1  # or the other: it is over

    return board_game(
        "yavalath",
        board,
        plies=cells,
        record=state,
        rules=[start, player, legal, apply, returns, facts, show, draw, set_up],
    )
