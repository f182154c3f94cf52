"""The rule `action_name` looks up what a tuple has not."""

from tests.check.bases import stones


def names_raise():
    def action_name(s, action):
        return ("one",)[action]

    return stones(action_name)
