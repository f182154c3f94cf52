"""A rule looks up a list of the factory."""

from tests.check.bases import stones


def list_in_a_closure():
    taken = [1, 2]

    def apply(s, action):
        s.left -= taken[action]
        s.turn = 1 - s.turn

    return stones(apply)
