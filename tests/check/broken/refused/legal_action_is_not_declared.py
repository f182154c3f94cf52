"""The rule `legal` writes action 7 where two are declared."""

from tests.check.bases import stones


def legal_action_is_not_declared():
    def legal(s, out):
        out[0] = 7
        return 1

    return stones(legal)
