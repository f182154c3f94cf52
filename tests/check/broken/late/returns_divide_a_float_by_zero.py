"""The rule `returns` divides a fraction by zero, in one game of 256."""

from tests.check.bases import ladder


def returns_divide_a_float_by_zero():
    def returns(s, out):
        out[0] = 1.0 / (8 - s.run)
        out[1] = -out[0]

    return ladder(returns)
