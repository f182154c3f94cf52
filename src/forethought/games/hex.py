"""Hex: place stones on a rhombus of hexagons; whoever joins their own two sides wins. It cannot be drawn.

Player 0 joins the left and the right side, player 1 the bottom and the top. With `swap`, player 1 may answer the first
stone by taking it over: it becomes player 1's, reflected across the diagonal on which the sides trade places.
"""

from functools import cache

from numpy import int8, int16

from forethought.arrays import Int64s
from forethought.board import NOWHERE, Board, Move, make_board, placements, rhombus_grid
from forethought.errors import ForethoughtError
from forethought.game import TERMINAL, Game, record
from forethought.games import register_game
from forethought.games.boards import board_game
from forethought.games.boards.lines import deciding, path_between
from forethought.games.boards.owners import marks, write_empty, write_facts

SIZES = range(2, 20)


@cache
def board_of(size: int = 11, swap: bool = False) -> Board:
    """Return the rhombus; an action is the cell of a stone, and with `swap` one more takes over the first stone."""
    grid = rhombus_grid(size)
    moves = placements(grid) + [Move()] * swap

    def keeps_sides(folding: Int64s) -> bool:
        """Bottom and top may trade places with one another, not with left and right."""
        return len({cell // size for cell in folding[:size].tolist()}) == 1

    return make_board(grid, moves, keeps=keeps_sides)


def around_cells(size: int) -> Int64s:
    """Return the neighbours of each cell [cells, 6], sides of the board included; left over is the cell itself.

    Sides are numbered after the cells: left, right, bottom, top. A cell at a side has that many neighbours less.
    """
    around = board_of(size).grid.neighbours.copy()
    for cell, near in enumerate(around):
        row, column = divmod(cell, size)
        touches = [column == 0, column == size - 1, row == 0, row == size - 1]
        sides = [size * size + side for side in range(4) if touches[side]]
        gaps = (near == NOWHERE).nonzero()[0]
        near[gaps] = [*sides, *[cell] * (len(gaps) - len(sides))]
    return around


@register_game("hex")
def hex(size: int = 11, swap: bool = False) -> Game:
    """Hex: join your two sides of the rhombus; swap=true lets player 1 take over the first stone."""
    if size not in SIZES:
        raise ForethoughtError(f"hex: size must be from {SIZES[0]} to {SIZES[-1]}, not {size}.")
    board = board_of(size, swap)
    cells = size * size
    around = around_cells(size)
    # Stones that touch have the same root: following `link` from either ends at the same number, the highest of all.
    state = record(turn=int8, over=int8, stones=int16, owner=(int8, cells + 4), link=(int16, cells + 4))

    def start(s):
        for node in range(cells + 4):
            s.link[node] = node
        for side in range(4):
            s.owner[cells + side] = 1 + side // 2

    def player(s):
        return TERMINAL if s.over else s.turn

    def legal(s, out):
        n = write_empty(s.owner, cells, out)
        if swap and s.stones == 1 and s.turn == 1:
            out[n] = cells
            n += 1
        return n

    def root_of(s, node):
        while s.link[node] != node:
            s.link[node] = s.link[s.link[node]]  # every second link is cut short on the way
            node = s.link[node]
        return node

    def place(s, cell, mover):
        s.owner[cell] = 1 + mover
        root = cell
        for way in range(6):
            near = int(around[cell, way])
            if s.owner[near] == 1 + mover:
                other = root_of(s, near)
                s.link[min(root, other)] = max(root, other)
                root = max(root, other)
        left = cells + 2 * mover
        s.over = s.link[left] != left  # a side is linked to nothing higher but its opposite

    def take_over(s):
        cell = 0
        while s.owner[cell] == 0:
            cell += 1
        s.owner[cell] = 0
        s.link[cell] = cell
        place(s, size * (cell % size) + cell // size, 1)

    def apply(s, action):
        if action == cells:
            take_over(s)
        else:
            place(s, action, s.turn)
            s.stones += 1
        s.turn = 1 - s.turn

    def returns(s, out):
        out[1 - s.turn] = 1.0
        out[s.turn] = -1.0

    def facts(s, observer, out):
        return write_facts(s.owner, cells, observer, s.turn, out)

    def show(s):
        return board.grid.draw(marks(s.owner, cells))

    def draw(s, observer):
        if not s.over:
            return []
        winner = 1 - s.turn
        left_right = range(0, cells, size), range(size - 1, cells, size)
        sides = (left_right, (range(size), range(cells - size, cells)))[winner]
        return deciding(path_between(marks(s.owner, cells), board.grid, *sides, "XO"[winner]))

    def set_up(s, owners, player):
        s.turn = player
        for cell, owner in enumerate(owners):
            if owner:
                place(s, cell, owner - 1)
                s.stones += 1
        s.over = s.link[cells] != cells or s.link[cells + 2] != cells + 2
        if swap and player == 1 and s.stones == 1 and 2 in owners:
            return "player 1 has the only stone and is to move, so there is nothing to take over"
        return None

    def action_name(s, action):
        return "swap" if action == cells else board.action_name(action)

    return board_game(
        "hex",
        board,
        plies=cells + swap,
        record=state,
        rules=[start, player, legal, apply, returns, facts, show, draw, action_name, set_up],
    )
