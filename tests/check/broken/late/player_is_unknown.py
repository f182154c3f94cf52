"""The rule `player` names player 5 of two after eight actions."""

from tests.check.bases import DEPTH, ladder

from forethought import TERMINAL


def player_is_unknown():
    def player(s):
        if s.run == 8 and s.depth == 8:
            return 5
        return TERMINAL if s.depth == DEPTH else s.depth % 2

    return ladder(player)
