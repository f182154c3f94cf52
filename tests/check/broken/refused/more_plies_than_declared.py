"""The game declares three plies, and has more."""

from tests.check.bases import stones


def more_plies_than_declared():
    return stones(plies=3)
