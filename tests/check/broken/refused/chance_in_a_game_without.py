"""The rule `player` names CHANCE in a game that declares no chance."""

from tests.check.bases import stones

from forethought import CHANCE


def chance_in_a_game_without():
    def player(s):
        return CHANCE

    return stones(player)
