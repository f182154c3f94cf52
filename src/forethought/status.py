"""What kernels return in place of a count, a player or a position when they cannot go on: one set of codes for all.

Every code lies below all counts and below CHANCE, TERMINAL and the observers of `game.py`, so that none of them can be
taken for one.
"""

from forethought.errors import ForethoughtError
from forethought.game import Game

DONE = 0  # nothing is left to do
NO_ROOM = -11  # an array is full: the caller makes it larger and calls again
BROKEN = -12  # a law of games is broken: no legal action, or more plies than declared
CUT = -13  # a limit of plies or positions was reached first
EXCEEDED = -14  # a return is larger than the caller thought possible
OFF_TARGET = -15  # this way of playing cannot come to the target


def broken_law(game: Game) -> ForethoughtError:
    """Return what is wrong where a kernel answers BROKEN."""
    return game.mistake(
        f"a game did not end within the declared {game.plies} plies, or had no legal action; `forethought check` "
        "shows the law that it breaks"
    )
