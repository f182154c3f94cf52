"""The rule `legal` reads beyond the end of an array after eight actions."""

from tests.check.bases import ladder


def legal_reads_out_of_range():
    def legal(s, out):
        out[0] = 0 if s.run < 8 else s.lefts[s.run] * 0
        out[1] = 1
        return 2

    return ladder(legal)
