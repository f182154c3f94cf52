"""The rule `apply` writes beyond the end of an array after eight actions."""

from tests.check.bases import ladder


def apply_writes_out_of_range():
    def apply(s, action):
        s.run += 1 if s.run == s.depth and action == 0 else 0
        s.lefts[s.depth % 2 if s.run < 8 else 20] += 1 - action
        s.depth += 1

    return ladder(apply)
