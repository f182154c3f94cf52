"""The rule `draw` shows a player the other's card."""

from tests.check.bases import cards


def draw_shows_the_other_card():
    def draw(s, observer):
        return [{"kind": "words", "label": "cards", "text": f"{s.cards[0]} {s.cards[1]}"}]

    return cards(draw)
