"""The rule `legal` raises an exception after eight actions."""

from tests.check.bases import ladder


def legal_raises():
    def legal(s, out):
        if s.run == 8:
            raise ValueError("eight to the left")
        out[0], out[1] = 0, 1
        return 2

    return ladder(legal)
