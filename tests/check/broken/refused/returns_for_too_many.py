"""The rule `returns` writes a return for a third player of two."""

from tests.check.bases import stones


def returns_for_too_many():
    def returns(s, out):
        for who in range(3):
            out[who] = 0

    return stones(returns)
