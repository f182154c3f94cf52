"""The rule `returns` reads beyond the end of a tuple, in one game of 256."""

from tests.check.bases import ladder

PAYS = (0, 1, 0, 1, 0, 1, 0, 1)


def returns_read_a_tuple_out_of_range():
    def returns(s, out):
        out[0] = PAYS[s.run]
        out[1] = -out[0]

    return ladder(returns)
