"""A rule assigns within an expression."""

from tests.check.bases import stones


def walrus_in_a_rule():
    def apply(s, action):
        s.left = max(0, (left := s.left - 1) - action)
        s.turn = left % 2

    return stones(apply)
