"""Nobody ever takes a stone: no game ends."""

from tests.check.bases import stones


def game_never_ends():
    def apply(s, action):
        s.turn = 1 - s.turn

    return stones(apply)
