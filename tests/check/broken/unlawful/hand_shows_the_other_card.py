"""The rule `hand` names the other's card as well."""

from tests.check.bases import cards


def hand_shows_the_other_card():
    def hand(s, player):
        return f"{s.cards[0]} {s.cards[1]}"

    return cards(hand)
