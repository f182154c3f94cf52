"""Cards are hidden, and the game declares that nothing is."""

from tests.check.bases import cards


def hidden_but_declared_open():
    return cards(hidden=False)
