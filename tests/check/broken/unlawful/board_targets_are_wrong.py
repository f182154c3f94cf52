"""Actions put pieces elsewhere than the board says."""

from tests.check.bases import GRID, board

from forethought.board import Move, make_board


def board_targets_are_wrong():
    return board(board=make_board(GRID, [Move(target=3 - cell) for cell in range(4)]))
