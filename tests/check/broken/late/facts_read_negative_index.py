"""The rule `facts` reads at a negative index after eight actions."""

from tests.check.bases import ladder


def facts_read_negative_index():
    def facts(s, observer, out):
        out[0] = s.depth
        out[1] = 21 + s.run
        out[2] = 42 + (s.lefts[0] if s.run < 8 else s.lefts[7 - s.run])
        out[3] = 63 + s.lefts[1]
        return 4

    return ladder(facts)
