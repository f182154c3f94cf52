"""The rule `facts` reads where the observer has no place: PUBLIC is a negative number."""

from tests.check.bases import stones


def facts_read_out_of_range():
    def facts(s, observer, out):
        out[0] = s.taken[observer]
        return 1

    return stones(facts)
