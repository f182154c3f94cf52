"""A rule calls a function that calls itself."""

from tests.check.bases import stones


def up_to(n):
    return 0 if n == 0 else 1 + up_to(n - 1)


def recursion():
    def apply(s, action):
        s.left -= up_to(action + 1)
        s.turn = 1 - s.turn

    return stones(apply)
