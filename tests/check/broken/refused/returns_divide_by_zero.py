"""The rule `returns` divides by zero."""

from tests.check.bases import stones


def returns_divide_by_zero():
    def returns(s, out):
        out[0] = 1 // s.left
        out[1] = -out[0]

    return stones(returns)
