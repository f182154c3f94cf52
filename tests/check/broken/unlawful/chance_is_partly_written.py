"""A card is given no probability."""

from tests.check.bases import cards


def chance_is_partly_written():
    def chance(s, out):
        out[0], out[1] = 0.5, 0.5

    return cards(chance)
