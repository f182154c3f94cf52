"""The rule `start` writes 200 where 127 is the largest number."""

from tests.check.bases import stones


def start_value_does_not_fit():
    def start(s):
        s.left = 200

    return stones(start)
