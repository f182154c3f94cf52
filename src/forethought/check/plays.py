"""How random games are played in which laws are to break: with tastes of all kinds, and as variations of one another.

Games of players without a taste are all of one kind: rare actions stay rare, short and long games too. So each game is
played with other preferences, from none to strong ones. And two histories that look the same to somebody, which most
laws of hidden information are about, are hardly ever found by two games that have nothing in common: so each game is
played again with one decision changed, the rest as before as far as that is legal.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from forethought.check.positions import Position
from forethought.game import Game

VARIATIONS = 3  # of each game
STRENGTHS = (0, 1, 4, 16)  # of preferences: a random number to this power is how often an action is chosen

Chooser = Callable[[Position], int]


def taste(game: Game, rng: Random) -> Chooser:
    """Return players, and a chance, that prefer some actions to others, each its own."""
    strength = rng.choice(STRENGTHS)
    rows = range(game.players + 1)  # the last is chance's, whose number is -1
    weights = [[max(rng.random(), 1e-9) ** strength for _ in range(game.table.choices)] for _ in rows]

    def chosen(position: Position) -> int:
        legal = position.answers.legal
        row = weights[position.answers.player]
        return rng.choices(legal, [row[action] for action in legal])[0]

    return chosen


def following(actions: Sequence[int], ply: int, otherwise: Chooser) -> Chooser:
    """Return players who play these actions from a ply on, where they are legal."""

    def chosen(position: Position) -> int:
        place = len(position.history) - ply
        wanted = actions[place] if 0 <= place < len(actions) else -1
        return wanted if wanted in position.answers.legal else otherwise(position)

    return chosen


def variations(path: Sequence[Position], otherwise: Chooser, rng: Random) -> Iterator[tuple[Position, Chooser]]:
    """Yield from where to play a game otherwise, and how: an action changed, two exchanged, or one left out."""
    actions = [position.history.event for position in path[1:]]
    for kind in range(VARIATIONS if actions else 0):
        ply = rng.randrange(len(actions))
        rest = actions[ply:]
        legal = path[ply].answers.legal
        if kind == 0:
            rest[0] = rng.choice(legal)
        elif kind == 1:
            other = rng.randrange(len(rest))
            rest[0], rest[other] = rest[other], rest[0]
        else:
            del rest[0]
        yield path[ply], following(rest, ply, otherwise)
