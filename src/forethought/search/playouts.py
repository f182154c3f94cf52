"""Random games: the simplest walk, the speed of the rules, and the value of play without thought."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.compiler import kernel, pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.randomness import Generator, below, choose


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


@kernel
def run_playouts(game: Table, games: int, scratch: Scratch, sums: npt.NDArray[np.float64], rng: Generator) -> int:
    """Add each player's returns and their squares to `sums` [2, players]; return plies played, -1 if a law broke.

    One kernel rather than two: the second would add half a second to a user's very first playout.
    """
    s, out = pointer(scratch.state), pointer(scratch.choices)
    weights, won = pointer(scratch.weights), pointer(scratch.returns)
    plies = 0
    for _ in range(games):
        scratch.state[:] = 0
        game.start(s)
        player = game.player(s)
        end = plies + game.plies
        while player != TERMINAL:
            count = game.legal(s, out)
            if count < 1 or count > game.choices or plies == end:
                return -1
            if player == CHANCE:
                game.chance(s, weights)
                choice = choose(scratch.weights, count, rng)
            else:
                choice = below(count, rng)
            game.apply(s, scratch.choices[choice])
            player = game.player(s)
            plies += 1
        game.returns(s, won)
        for i in range(game.players):
            sums[0, i] += scratch.returns[i]
            sums[1, i] += scratch.returns[i] ** 2
    return plies
