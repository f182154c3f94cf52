"""A user's game on a board, with a planted pattern: a stone set between one of one's own and one of the other's wins.

The three lie side by side in a row or a column. So no single cell tells a winning move, and two do. Both players win on
the same cell, and who sets a stone so that a gap is left between it and an enemy's has lost. A full board is a draw.
"""

from numpy import int8

from forethought.board import make_board, placements, square_grid
from forethought.game import TERMINAL, Game, record

PLANTED = "to e@-1,0 f@1,0"  # the pattern, as `forethought.patterns.text` writes it


def pincer(size: int = 5) -> Game:
    """Set stones by turns; a stone between a friend and an enemy wins."""
    grid = square_grid(size, size)
    board = make_board(grid, placements(grid))
    cells = board.cells

    def start(s):
        pass

    def player(s):
        return TERMINAL if s.winner > 0 or s.ply == cells else s.ply % 2

    def legal(s, out):
        n = 0
        for cell in range(cells):
            if s.owner[cell] == 0:
                out[n] = cell
                n += 1
        return n

    def apply(s, action):
        column, row, mover = action % size, action // size, 1 + s.ply % 2
        s.owner[action] = mover
        s.ply += 1
        if 0 < column < size - 1 and s.owner[action - 1] * s.owner[action + 1] == 2:  # 1 and 2, in either order
            s.winner = mover
        if 0 < row < size - 1 and s.owner[action - size] * s.owner[action + size] == 2:
            s.winner = mover

    def returns(s, out):
        out[0] = 1.0 if s.winner == 1 else -1.0 if s.winner == 2 else 0.0
        out[1] = -out[0]

    def facts(s, observer, out):
        n = 0
        for cell in range(cells):
            if s.owner[cell] > 0:
                other = s.owner[cell] - 1 if observer != 1 else 2 - s.owner[cell]
                out[n] = cells * other + cell
                n += 1
        out[n] = 2 * cells + s.ply % 2
        return n + 1

    def show(s):
        return grid.draw("".join(".XO"[owner] for owner in s.owner))

    def action_name(s, action):
        return board.action_name(action)

    return Game(
        name="pincer",
        players=2,
        actions=cells,
        facts=2 * cells + 2,
        plies=cells,
        record=record(ply=int8, winner=int8, owner=(int8, cells)),
        hidden=False,
        rules=[start, player, legal, apply, returns, facts, show, action_name],
        board=board,
    )
