"""A rule imports a module."""

from tests.check.bases import stones


def import_in_a_rule():
    def apply(s, action):
        import math  # noqa: PLC0415

        s.left -= math.floor(action + 1)
        s.turn = 1 - s.turn

    return stones(apply)
