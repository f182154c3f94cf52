"""A rule writes a field that the record has not."""

from tests.check.bases import stones


def field_unknown():
    def start(s):
        s.heap = 12

    return stones(start)
