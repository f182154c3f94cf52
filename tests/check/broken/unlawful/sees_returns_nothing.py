"""The rule `sees` returns nothing."""

from tests.check.bases import cards


def sees_returns_nothing():
    def sees(s, action, observer):
        pass

    return cards(sees)
