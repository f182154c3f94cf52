"""Play does not end if it began with eight actions to the left."""

from tests.check.bases import DEPTH, ladder

from forethought import TERMINAL


def game_never_ends():
    def player(s):
        return TERMINAL if s.depth >= DEPTH and s.run < 8 else s.depth % 2

    return ladder(player)
