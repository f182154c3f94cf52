"""The rule `sees` looks at a place that PUBLIC has not."""

from tests.check.bases import cards


def sees_raises():
    def sees(s, action, observer):
        return s.cards[observer] >= 0

    return cards(sees)
