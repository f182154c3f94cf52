"""The winner wins infinitely much."""

import math

from tests.check.bases import stones


def returns_are_infinite():
    def returns(s, out):
        out[0] = math.inf if s.turn == 1 else -math.inf
        out[1] = -out[0]

    return stones(returns)
