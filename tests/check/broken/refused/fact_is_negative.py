"""The rule `facts` writes a negative number."""

from tests.check.bases import stones


def fact_is_negative():
    def facts(s, observer, out):
        out[0] = s.turn - 1
        return 1

    return stones(facts)
