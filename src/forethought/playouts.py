"""Random games from the start: the speed of the rules, the value of random play, and what a game pays at most."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import kernel, pointer
from forethought.game import Game, Table
from forethought.randomness import Generator, generator
from forethought.rollouts import UniformRollouts, roll_out
from forethought.status import BROKEN, broken_law

SOME_GAMES = 200  # in which the largest return is looked for
UNIT_GAMES = 1_000  # whose returns give the unit of values and temperatures
GAMES_MEASURED = 64  # whose largest return is remembered


class PlayMemory(NamedTuple):
    """The memory of one game that is played, made once and used for all its steps."""

    state: Bytes  # [state_bytes]
    choices: Int64s  # [choices] legal actions or outcomes
    weights: Float64s  # [choices] their probabilities, at chance nodes
    returns: Float64s  # [players]


class Playouts(NamedTuple):
    """What random games came to."""

    games: int
    plies: int
    mean_returns: list[float]
    deviations: list[float]  # standard deviation of the returns, player by player


def make_play_memory(game: Game) -> PlayMemory:
    choices = game.table.choices
    return PlayMemory(
        np.zeros(game.table.state_bytes, np.uint8),
        np.zeros(choices, np.int64),
        np.zeros(choices),
        np.zeros(game.players),
    )


def playouts(game: Game, games: int, rng: Generator) -> Playouts:
    """Play random games from the start: actions uniform, chance by its probabilities."""
    sums = np.zeros((2, game.players))
    plies = run_playouts(game.table, games, make_play_memory(game), sums, rng)
    if plies == BROKEN:
        raise broken_law(game)
    mean = sums[0] / games
    spread = np.sqrt(np.maximum(sums[1] / games - mean * mean, 0.0))
    return Playouts(games, int(plies), mean.tolist(), spread.tolist())


def largest_return(game: Game) -> float:
    """Return what a player can win or lose at most: as declared, else the largest in some random games, at least 1."""
    return _measured_return(game) if game.largest_return is None else game.largest_return


def return_size(game: Game) -> float:
    """Return how large the returns of random games are: the root of their mean square. Always the same games."""
    found = playouts(game, UNIT_GAMES, generator(0))
    squares = [mean**2 + deviation**2 for mean, deviation in zip(found.mean_returns, found.deviations, strict=True)]
    return math.sqrt(sum(squares) / len(squares)) or 1.0


@lru_cache(GAMES_MEASURED)
def _measured_return(game: Game) -> float:
    """Play some games, always the same ones."""
    rng = generator(0)
    return max(1.0, *(abs(won) for _ in range(SOME_GAMES) for won in playouts(game, 1, rng).mean_returns))


@kernel
def run_playouts(game: Table, games: int, memory: PlayMemory, sums: Float64s, rng: Generator) -> int:
    """Add each player's returns and their squares to `sums` [2, players]; return the plies played, or BROKEN.

    One kernel rather than two: the second would add half a second to a user's very first playout.
    """
    plies, rollouts = 0, UniformRollouts(memory.weights)
    for _ in range(games):
        memory.state[:] = 0
        game.start(pointer(memory.state))
        played = roll_out(rollouts, game, memory.state, memory.choices, game.plies, rng)
        if played < 0:
            return BROKEN
        plies += played
        game.returns(pointer(memory.state), pointer(memory.returns))
        for i in range(game.players):
            sums[0, i] += memory.returns[i]
            sums[1, i] += memory.returns[i] ** 2
    return plies
