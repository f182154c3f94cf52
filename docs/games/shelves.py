"""Shelves: three side by side on a shelf win; above one another they do not. A board whose turns are no symmetries."""

import numpy as np
from numpy import int8

from forethought import PUBLIC, TERMINAL, Game, record
from forethought.board import make_board, placements, square_grid

SIZE = 4
GRID = square_grid(SIZE, SIZE)
CELLS = GRID.cells
SHELF = np.array([row for _, row in GRID.places])  # of each cell
THREES = tuple((cell, cell + 1, cell + 2) for cell in range(CELLS - 2) if SHELF[cell] == SHELF[cell + 2])


def keeps_shelves(folding):
    """Whether cells of one shelf are again on one shelf; `folding[cell]` is where a cell goes."""
    shelves = SHELF[folding].reshape(SIZE, SIZE)
    return bool((shelves == shelves[:, :1]).all())


def shelves() -> Game:
    """Shelves: put three of yours side by side on a shelf."""
    board = make_board(GRID, placements(GRID), keeps=keeps_shelves)
    state = record(moves=int8, winner=int8, owner=(int8, CELLS))  # owners and winner: 0 nobody, else 1 + player

    def start(s):
        pass

    def player(s):
        return TERMINAL if s.winner > 0 or s.moves == CELLS else s.moves % 2

    def legal(s, out):
        n = 0
        for cell in range(CELLS):
            if s.owner[cell] == 0:
                out[n] = cell
                n += 1
        return n

    def apply(s, action):
        mark = 1 + s.moves % 2
        s.owner[action] = mark
        s.moves += 1
        for three in THREES:
            if s.owner[three[0]] == mark and s.owner[three[1]] == mark and s.owner[three[2]] == mark:
                s.winner = mark

    def returns(s, out):
        out[0] = 0 if s.winner == 0 else 3 - 2 * s.winner
        out[1] = -out[0]

    def facts(s, observer, out):  # a plane of one's own pieces, a plane of the other's, and who is to move
        own = 1 if observer == PUBLIC else 1 + observer
        n = 0
        for cell in range(CELLS):
            if s.owner[cell] > 0:
                out[n] = cell if s.owner[cell] == own else CELLS + cell
                n += 1
        out[n] = 2 * CELLS + s.moves % 2
        return n + 1

    def show(s):
        return GRID.draw("".join(".XO"[owner] for owner in s.owner))

    def action_name(s, action):
        return board.action_name(action)

    return Game(
        name="shelves",
        players=2,
        actions=board.actions,
        facts=2 * CELLS + 2,
        plies=CELLS,
        record=state,
        hidden=False,
        board=board,
        rules=[start, player, legal, apply, returns, facts, show, action_name],
    )
