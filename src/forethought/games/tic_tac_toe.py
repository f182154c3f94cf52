"""Tic-tac-toe: three in a row on three by three."""

from functools import cache

from numpy import int8, int16

from forethought.board import Board, make_board, placements, square_grid
from forethought.game import TERMINAL, Game, record
from forethought.games import register_game
from forethought.games.boards import board_game
from forethought.games.boards.bits import cells_of, marks, write_cells, write_facts
from forethought.games.boards.lines import deciding, rows_in

CELLS = 9
# The eight lines, as sets of cells.
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
FULL = 0b111111111


@cache
def board_of() -> Board:
    """Return the board; an action is the cell of a mark."""
    grid = square_grid(3, 3)
    return make_board(grid, placements(grid))


@register_game("tic_tac_toe")
def tic_tac_toe() -> Game:
    """Tic-tac-toe: three in a row on three by three."""
    board = board_of()
    state = record(turn=int8, cells=(int16, 2))

    def won(cells):
        for line in LINES:
            if cells & line == line:
                return True
        return False

    def start(s):
        pass

    def player(s):
        if won(s.cells[1 - s.turn]) or (s.cells[0] | s.cells[1]) == FULL:
            return TERMINAL
        return s.turn

    def legal(s, out):
        return write_cells(~(s.cells[0] | s.cells[1]), CELLS, 0, out, 0)

    def apply(s, action):
        s.cells[s.turn] |= 1 << action
        s.turn = 1 - s.turn

    def returns(s, out):
        value = 1.0 if won(s.cells[0]) else -1.0 if won(s.cells[1]) else 0.0
        out[0], out[1] = value, -value

    def facts(s, observer, out):
        return write_facts(s.cells, CELLS, observer, s.turn, out)

    def show(s):
        return board.grid.draw(marks(s.cells, CELLS))

    def draw(s, observer):
        return deciding(rows_in(marks(s.cells, CELLS), board.grid, lambda length: length == 3))

    def set_up(s, owners, player):
        s.turn = player
        s.cells[0], s.cells[1] = cells_of(owners, 0), cells_of(owners, 1)

    return board_game(
        "tic_tac_toe",
        board,
        plies=CELLS,
        record=state,
        rules=[start, player, legal, apply, returns, facts, show, draw, set_up],
    )
