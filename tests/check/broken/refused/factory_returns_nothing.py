"""The factory forgets to return the game."""

from tests.check.bases import stones


def factory_returns_nothing():
    stones()
