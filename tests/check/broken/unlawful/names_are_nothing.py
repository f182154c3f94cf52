"""The rule `action_name` returns nothing."""

from tests.check.bases import stones


def names_are_nothing():
    def action_name(s, action):
        pass

    return stones(action_name)
