"""The rule `player` names player -7."""

from tests.check.bases import stones


def player_is_negative():
    def player(s):
        return -7

    return stones(player)
