"""The rule `start` divides by zero."""

from tests.check.bases import stones


def start_divides_by_zero():
    def start(s):
        s.left = 12 // s.turn

    return stones(start)
