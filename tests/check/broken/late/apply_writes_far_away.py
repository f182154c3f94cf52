"""The rule `apply` writes a million bytes away after eight actions."""

from tests.check.bases import ladder


def apply_writes_far_away():
    def apply(s, action):
        s.run += 1 if s.run == s.depth and action == 0 else 0
        s.lefts[s.depth % 2 if s.run < 8 else 1_000_000] += 1 - action
        s.depth += 1

    return ladder(apply)
