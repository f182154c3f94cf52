"""The rule `apply` writes beyond the end of an array."""

from tests.check.bases import stones


def apply_writes_out_of_range():
    def apply(s, action):
        s.left -= 1
        s.taken[s.turn + 2] = action

    return stones(apply)
