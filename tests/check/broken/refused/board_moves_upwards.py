"""Moves go upwards only, and the board is not told which symmetries that keeps."""

from tests.check.bases import GRID, board

from forethought.board import Move, make_board


def board_moves_upwards():
    return board(actions=2, board=make_board(GRID, [Move(0, 2), Move(1, 3)]))
