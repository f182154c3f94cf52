"""Returns are larger than the game declares."""

from tests.check.bases import stones


def returns_exceed_the_largest():
    return stones(largest_return=0.5)
