"""A rule counts games outside the record."""

from tests.check.bases import stones


def rules_remember_outside():
    games = []

    def start(s):
        games.append(1)
        s.left = 12 - len(games) % 2

    return stones(start)
