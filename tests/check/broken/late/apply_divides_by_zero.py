"""The rule `apply` divides by zero after eight actions."""

from tests.check.bases import ladder


def apply_divides_by_zero():
    def apply(s, action):
        s.run += 1 if s.run == s.depth and action == 0 else 0
        s.lefts[s.depth % 2] += (1 - action) // (8 - s.run)
        s.depth += 1

    return ladder(apply)
