"""The rule `apply` asserts what is not so after eight actions."""

from tests.check.bases import ladder


def apply_asserts():
    def apply(s, action):
        s.run += 1 if s.run == s.depth and action == 0 else 0
        assert s.run < 8
        s.lefts[s.depth % 2] += 1 - action
        s.depth += 1

    return ladder(apply)
