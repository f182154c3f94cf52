"""The rule `apply` writes 300 where 127 is the largest number, after eight actions."""

from tests.check.bases import ladder


def apply_value_does_not_fit():
    def apply(s, action):
        s.run += 1 if s.run == s.depth and action == 0 else 0
        s.lefts[s.depth % 2] += 1 - action if s.run < 8 else 300
        s.depth += 1

    return ladder(apply)
