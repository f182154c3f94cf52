"""The rule `apply` raises an exception."""

from tests.check.bases import stones


def apply_raises():
    def apply(s, action):
        raise ValueError("not written yet")

    return stones(apply)
