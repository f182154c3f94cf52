"""Facts do not tell how many stones are left, and so which actions are legal."""

from tests.check.bases import stones


def facts_are_too_few():
    def facts(s, observer, out):
        out[0] = s.turn
        return 1

    return stones(facts)
