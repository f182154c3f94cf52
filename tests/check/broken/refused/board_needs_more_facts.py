"""The game declares fewer facts than the board has planes of cells."""

from tests.check.bases import board


def board_needs_more_facts():
    return board(facts=7)
