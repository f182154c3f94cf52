"""A round: as many games as there are seats, all with the same deal, A in each seat once. With two players, a pair.

Luck of the cards and of the seat falls on both sides alike, so a round says more about strength than its games would
alone. Its games depend on each other: whatever is said about a match counts rounds, not games.

Several rounds are played at once where a player can think about several decisions together. Each game has its own
generators, so that it is the same in whatever company it is played.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from forethought.errors import ForethoughtError
from forethought.game import Game, State
from forethought.games.reference import GameReference, reference_to
from forethought.player import NewGroup, PlayerGroup, PlayerSettings, find_player
from forethought.randomness import Generator, choose, generator
from forethought.runtime.carried import CarriedFile
from forethought.runtime.executor import Stopped, Stopping
from forethought.runtime.local import Local

TOGETHER = 8  # rounds, positions or information sets at once, where players think together


class Round(NamedTuple):
    """What each seat won in each game; in game k, A sat in seat k and B in all others."""

    number: int
    returns: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Entrant:
    """A player as it is called, and its settings; what it loads is kept in each process.

    To another process it goes with the files that its settings name: weights, a policy.
    """

    name: str
    settings: PlayerSettings
    _loaded: Local[NewGroup] = field(default_factory=Local, compare=False, repr=False)
    _compiled: Local[Any] = field(default_factory=Local, compare=False, repr=False)

    def new_group(self, game: Game) -> NewGroup:
        return self._loaded.get(lambda: self.settings.new_group(game))

    def compiled(self, game: Game) -> Any | None:
        return self._compiled.get(lambda: self.settings.compiled(game))

    @property
    def at_once(self) -> int:
        """How many of its games, or questions to it, are best dealt with at once."""
        return TOGETHER if self.settings.thinks_together else 1

    @cached_property
    def _files(self) -> dict[str, CarriedFile]:
        """The files as they are when the first job is sent: a run that is trained on meanwhile changes nothing."""
        return {key: CarriedFile(path) for key, path in self.settings.named_files().items()}

    def __reduce__(self) -> "tuple[Callable[..., Entrant], tuple[Any, ...]]":
        return _arrived, (self.name, self.settings, self._files, self._loaded, self._compiled)


def _arrived(
    name: str, settings: PlayerSettings, files: Mapping[str, CarriedFile], loaded: Local[Any], compiled: Local[Any]
) -> Entrant:
    here: dict[str, Any] = {key: str(file.path) for key, file in files.items()}
    return Entrant(name, replace(settings, **here), loaded, compiled)


@dataclass(frozen=True)
class Contest:
    """Who plays whom at what; with the seed, everything that decides each round. Plain data."""

    reference: GameReference
    a: Entrant
    b: Entrant
    seed: int

    @property
    def game(self) -> Game:
        return self.reference.game

    @property
    def rounds_at_once(self) -> int:
        return max(self.a.at_once, self.b.at_once)


def contest(game: Game, a: Entrant, b: Entrant, seed: int) -> Contest:
    """Return a contest, ready to play: mistakes in the players are found here."""
    if game.players < 2:
        raise game.mistake("a match needs a game of two players or more")
    for entrant in (a, b):
        entrant.new_group(game)
    return Contest(reference_to(game), a, b, seed)


def entrant(player: str | PlayerSettings) -> Entrant:
    """Return the player that a string or settings name."""
    if isinstance(player, str):
        return Entrant(player.strip(), find_player(player))
    return Entrant(str(player), player)


def rounds_for(games: int, game: Game) -> int:
    """Return how many whole rounds hold that many games."""
    if games < game.players:
        raise ForethoughtError(f"A match needs {game.players} games or more, one for each seat, not {games}.")
    return -(-games // game.players)


class RoundsJob(NamedTuple):
    """Rounds of a contest to play."""

    contest: Contest
    numbers: tuple[int, ...]

    @property
    def described(self) -> str:
        contest = self.contest
        return f"rounds {self.numbers} of {contest.a.name} against {contest.b.name}, seed {contest.seed}"


def play_rounds_of(job: RoundsJob, stopping: Stopping) -> list[Round]:
    """Play the rounds of a job: the seed and the number decide each. A task for an executor."""
    table, players = OngoingGames(job), job.contest.game.players
    while table.live:
        if stopping():
            raise Stopped
        table.advance()
    returns = [tuple(state.returns()) for state in table.states]
    return [
        Round(number, tuple(returns[place * players : (place + 1) * players]))
        for place, number in enumerate(job.numbers)
    ]


def play_round(contest: Contest, number: int) -> Round:
    """Play one round."""
    return play_rounds_of(RoundsJob(contest, (number,)), lambda: False)[0]


class OngoingGames:
    """The games of some rounds in progress: for each round, one with A in each seat.

    Chance draws from a stream that starts anew with each game of a round: the same deal.
    """

    def __init__(self, job: RoundsJob) -> None:
        game, seed = job.contest.game, job.contest.seed
        played = [(number, seat) for number in job.numbers for seat in range(game.players)]
        self.states = [game.start() for _ in played]
        self._deals = [generator(seed, number, 0) for number, _ in played]
        self._moves = [generator(seed, number, 1 + seat) for number, seat in played]
        self._sides = [_Side(job.contest, played, of_a) for of_a in (True, False)]
        for place in range(len(played)):
            self._deal(place)

    @property
    def live(self) -> list[int]:
        return [place for place, state in enumerate(self.states) if not state.is_terminal]

    def advance(self) -> None:
        """Let each side decide once, wherever it is to move."""
        for side in self._sides:
            asked = [place for place in self.live if (place, self.states[place].player) in side.slots]
            if asked:
                self._move(side, asked)

    def _move(self, side: "_Side", asked: Sequence[int]) -> None:
        slots = [side.slots[place, self.states[place].player] for place in asked]
        seen = [self.states[place].observation(self.states[place].player) for place in asked]
        for place, (actions, weights) in zip(asked, side.group.think(slots, seen), strict=True):
            self.states[place].apply(actions[choose(np.array(weights), len(actions), self._moves[place])])
            self._deal(place)

    def _deal(self, place: int) -> None:
        """Let chance act until somebody is to move."""
        state = self.states[place]
        while state.is_chance:
            draw_outcome(state, self._deals[place])


class _Side:
    """A or B in all games: one player for each seat it has in each of them."""

    group: PlayerGroup

    def __init__(self, contest: Contest, played: Sequence[tuple[int, int]], of_a: bool) -> None:
        seats = range(contest.game.players)
        held = [(place, seat) for place, (_, own) in enumerate(played) for seat in seats if (seat == own) == of_a]
        self.slots = {key: slot for slot, key in enumerate(held)}
        rngs = [generator(contest.seed, *played[place], seat) for place, seat in held]
        self.group = (contest.a if of_a else contest.b).new_group(contest.game)(rngs)


def draw_outcome(state: State, rng: Generator) -> None:
    """Let chance act once."""
    outcomes, weights = state.legal_actions(), np.array(state.chance())
    state.apply(outcomes[choose(weights, len(outcomes), rng)])
