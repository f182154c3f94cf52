"""Numbers in Python grow, and machine numbers do not."""

from tests.check.bases import stones


def returns_overflow():
    def returns(s, out):
        out[0] = 1 if (1 << 62) * (2 + s.turn) > 0 else -1
        out[1] = -out[0]

    return stones(returns)
