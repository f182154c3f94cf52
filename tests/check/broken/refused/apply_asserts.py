"""The rule `apply` asserts what is not so."""

from tests.check.bases import stones


def apply_asserts():
    def apply(s, action):
        s.left -= 1
        assert s.left > 50, "too few stones"

    return stones(apply)
