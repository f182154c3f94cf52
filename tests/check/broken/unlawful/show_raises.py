"""The rule `show` fails when one stone is left."""

from tests.check.bases import stones


def show_raises():
    def show(s):
        return 12 // (s.left - 1)

    return stones(show)
