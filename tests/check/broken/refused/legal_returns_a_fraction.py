"""The rule `legal` returns a fraction."""

from tests.check.bases import stones


def legal_returns_a_fraction():
    def legal(s, out):
        out[0], out[1] = 0, 1
        return 4 / 2

    return stones(legal)
