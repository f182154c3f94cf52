"""The board has more actions than the game."""

from tests.check.bases import board


def board_has_other_actions():
    return board(actions=3)
