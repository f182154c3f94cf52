"""Two functions make a game, and none has the name of the file."""

from tests.check.bases import cards, stones

from forethought import Game


def first() -> Game:
    return stones()


def second() -> Game:
    return cards()
