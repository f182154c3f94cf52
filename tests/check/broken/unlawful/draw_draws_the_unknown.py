"""The rule `draw` draws a thing of a kind that there is not."""

from tests.check.bases import stones


def draw_draws_the_unknown():
    def draw(s, observer):
        return [{"kind": "sculpture", "label": "heap"}]

    return stones(draw)
