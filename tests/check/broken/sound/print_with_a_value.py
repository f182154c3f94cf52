"""A rule prints a value, as one does to find a mistake; there is no other fault."""

from tests.check.bases import stones


def print_with_a_value():
    def apply(s, action):
        if s.left == 1:
            print("left", s.left, action)  # noqa: T201
        s.left -= action + 1
        s.turn = 1 - s.turn

    return stones(apply)
