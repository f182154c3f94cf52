"""Both players win."""

from tests.check.bases import stones


def returns_do_not_sum_to_zero():
    def returns(s, out):
        out[0] = out[1] = 1

    return stones(returns)
