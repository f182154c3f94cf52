"""The rule `apply` writes at a negative index."""

from tests.check.bases import stones


def apply_writes_negative_index():
    def apply(s, action):
        s.left -= 1
        s.taken[-1] = action

    return stones(apply)
