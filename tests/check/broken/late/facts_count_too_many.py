"""The rule `facts` says that it wrote 5,000 facts after eight actions."""

from tests.check.bases import ladder


def facts_count_too_many():
    def facts(s, observer, out):
        out[0] = s.depth
        out[1] = 21 + s.run
        out[2] = 42 + s.lefts[0]
        out[3] = 63 + s.lefts[1]
        return 4 if s.run < 8 else 5_000

    return ladder(facts)
