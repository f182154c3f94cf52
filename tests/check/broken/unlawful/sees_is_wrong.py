"""The rule `sees` says that everybody sees every card."""

from tests.check.bases import cards


def sees_is_wrong():
    def sees(s, action, observer):
        return True

    return cards(sees)
