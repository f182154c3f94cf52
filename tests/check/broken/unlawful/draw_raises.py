"""The rule `draw` looks up what a tuple has not."""

from tests.check.bases import stones


def draw_raises():
    def draw(s, observer):
        return [("heap",)[s.left]]

    return stones(draw)
