"""Teeko: place four pieces each, then move one to a neighbouring cell a turn; four in a row or in a square win.

The rules know no draw, so a game of `limit` plies is one.
"""

from functools import cache

import numpy as np
from numpy import int8, int16, int64, uint64

from forethought.board import Board, Move, make_board, placements, square_grid
from forethought.errors import ForethoughtError
from forethought.game import TERMINAL, Game, record
from forethought.games import register_game
from forethought.games.boards import board_game
from forethought.games.boards.bits import ONE, cells_of, first_cell, marks, write_cells, write_facts
from forethought.games.boards.winners import NOBODY, returns

SIZE = 5
CELLS = SIZE * SIZE
PIECES = 4
SHORTEST = 2 * PIECES - 1
LONGEST = 30_000


@cache
def board_of() -> Board:
    """Return the board; actions are first the placements, then all steps to a neighbouring cell."""
    grid = square_grid(SIZE, SIZE)
    return make_board(grid, [*placements(grid), *(Move(*step) for step in grid.steps)])


def winning_sets() -> list[int]:
    """List the 28 lines of four and the 16 squares as sets of cells."""
    shapes = [[(0, 0), (1, 0), (2, 0), (3, 0)], [(0, 0), (0, 1), (0, 2), (0, 3)], [(0, 0), (1, 1), (2, 2), (3, 3)]]
    shapes += [[(0, 3), (1, 2), (2, 1), (3, 0)], [(0, 0), (1, 0), (0, 1), (1, 1)]]
    places = [(right, up) for up in range(SIZE) for right in range(SIZE)]
    moved = [[(column + right, row + up) for column, row in shape] for shape in shapes for right, up in places]
    return [sum(1 << (SIZE * row + column) for column, row in four) for four in moved if max(map(max, four)) < SIZE]


@register_game("teeko")
def teeko(limit: int = 2500) -> Game:
    """Teeko: four pieces in a row or in a square win; a draw after `limit` plies."""
    if not SHORTEST <= limit <= LONGEST:
        raise ForethoughtError(f"teeko: limit must be from {SHORTEST} to {LONGEST}, not {limit}.")
    board = board_of()
    origins, targets = board.origins, board.targets
    first_step = CELLS + np.searchsorted(origins[CELLS:], np.arange(CELLS + 1))  # steps are sorted by their origins
    wins = np.array(winning_sets())
    state = record(turn=int8, winner=int8, ply=int16, pieces=(int64, 2))

    def start(s):
        s.winner = NOBODY

    def player(s):
        return s.turn if s.winner == NOBODY and s.ply < limit else TERMINAL

    def legal(s, out):
        taken = s.pieces[0] | s.pieces[1]
        if s.ply < 2 * PIECES:
            return write_cells(~taken, CELLS, 0, out, 0)
        rest = uint64(s.pieces[s.turn])
        n = 0
        while rest:
            cell = first_cell(rest)
            rest &= rest - ONE
            for action in range(first_step[cell], first_step[cell + 1]):
                out[n] = action
                n += 1 - ((taken >> int(targets[action])) & 1)
        return n

    def is_win(pieces):
        for four in wins:
            if pieces == four:
                return True
        return False

    def apply(s, action):
        if action >= CELLS:
            s.pieces[s.turn] ^= 1 << int(origins[action])
        s.pieces[s.turn] |= 1 << int(targets[action])
        if is_win(s.pieces[s.turn]):
            s.winner = s.turn
        s.ply += 1
        s.turn = 1 - s.turn

    def facts(s, observer, out):
        return write_facts(s.pieces, CELLS, observer, s.turn, out)

    def show(s):
        return board.grid.draw(marks(s.pieces, CELLS))

    def set_up(s, owners, player):
        first, second = owners.count(1), owners.count(2)
        if max(first, second) > PIECES:
            return f"each player has at most {PIECES} pieces"
        if first + second < 2 * PIECES and (first - second, player) not in ((0, 0), (1, 1)):
            return "until all pieces are placed, player 0 and player 1 take turns"
        s.turn = player
        s.ply = first + second if first + second < 2 * PIECES else 2 * PIECES + player
        for who in range(2):
            s.pieces[who] = cells_of(owners, who)
            if is_win(s.pieces[who]):
                s.winner = who
        return None

    return board_game(
        "teeko", board, plies=limit, record=state, rules=[start, player, legal, apply, returns, facts, show, set_up]
    )
