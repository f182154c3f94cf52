"""What a game is called, and what it is, for people: its function's docstring says it.

    def liars_dice(dice: int = 1) -> Game:
        '''Liar's Dice: secret rolls and rising bids.'''

A docstring without a title before a colon describes the game, and the title is made of the name.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

LONGEST_TITLE = 40  # characters; what is longer is a sentence with a colon


class About(NamedTuple):
    """A game for people."""

    title: str
    summary: str


def about_game(name: str, factory: Callable[..., Any]) -> About:
    """Return what the function that makes a game says of it; `name` is used where it states no title."""
    text = (factory.__doc__ or "").strip()
    title, colon, _ = text.partition("\n")[0].partition(": ")
    if colon and len(title) <= LONGEST_TITLE:
        return About(title, text.removeprefix(f"{title}: "))
    return About(title_of_name(name), text)


def title_of_name(name: str) -> str:
    """Make a title of a name: `take_away` is called `Take away`."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
