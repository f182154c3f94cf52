"""Facts do not tell who is to move."""

from tests.check.bases import stones


def facts_hide_whose_turn():
    def facts(s, observer, out):
        out[0] = 2 + s.left
        return 1

    return stones(facts)
