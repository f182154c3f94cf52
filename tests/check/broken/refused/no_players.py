"""The game declares no players."""

from tests.check.bases import stones


def no_players():
    return stones(players=0)
