"""Playing on from a position, in kernels: the steps of play that all share, and policies that play to the end.

A *roll-out policy* is a named tuple with room for the probabilities of chance (`weights`), and with four kernels that
are registered for its class. A search calls them in this order:

    begin_rollouts(rollouts, game, root)                   simulations begin at this state from now on
    enter_leaf(rollouts, game, state)                      a simulation has come to a leaf of the tree
    write_priors(rollouts, player, actions, count, out)    what the policy does there, if it `gives_priors`
    rollout_choice(rollouts, game, state, player, actions, count, rng)
                                                           draw an action; return its place among the legal ones
"""

from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import dispatched, inlined_kernel, pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.randomness import Generator, below, choose
from forethought.status import BROKEN, CUT

begin_rollouts = dispatched("begin_rollouts")
enter_leaf = dispatched("enter_leaf")
write_priors = dispatched("write_priors")
rollout_choice = dispatched("rollout_choice")


@inlined_kernel
def roll_out(rollouts: Any, game: Table, state: Bytes, choices: Int64s, limit: int, rng: Generator) -> int:
    """Play on from a state to the end; return how many plies that took, CUT if over the limit, or BROKEN."""
    s, plies = pointer(state), 0
    player = game.player(s)
    while player != TERMINAL:
        if plies == limit:
            return CUT
        count = write_legal(game, s, pointer(choices))
        if count == BROKEN:
            return BROKEN
        if player == CHANCE:
            choice = draw_outcome(game, s, rollouts.weights, count, rng)
        else:
            choice = rollout_choice(rollouts, game, state, player, choices, count, rng)
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


class UniformRollouts(NamedTuple):
    """Plays on at random: all legal actions are equally likely."""

    weights: Float64s  # [choices]

    @property
    def gives_priors(self) -> bool:
        return False


def uniform_rollouts(game: Game) -> UniformRollouts:
    return UniformRollouts(np.zeros(game.table.choices))


@begin_rollouts.register(UniformRollouts)
@inlined_kernel
def begin_anywhere(_rollouts: UniformRollouts, _game: Table, _root: Bytes) -> None:
    """Remember nothing."""


@enter_leaf.register(UniformRollouts)
@inlined_kernel
def enter_any_leaf(_rollouts: UniformRollouts, _game: Table, _state: Bytes) -> None:
    """Remember nothing."""


@write_priors.register(UniformRollouts)
@inlined_kernel
def write_equal_priors(_rollouts: UniformRollouts, _player: int, _actions: Int64s, count: int, out: Float64s) -> None:
    for i in range(count):
        out[i] = 1.0 / count


@rollout_choice.register(UniformRollouts)
@inlined_kernel
def choose_uniformly(
    _rollouts: UniformRollouts, _game: Table, _state: Bytes, _player: int, _actions: Int64s, count: int, rng: Generator
) -> int:
    return below(count, rng)
