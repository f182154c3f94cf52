"""Asking for legal actions changes the position."""

from tests.check.bases import stones


def legal_changes_the_record():
    def legal(s, out):
        s.taken[0] = 1
        count = min(2, s.left)
        for i in range(count):
            out[i] = i
        return count

    return stones(legal)
