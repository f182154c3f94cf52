"""A game as a file tells it. Nobody has checked it yet: `replay.py` does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

NOT_SAID = -9  # in place of a player: the file does not say who acted
NO_ACTION = -1

# What can be wrong with a game: why it is skipped.
UNREADABLE = "unreadable"
OTHER_GAME = "another game"
SET_UP = "set-up position"
ILLEGAL = "illegal move"
WRONG_TURN = "wrong turn"
AFTER_END = "goes on after its end"
NO_MOVES = "no moves"
DUPLICATE = "duplicate"
RATING = "rating"
RESULT = "result"

LARGEST = 2**31  # of a number of an action


class Problem(NamedTuple):
    """Why a game cannot be used."""

    kind: str  # one of the above
    reason: str  # as the rest of a sentence
    of_move: bool = False  # whether it is a move that is wrong, the one after those that could be played


@dataclass(frozen=True)
class Transcript:
    """What a file says of one game, in our numbers of actions and seats."""

    number: int  # of the game in its file, from 1
    actions: Sequence[int] = ()  # outcomes of chance included
    movers: Sequence[int] = ()  # whose each action is; empty if the file does not say
    setup: int = 0  # so many actions at the beginning only set up the position: nobody decided them
    returns: tuple[float, ...] | None = None  # what each seat has won; None: the file does not say
    names: tuple[str, ...] = ()  # by seat
    ratings: tuple[float, ...] = ()  # by seat; NaN where it is not known
    optional: int = NO_ACTION  # the pass: files leave it out where it is forced, and write it after the end
    rules_decide: bool = True  # who has won when the game is over; False: it was scored by other rules
    problem: Problem | None = None  # why nothing could be read after these actions


def read_numbers(found: Any) -> list[int] | None:
    """Return a list of numbers of actions; None if it is anything else."""
    if not isinstance(found, list) or not all(type(one) is int and 0 <= one < LARGEST for one in found):
        return None
    return found
