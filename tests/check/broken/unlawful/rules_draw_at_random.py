"""A rule draws a random number."""

import random

from tests.check.bases import stones


def rules_draw_at_random():
    def apply(s, action):
        s.left -= 1 + (action > 0 and random.random() < 0.5)  # noqa: S311
        s.turn = 1 - s.turn

    return stones(apply)
