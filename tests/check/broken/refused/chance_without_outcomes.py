"""The game has a rule `chance` and declares no outcomes."""

from tests.check.bases import cards


def chance_without_outcomes():
    return cards(outcomes=0)
