"""The rule `returns` reads beyond the end of an array."""

from tests.check.bases import stones


def returns_read_out_of_range():
    def returns(s, out):
        out[0] = s.taken[s.turn + 2]
        out[1] = -out[0]

    return stones(returns)
