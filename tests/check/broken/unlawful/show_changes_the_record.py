"""The rule `show` writes to the record."""

from tests.check.bases import stones


def show_changes_the_record():
    def show(s):
        s.taken[0] = 1
        return f"{s.left} stones"

    return stones(show)
