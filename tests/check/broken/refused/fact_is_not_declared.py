"""The rule `facts` writes a fact beyond the declared ones."""

from tests.check.bases import stones


def fact_is_not_declared():
    def facts(s, observer, out):
        out[0] = 99
        return 1

    return stones(facts)
