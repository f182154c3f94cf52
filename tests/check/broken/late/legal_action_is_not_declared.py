"""The rule `legal` writes action 1,000 of two after eight actions."""

from tests.check.bases import ladder


def legal_action_is_not_declared():
    def legal(s, out):
        out[0], out[1] = 0, 1 if s.run < 8 else 1000
        return 2

    return ladder(legal)
