"""Random games: steps of play that all kernels share, the speed of the rules, and the value of random play."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.randomness import Generator, below, choose, generator
from forethought.status import BROKEN, CUT, broken_law

SOME_GAMES = 200  # in which the largest return is looked for
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
    plies = 0
    for _ in range(games):
        memory.state[:] = 0
        game.start(pointer(memory.state))
        played = roll_out(game, memory.state, memory.choices, memory.weights, game.plies, rng)
        if played < 0:
            return BROKEN
        plies += played
        game.returns(pointer(memory.state), pointer(memory.returns))
        for i in range(game.players):
            sums[0, i] += memory.returns[i]
            sums[1, i] += memory.returns[i] ** 2
    return plies


@inlined_kernel
def roll_out(game: Table, state: Bytes, choices: Int64s, weights: Float64s, limit: int, rng: Generator) -> int:
    """Play at random from a state to the end; return how many plies that took, CUT if over the limit, or BROKEN."""
    s, plies = pointer(state), 0
    player = game.player(s)
    while player != TERMINAL:
        if plies == limit:
            return CUT
        count = write_legal(game, s, pointer(choices))
        if count == BROKEN:
            return BROKEN
        choice = draw_outcome(game, s, weights, count, rng) if player == CHANCE else below(count, rng)
        game.apply(s, choices[choice])
        player = game.player(s)
        plies += 1
    return plies


@inlined_kernel
def write_legal(game: Table, s: Any, choices: Any) -> int:
    """Write what may be done, or may happen, to where `choices` points; return how many, or BROKEN."""
    count = game.legal(s, choices)
    return count if 1 <= count <= game.choices else BROKEN


@inlined_kernel
def draw_outcome(game: Table, s: Any, weights: Float64s, count: int, rng: Generator) -> int:
    """Let chance act; return the place of its outcome among the legal ones."""
    game.chance(s, pointer(weights))
    return choose(weights, count, rng)
