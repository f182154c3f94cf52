"""Random games: the simplest walk, the speed of the rules, and the value of play without thought."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.compiler import inlined_kernel, kernel, pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.randomness import Generator, below, choose, generator

SOME_GAMES = 200
CUT, BROKEN = -1, -2  # in place of a number of plies


class Scratch(NamedTuple):
    """The memory of one walk, made once and used for all its steps."""

    state: npt.NDArray[np.uint8]  # [state_bytes]
    choices: npt.NDArray[np.int64]  # [choices] legal actions or outcomes
    weights: npt.NDArray[np.float64]  # [choices] their probabilities, at chance nodes
    returns: npt.NDArray[np.float64]  # [players]


class Playouts(NamedTuple):
    """What random games came to."""

    games: int
    plies: int
    mean_returns: list[float]
    deviations: list[float]  # standard deviation of the returns, player by player


def make_scratch(game: Game) -> Scratch:
    choices = game.table.choices
    return Scratch(
        np.zeros(game.table.state_bytes, np.uint8),
        np.zeros(choices, np.int64),
        np.zeros(choices),
        np.zeros(game.players),
    )


def playouts(game: Game, games: int, rng: Generator) -> Playouts:
    """Play random games from the start: actions uniform, chance by its probabilities."""
    sums = np.zeros((2, game.players))
    plies = run_playouts(game.table, games, make_scratch(game), sums, rng)
    if plies < 0:
        raise game.mistake(f"a random game did not end within the declared {game.plies} plies, or had no legal action")
    mean = sums[0] / games
    spread = np.sqrt(np.maximum(sums[1] / games - mean * mean, 0.0))
    return Playouts(games, int(plies), mean.tolist(), spread.tolist())


def largest_return(game: Game) -> float:
    """Return the largest absolute return among some random games, always the same ones; at least 1."""
    rng = generator(0)
    return max(1.0, *(abs(won) for _ in range(SOME_GAMES) for won in playouts(game, 1, rng).mean_returns))


@kernel
def run_playouts(game: Table, games: int, scratch: Scratch, sums: npt.NDArray[np.float64], rng: Generator) -> int:
    """Add each player's returns and their squares to `sums` [2, players]; return plies played, -1 if a law broke.

    One kernel rather than two: the second would add half a second to a user's very first playout.
    """
    plies = 0
    for _ in range(games):
        scratch.state[:] = 0
        game.start(pointer(scratch.state))
        played = roll_out(game, scratch.state, scratch.choices, scratch.weights, game.plies, rng)
        if played < 0:
            return -1
        plies += played
        game.returns(pointer(scratch.state), pointer(scratch.returns))
        for i in range(game.players):
            sums[0, i] += scratch.returns[i]
            sums[1, i] += scratch.returns[i] ** 2
    return plies


@inlined_kernel
def roll_out(
    game: Table,
    state: npt.NDArray[np.uint8],
    choices: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
    limit: int,
    rng: Generator,
) -> int:
    """Play at random from a state to the end; return how many plies that took, CUT if over the limit, or BROKEN."""
    s, plies = pointer(state), 0
    player = game.player(s)
    while player != TERMINAL:
        if plies == limit:
            return CUT
        count = game.legal(s, pointer(choices))
        if count < 1 or count > game.choices:
            return BROKEN
        if player == CHANCE:
            game.chance(s, pointer(weights))
            choice = choose(weights, count, rng)
        else:
            choice = below(count, rng)
        game.apply(s, choices[choice])
        player = game.player(s)
        plies += 1
    return plies
