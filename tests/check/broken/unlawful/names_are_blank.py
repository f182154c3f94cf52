"""An action has a name of spaces."""

from tests.check.bases import stones


def names_are_blank():
    def action_name(s, action):
        return ("  ", "two")[action]

    return stones(action_name)
