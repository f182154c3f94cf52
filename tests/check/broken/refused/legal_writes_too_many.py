"""The rule `legal` writes three actions where two are declared."""

from tests.check.bases import stones


def legal_writes_too_many():
    def legal(s, out):
        for i in range(3):
            out[i] = i
        return 3

    return stones(legal)
