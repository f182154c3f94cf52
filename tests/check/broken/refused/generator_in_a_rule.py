"""A rule adds up a generator."""

from tests.check.bases import stones


def generator_in_a_rule():
    def apply(s, action):
        s.left -= sum(1 for _ in range(action + 1))
        s.turn = 1 - s.turn

    return stones(apply)
