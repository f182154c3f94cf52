"""The rule `returns` writes nothing for player 1."""

from tests.check.bases import stones


def returns_for_one_only():
    def returns(s, out):
        out[0] = 2 * s.turn - 1

    return stones(returns, zero_sum=False)
