"""There is no legal action after eight actions, and the game is not over."""

from tests.check.bases import ladder


def legal_is_empty():
    def legal(s, out):
        out[0], out[1] = 0, 1
        return 2 if s.run < 8 else 0

    return ladder(legal)
