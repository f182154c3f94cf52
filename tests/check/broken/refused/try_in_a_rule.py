"""A rule catches an exception."""

from tests.check.bases import stones


def try_in_a_rule():
    def apply(s, action):
        try:
            s.left -= action + 1
        except OverflowError:
            s.left = 0
        s.turn = 1 - s.turn

    return stones(apply)
