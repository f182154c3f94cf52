"""The rule `legal` writes more actions than are declared after eight actions."""

from tests.check.bases import ladder


def legal_writes_too_many():
    def legal(s, out):
        count = 2 if s.run < 8 else 200
        for i in range(count):
            out[i] = i
        return count

    return ladder(legal)
