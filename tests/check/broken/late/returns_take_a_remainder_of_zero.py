"""The rule `returns` takes the remainder of a division by zero, in one game of 256."""

from tests.check.bases import ladder


def returns_take_a_remainder_of_zero():
    def returns(s, out):
        out[0] = s.lefts[0] % (8 - s.run)
        out[1] = -out[0]

    return ladder(returns)
