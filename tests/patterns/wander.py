"""A user's game on hexagons: put a stone down, or move one to a free neighbour; after twenty plies nobody has won."""

from numpy import int8

from forethought.board import Move, hexagon_grid, make_board, placements
from forethought.game import TERMINAL, Game, record

GRID = hexagon_grid(3)
BOARD = make_board(GRID, [*placements(GRID), *(Move(*step) for step in GRID.steps)])
CELLS, ACTIONS, PLIES = BOARD.cells, BOARD.actions, 20
ORIGINS, TARGETS = BOARD.origins, BOARD.targets


def wander() -> Game:
    """Wander over hexagons."""

    def start(s):
        pass

    def player(s):
        return s.ply % 2 if s.ply < PLIES else TERMINAL

    def legal(s, out):
        n = 0
        for action in range(ACTIONS):
            mine = action < CELLS or s.owner[ORIGINS[action]] == 1 + s.ply % 2
            if mine and s.owner[TARGETS[action]] == 0:
                out[n] = action
                n += 1
        return n

    def apply(s, action):
        if action >= CELLS:
            s.owner[ORIGINS[action]] = 0
        s.owner[TARGETS[action]] = 1 + s.ply % 2
        s.ply += 1

    def returns(s, out):
        out[0] = out[1] = 0.0

    def facts(s, observer, out):
        n = 0
        for cell in range(CELLS):
            if s.owner[cell] > 0:
                other = s.owner[cell] - 1 if observer != 1 else 2 - s.owner[cell]
                out[n] = CELLS * other + cell
                n += 1
        out[n] = 2 * CELLS + s.ply
        return n + 1

    return Game(
        name="wander",
        players=2,
        actions=ACTIONS,
        facts=2 * CELLS + PLIES + 1,
        plies=PLIES,
        record=record(ply=int8, owner=(int8, CELLS)),
        hidden=False,
        rules=[start, player, legal, apply, returns, facts],
        board=BOARD,
    )
