"""The rule `show` shows a player the other's card."""

from tests.check.bases import cards


def show_shows_the_other_card():
    def show(s, observer):
        return f"cards {s.cards[0]} {s.cards[1]}"

    return cards(show)
