"""Gomoku: place stones; five in a row win, in any direction. With `exact`, six or more in a row do not count."""

from functools import cache

from numpy import int8, int16

from forethought.board import NOWHERE, Board, make_board, placements, square_grid
from forethought.errors import ForethoughtError
from forethought.game import TERMINAL, Game, record
from forethought.games import register_game
from forethought.games.boards import board_game
from forethought.games.boards.lines import deciding, rows_in
from forethought.games.boards.owners import marks, write_empty, write_facts
from forethought.games.boards.winners import NOBODY, returns

SIZES = range(5, 20)


@cache
def board_of(size: int = 15) -> Board:
    """Return the square board; an action is the cell of a stone."""
    grid = square_grid(size, size)
    return make_board(grid, placements(grid), crossings=True)


@register_game("gomoku")
def gomoku(size: int = 15, exact: bool = True) -> Game:
    """Gomoku: five in a row win; exact=false counts longer rows too."""
    if size not in SIZES:
        raise ForethoughtError(f"gomoku: size must be from {SIZES[0]} to {SIZES[-1]}, not {size}.")
    board = board_of(size)
    cells = size * size
    neighbours = board.grid.neighbours
    state = record(turn=int8, winner=int8, stones=int16, owner=(int8, cells))

    def start(s):
        s.winner = NOBODY

    def player(s):
        return s.turn if s.winner == NOBODY and s.stones < cells else TERMINAL

    def legal(s, out):
        return write_empty(s.owner, cells, out)

    def stones_beside(s, cell, way):
        """Count the stones of this stone's colour that stand next to it in one direction, without a gap."""
        n = 0
        near = int(neighbours[cell, way])
        while near != NOWHERE and s.owner[near] == s.owner[cell]:
            n += 1
            near = int(neighbours[near, way])
        return n

    def counts(length):
        return length == 5 or (length > 5 and not exact)

    def makes_five(s, cell):
        for way in range(4):
            if counts(1 + stones_beside(s, cell, way) + stones_beside(s, cell, way + 4)):
                return True
        return False

    def apply(s, action):
        s.owner[action] = 1 + s.turn
        s.stones += 1
        if makes_five(s, action):
            s.winner = s.turn
        s.turn = 1 - s.turn

    def facts(s, observer, out):
        return write_facts(s.owner, cells, observer, s.turn, out)

    def show(s):
        return board.grid.draw(marks(s.owner, cells))

    def draw(s, observer):
        return deciding(rows_in(marks(s.owner, cells), board.grid, counts))

    def set_up(s, owners, player):
        s.turn = player
        for cell, owner in enumerate(owners):
            s.owner[cell] = owner
            s.stones += owner != 0
        for cell, owner in enumerate(owners):
            if owner and makes_five(s, cell):
                s.winner = owner - 1

    return board_game(
        "gomoku",
        board,
        plies=cells,
        record=state,
        rules=[start, player, legal, apply, returns, facts, show, draw, set_up],
    )
