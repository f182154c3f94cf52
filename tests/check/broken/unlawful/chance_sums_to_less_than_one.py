"""The probabilities of the cards sum to 0.9."""

from tests.check.bases import cards


def chance_sums_to_less_than_one():
    def chance(s, out):
        for i in range(3):
            out[i] = 0.3

    return cards(chance)
