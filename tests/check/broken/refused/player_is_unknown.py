"""The rule `player` names player 2 of two."""

from tests.check.bases import stones

from forethought import TERMINAL


def player_is_unknown():
    def player(s):
        return TERMINAL if s.left == 0 else 2 * s.turn

    return stones(player)
