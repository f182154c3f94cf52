"""The rule `legal` reads beyond the end of an array."""

from tests.check.bases import stones


def legal_reads_out_of_range():
    def legal(s, out):
        out[0] = s.taken[2]
        return 1

    return stones(legal)
