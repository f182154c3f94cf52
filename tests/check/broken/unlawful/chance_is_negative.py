"""A card has a negative probability."""

from tests.check.bases import cards


def chance_is_negative():
    def chance(s, out):
        out[0], out[1], out[2] = -0.5, 1.0, 0.5

    return cards(chance)
