"""A rule has a name that no rule has."""

from tests.check.bases import stones


def rule_misspelled():
    def retruns(s, out):
        out[0] = out[1] = 0

    return stones(retruns)
