"""A loop in the rule `apply` has 10 ** 15 turns after eight actions."""

from tests.check.bases import ladder


def apply_counts_too_far():
    def apply(s, action):
        s.run += 1 if s.run == s.depth and action == 0 else 0
        for turn in range(10**15 if s.run == 8 else 0):
            s.lefts[0] = (s.lefts[0] + turn) % 3
        s.lefts[s.depth % 2] += 1 - action
        s.depth += 1

    return ladder(apply)
