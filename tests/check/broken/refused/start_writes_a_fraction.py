"""The rule `start` writes a fraction to a whole number."""

from tests.check.bases import stones


def start_writes_a_fraction():
    def start(s):
        s.left = 24 / 2

    return stones(start)
