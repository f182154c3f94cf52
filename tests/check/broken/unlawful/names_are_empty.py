"""An action has an empty name."""

from tests.check.bases import stones


def names_are_empty():
    def action_name(s, action):
        return ("", "two")[action]

    return stones(action_name)
