"""The rule `returns` reads beyond the end of a constant, in one game of 256."""

import numpy as np
from tests.check.bases import ladder

PAYS = np.arange(8) % 2


def returns_read_a_constant_out_of_range():
    def returns(s, out):
        out[0] = PAYS[s.run]
        out[1] = -out[0]

    return ladder(returns)
