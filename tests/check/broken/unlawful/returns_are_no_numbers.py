"""Returns are not numbers."""

import math

from tests.check.bases import stones


def returns_are_no_numbers():
    def returns(s, out):
        out[0] = math.nan
        out[1] = math.nan

    return stones(returns)
