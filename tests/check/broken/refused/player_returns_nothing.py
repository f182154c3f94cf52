"""The rule `player` returns nothing."""

from tests.check.bases import stones


def player_returns_nothing():
    def player(s):
        turn = s.turn
        turn += 1

    return stones(player)
