"""What a position is worth where a search looks no further: a draw, or what random games from there win on average.

The random games of a position follow from its key and a seed, so that it is worth the same whenever a search comes to
it. One drawn game is counted with them: a certain win is worth more than any estimate.
"""

from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer
from forethought.compiler.rows import copy_row
from forethought.game import Game, Table
from forethought.playouts import PlayMemory, make_play_memory
from forethought.randomness import Generator
from forethought.rollouts import UniformRollouts, roll_out
from forethought.status import BROKEN, DONE


class Leaves(NamedTuple):
    """How leaves are evaluated, and the memory for it."""

    rollouts: int  # random games from a leaf; 0: it counts as a draw
    seed: np.uint64
    memory: PlayMemory
    totals: Float64s  # [players] of the returns
    rng: Generator
    evaluated: Int64s  # [1] leaves so far


def make_leaves(game: Game, rollouts: int = 0, seed: int = 0) -> Leaves:
    memory, rng = make_play_memory(game), np.zeros(4, np.uint64)
    return Leaves(rollouts, np.uint64(seed), memory, np.zeros(game.players), rng, np.zeros(1, np.int64))


@kernel
def evaluate_leaf(game: Table, leaves: Leaves, record: Bytes, key: Any) -> int:
    """Write to `totals` what each player wins on average; return DONE or BROKEN."""
    memory, totals = leaves.memory, leaves.totals
    leaves.evaluated[0] += 1
    totals[:] = 0.0
    seed_by_key(leaves.rng, key ^ leaves.seed)
    for _ in range(leaves.rollouts):
        copy_row(record[: game.state_bytes], memory.state)
        rollouts = UniformRollouts(memory.weights)
        if roll_out(rollouts, game, memory.state, memory.choices, game.plies, leaves.rng) < 0:
            return BROKEN
        game.returns(pointer(memory.state), pointer(memory.returns))
        for player in range(game.players):
            totals[player] += memory.returns[player] / (leaves.rollouts + 1)
    return DONE


@inlined_kernel
def seed_by_key(rng: Generator, key: Any) -> None:
    """Fill a generator by SplitMix64, as the authors of xoshiro advise."""
    for i in range(4):
        key += np.uint64(0x9E3779B97F4A7C15)
        mixed = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        rng[i] = mixed ^ (mixed >> np.uint64(31))
