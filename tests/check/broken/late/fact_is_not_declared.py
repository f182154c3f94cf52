"""The rule `facts` writes fact 100,000 of 84 after eight actions."""

from tests.check.bases import ladder


def fact_is_not_declared():
    def facts(s, observer, out):
        out[0] = s.depth
        out[1] = 21 + s.run if s.run < 8 else 100_000
        out[2] = 42 + s.lefts[0]
        out[3] = 63 + s.lefts[1]
        return 4

    return ladder(facts)
