"""The rule `facts` writes more facts than there are."""

from tests.check.bases import stones


def facts_write_out_of_range():
    def facts(s, observer, out):
        for fact in range(16):
            out[fact] = fact
        return 16

    return stones(facts)
