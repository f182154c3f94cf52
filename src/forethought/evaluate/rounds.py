"""A round: as many games as there are seats, all with the same deal, A in each seat once. With two players, a pair.

Luck of the cards and of the seat falls on both sides alike, so a round says more about strength than its games would
alone. Its games depend on each other: whatever is said about a match counts rounds, not games.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.player import NewPlayer, draw_action, find_player, seated
from forethought.randomness import generator


class Round(NamedTuple):
    """What each seat won in each game; in game k, A sat in seat k and B in all others."""

    number: int
    returns: tuple[tuple[float, ...], ...]


class Entrant(NamedTuple):
    """A player as named, and what makes it anew for each game; that is called from several threads."""

    spec: str
    new_player: NewPlayer
    files: tuple[Path, ...] = ()  # which decide how it plays


@dataclass(frozen=True)
class Contest:
    """Who plays whom at what; with the seed, everything that decides each round."""

    game: Game
    a: Entrant
    b: Entrant
    seed: int

    def __post_init__(self) -> None:
        if self.game.players < 2:
            raise self.game.mistake("a match needs a game of two players or more")


def rounds_for(games: int, game: Game) -> int:
    """Return how many whole rounds hold that many games."""
    if games < game.players:
        raise ForethoughtError(f"A match needs {game.players} games or more, one for each seat, not {games}.")
    return -(-games // game.players)


def entrant(spec: str, game: Game) -> Entrant:
    """Prepare the player a string names for a game."""
    settings = find_player(spec)
    return Entrant(spec.strip(), settings.new_player(game), tuple(settings.files()))


def play_round(contest: Contest, number: int) -> Round:
    """Play the games of one round. Whoever plays it, whenever: the seed and the number decide it."""
    return Round(number, tuple(_play_game(contest, number, seat) for seat in range(contest.game.players)))


def _play_game(contest: Contest, number: int, seat_of_a: int) -> tuple[float, ...]:
    """Play one game. Chance draws from a stream that starts anew with each game of the round: the same deal."""
    makers = [contest.b.new_player] * contest.game.players
    makers[seat_of_a] = contest.a.new_player
    players = seated(makers, contest.seed, number, seat_of_a)
    deal, moves = generator(contest.seed, number, 0), generator(contest.seed, number, 1 + seat_of_a)
    state = contest.game.start()
    while not state.is_terminal:
        state.apply(draw_action(state, players, deal if state.is_chance else moves))
    return tuple(state.returns())
