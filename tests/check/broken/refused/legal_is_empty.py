"""There is no legal action, and the game is not over."""

from tests.check.bases import stones


def legal_is_empty():
    def legal(s, out):
        return 0

    return stones(legal)
