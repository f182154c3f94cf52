"""The rule `start` writes beyond the end of an array."""

from tests.check.bases import stones


def start_writes_out_of_range():
    def start(s):
        s.left = 12
        s.taken[2] = 0

    return stones(start)
