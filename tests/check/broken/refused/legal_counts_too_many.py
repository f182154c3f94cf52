"""The rule `legal` says that it wrote nine actions."""

from tests.check.bases import stones


def legal_counts_too_many():
    def legal(s, out):
        out[0], out[1] = 0, 1
        return 9

    return stones(legal)
