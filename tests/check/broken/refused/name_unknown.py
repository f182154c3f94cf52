"""A rule uses a name that nothing has."""

from tests.check.bases import stones


def name_unknown():
    def start(s):
        s.left = HEAP  # noqa: F821

    return stones(start)
