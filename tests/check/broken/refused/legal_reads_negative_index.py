"""The rule `legal` reads at a negative index."""

from tests.check.bases import stones


def legal_reads_negative_index():
    def legal(s, out):
        out[0] = s.taken[s.turn - 2]
        return 1

    return stones(legal)
