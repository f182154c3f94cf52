"""A loop in the rule `apply` never ends after eight actions."""

from tests.check.bases import ladder


def apply_never_ends():
    def apply(s, action):
        s.run += 1 if s.run == s.depth and action == 0 else 0
        while s.run == 8:
            s.lefts[0] = 1 - s.lefts[0]
        s.lefts[s.depth % 2] += 1 - action
        s.depth += 1

    return ladder(apply)
