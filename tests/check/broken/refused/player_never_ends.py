"""A loop in the rule `player` never ends."""

from tests.check.bases import stones


def player_never_ends():
    def player(s):
        while True:
            if s.left > 100:
                return 0

    return stones(player)
