"""A rule looks up a tuple whose parts differ in length."""

from tests.check.bases import stones

TAKEN = ((1,), (2, 2))


def ragged_tuple():
    def apply(s, action):
        s.left -= TAKEN[action][0]
        s.turn = 1 - s.turn

    return stones(apply)
