"""The board has all symmetries of its grid, and only rows win."""

from tests.check.bases import board


def board_symmetries_are_wrong():
    def apply(s, action):
        who = s.moves % 2
        s.owner[action] = 1 + who
        s.moves += 1
        if s.owner[action ^ 1] == 1 + who:
            s.won = 1 + who

    return board(apply)
