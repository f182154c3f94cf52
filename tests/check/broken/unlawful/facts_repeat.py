"""The rule `facts` writes a fact twice."""

from tests.check.bases import stones


def facts_repeat():
    def facts(s, observer, out):
        out[0], out[1], out[2] = s.turn, 2 + s.left, s.turn
        return 3

    return stones(facts)
