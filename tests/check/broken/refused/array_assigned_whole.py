"""A rule assigns a number to an array of the record."""

from tests.check.bases import stones


def array_assigned_whole():
    def start(s):
        s.left = 12
        s.taken = 0

    return stones(start)
