"""The rule `legal` takes no array for its answer."""

from tests.check.bases import stones


def rule_takes_too_little():
    def legal(s):
        return 2

    return stones(legal)
