"""Play goes round for ever after eight actions."""

from tests.check.bases import ladder


def game_goes_round():
    def apply(s, action):
        s.run += 1 if s.run == s.depth and action == 0 else 0
        s.lefts[s.depth % 2] = min(10, s.lefts[s.depth % 2] + 1 - action)
        s.depth = s.depth + 1 if s.run < 8 or s.depth < 18 else 12

    return ladder(apply)
