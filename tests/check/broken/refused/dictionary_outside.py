"""A rule looks up a dictionary of the module."""

from tests.check.bases import stones

TAKEN = {0: 1, 1: 2}


def dictionary_outside():
    def apply(s, action):
        s.left -= TAKEN[action]
        s.turn = 1 - s.turn

    return stones(apply)
