"""A legal action stands twice."""

from tests.check.bases import stones


def legal_repeats():
    def legal(s, out):
        out[0] = out[1] = 0
        return 2

    return stones(legal)
