"""At least so much can be won against a player: a response is learned, frozen, and measured in fresh games.

For games too large for an exact best response. How a response is learned is a choice (`RESPONSES`): it may go badly.
The frozen response is measured in games it has not been learned from. Their mean is an unbiased estimate of what that
response wins, and a best response wins no less: the bound holds in any case.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np

from forethought.evaluate.intervals import mean_interval
from forethought.evaluate.lockstep import GamesInProgress, Strategy, play_out, strategy_of
from forethought.evaluate.rounds import Entrant
from forethought.game import Game
from forethought.randomness import generators
from forethought.registry import Registry
from forethought.settings import Settings, read_spec, setting, write_spec

LEARNING, MEASURING = 0, 1  # these parts of the work draw from different streams
LEARNING_PART = 0.9  # of the work, as progress is told

Progress = Callable[[float], None]


class LowerBound(NamedTuple):
    """What a learned response wins on average, with its 95 % interval: a best response wins at least that."""

    value: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Exploited:
    """Against whom a response is learned: one player, which has all seats but one."""

    game: Game
    player: Entrant
    seat: int  # of the response
    seed: int

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(self.game.players) if seat != self.seat]

    @cached_property
    def strategy(self) -> Strategy:
        return strategy_of(self.player, self.game)


@dataclass(frozen=True, kw_only=True)
class ResponseSettings(Settings):
    """The settings of one way to learn a response."""

    games: int = setting("games that the response is learned from", 20_000, low=0)

    def learn(self, against: Exploited, progress: Progress) -> Strategy:
        """Return a response; all chance comes from the seed. Progress is told as a part of the learning."""
        raise NotImplementedError

    def __str__(self) -> str:
        return write_spec(next(name for name, kind in RESPONSES if kind is type(self)), self)


RESPONSES: Registry[type[ResponseSettings]] = Registry(
    "response", "forethought.responses", ("forethought.evaluate", "forethought.learn"), "register_response"
)

SettingsClass = TypeVar("SettingsClass", bound=type[ResponseSettings])


def register_response(name: str) -> Callable[[SettingsClass], SettingsClass]:
    """Register a way to learn a response: a decorator of its settings."""

    def register(settings: SettingsClass) -> SettingsClass:
        RESPONSES.add(name, settings, settings.__module__)
        return settings

    return register


def find_response(spec: str) -> ResponseSettings:
    """Return the settings that a string names: `search`, `search:50000`, `policy-gradient(games=50000,rate=0.001)`."""
    return read_spec(spec, RESPONSES, "search:50000", lambda kind: kind)[1]


def lower_bound(
    response: ResponseSettings, against: Exploited, games: int, progress: Progress = lambda _part: None
) -> LowerBound:
    """Bound from below what a best response wins."""
    learned = response.learn(against, lambda part: progress(LEARNING_PART * part))
    won = measured(learned, against, games, lambda part: progress(LEARNING_PART + (1.0 - LEARNING_PART) * part))
    low, high = mean_interval(won, np.random.default_rng(against.seed))
    return LowerBound(float(won.mean()), low, high, games)


def measured(response: Strategy, against: Exploited, games: int, progress: Progress) -> np.ndarray:
    """Return what a response wins in each of so many games."""
    at_once, won = min(response.at_once, against.strategy.at_once), []
    for first in range(0, games, at_once):
        progress(first / games)
        seed = against.seed, MEASURING, against.seat, first
        playing = GamesInProgress(against.game, generators(min(at_once, games - first), *seed))
        play_out(
            [response.side(playing, [against.seat], *seed, 0), against.strategy.side(playing, against.others, *seed, 1)]
        )
        won.append(playing.play.returns[:, against.seat])
    return np.concatenate(won)
