"""Both actions have the same name."""

from tests.check.bases import stones


def names_are_equal():
    def action_name(s, action):
        return "take"

    return stones(action_name)
