"""A loop in the rule `start` never ends."""

from tests.check.bases import stones


def start_never_ends():
    def start(s):
        while s.left < 12:
            s.turn = 1 - s.turn

    return stones(start)
