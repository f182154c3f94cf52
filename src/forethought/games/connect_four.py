"""Connect Four: drop discs into seven columns; four in a row, in any direction, win."""

from functools import cache

from numpy import int8, int64

from forethought.board import Board, Move, make_board, square_grid
from forethought.game import TERMINAL, Game, record
from forethought.games import register_game
from forethought.games.boards import board_game
from forethought.games.boards.bits import marks
from forethought.games.boards.lines import deciding, rows_in

ROWS, COLUMNS = 6, 7
CELLS = ROWS * COLUMNS
# In the record a row takes eight bits, of which the last stays empty: no line runs over the edge into the next row.
WIDTH = COLUMNS + 1
TOP = WIDTH * (ROWS - 1)
TOP_ROW = ((1 << COLUMNS) - 1) << TOP


@cache
def board_of() -> Board:
    """Return six rows of seven, on which discs pile up."""
    grid = square_grid(ROWS, COLUMNS)
    rows = [row for _, row in grid.places]
    moves = [Move(target=column) for column in range(COLUMNS)]
    return make_board(grid, moves, keeps=lambda folding: [rows[cell] for cell in folding] == rows, stacks=True)


@register_game("connect_four")
def connect_four() -> Game:
    """Connect Four: drop discs into seven columns; four in a row win."""
    board = board_of()
    state = record(turn=int8, discs=(int64, 2))

    def won(discs):
        for step in (1, WIDTH - 1, WIDTH, WIDTH + 1):
            pairs = discs & (discs >> step)
            if pairs & (pairs >> (2 * step)):
                return True
        return False

    def start(s):
        pass

    def player(s):
        if won(s.discs[1 - s.turn]) or ((s.discs[0] | s.discs[1]) & TOP_ROW) == TOP_ROW:
            return TERMINAL
        return s.turn

    def legal(s, out):
        taken = (s.discs[0] | s.discs[1]) >> TOP
        n = 0
        for column in range(COLUMNS):  # write every column, keep the open ones: no branch for the processor to guess
            out[n] = column
            n += 1 - ((taken >> column) & 1)
        return n

    def apply(s, action):
        taken = (s.discs[0] | s.discs[1]) >> action
        place = action
        while taken & 1:
            taken >>= WIDTH
            place += WIDTH
        s.discs[s.turn] |= 1 << place
        s.turn = 1 - s.turn

    def returns(s, out):
        value = 1.0 if won(s.discs[0]) else -1.0 if won(s.discs[1]) else 0.0
        out[0], out[1] = value, -value

    def packed(discs):
        """Return the discs as a set of cells, without the empty bit of each row."""
        cells = 0
        for row in range(ROWS):
            cells |= ((discs >> (WIDTH * row)) & ((1 << COLUMNS) - 1)) << (COLUMNS * row)
        return cells

    def facts(s, observer, out):
        mine = 1 if observer == 1 else 0
        n = 0
        for plane in range(2):
            discs = s.discs[mine if plane == 0 else 1 - mine]
            fact = CELLS * plane
            while discs:  # row by row, until none is left above
                for column in range(COLUMNS):  # write every cell, keep those taken: no branch to guess
                    out[n] = fact + column
                    n += (discs >> column) & 1
                discs >>= WIDTH
                fact += COLUMNS
        out[n] = 2 * CELLS + s.turn
        return n + 1

    def show(s):
        return board.grid.draw(marks(map(packed, s.discs), CELLS))

    def draw(s, observer):
        return deciding(rows_in(marks(map(packed, s.discs), CELLS), board.grid, lambda length: length >= 4))

    def action_name(s, action):
        return "abcdefg"[action]

    def set_up(s, owners, player):
        s.turn = player
        for cell, owner in enumerate(owners):
            row, column = divmod(cell, COLUMNS)
            if owner and row > 0 and not owners[cell - COLUMNS]:
                return f"nothing is below the disc on {board.grid.name(cell)}"
            if owner:
                s.discs[owner - 1] |= 1 << (WIDTH * row + column)
        return None

    return board_game(
        "connect_four",
        board,
        plies=CELLS,
        record=state,
        rules=[start, player, legal, apply, returns, facts, show, draw, action_name, set_up],
    )
