"""Play by pattern policies: one gives the priors of a search, one plays its roll-outs (`forethought/rollouts.py`)."""

from typing import NamedTuple

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer
from forethought.game import Game, Table
from forethought.patterns.incremental import (
    PatternMemory,
    copy_active,
    make_pattern_memory,
    start_from_empty,
    target_site,
    update,
    write_policy,
)
from forethought.patterns.policies import Policies
from forethought.randomness import Generator, uniform
from forethought.rollouts import begin_rollouts, enter_leaf, roll_out, rollout_choice, write_priors
from forethought.status import BROKEN, CUT


class PatternRollouts(NamedTuple):
    """Policies, and the memory of one search or one series of games."""

    policies: Policies
    memory: PatternMemory
    weights: Float64s  # [choices]

    @property
    def gives_priors(self) -> bool:
        return True


def pattern_rollouts(game: Game, policies: Policies) -> PatternRollouts:
    """Return a roll-out policy; it follows later changes of the weights."""
    memory = make_pattern_memory(game, policies.patterns)
    return PatternRollouts(policies, memory, memory.chances)


@begin_rollouts.register(PatternRollouts)
@inlined_kernel
def begin_at_root(rollouts: PatternRollouts, game: Table, root: Bytes) -> None:
    """Find what matches at the root, where simulations begin."""
    policies, memory = rollouts.policies, rollouts.memory
    start_from_empty(policies, memory)
    update(game, policies, memory, root)
    copy_active(memory.now, memory.root)


@enter_leaf.register(PatternRollouts)
@inlined_kernel
def update_from_root(rollouts: PatternRollouts, game: Table, state: Bytes) -> None:
    memory = rollouts.memory
    copy_active(memory.root, memory.now)
    update(game, rollouts.policies, memory, state)


@write_priors.register(PatternRollouts)
@inlined_kernel
def write_pattern_priors(rollouts: PatternRollouts, player: int, actions: Int64s, count: int, out: Float64s) -> None:
    write_policy(rollouts.policies, rollouts.memory.now, player, actions, count, out)


@rollout_choice.register(PatternRollouts)
@inlined_kernel
def choose_by_patterns(
    rollouts: PatternRollouts, game: Table, state: Bytes, player: int, actions: Int64s, count: int, rng: Generator
) -> int:
    if count == 1:
        return 0
    update(game, rollouts.policies, rollouts.memory, state)
    return draw(rollouts.policies, rollouts.memory, player, actions, count, rng)


@inlined_kernel
def draw(policies: Policies, memory: PatternMemory, player: int, actions: Int64s, count: int, rng: Generator) -> int:
    """Draw one of the legal actions; return its place."""
    patterns, active, chances = policies.patterns, memory.now, memory.chances
    mass, total = active.mass, 0.0
    for i in range(count):
        action = actions[i]
        weight = mass[2 * target_site(patterns, active.owners, action) + player]
        if patterns.carries:
            from_there, itself = patterns.origins[action], 2 * patterns.cells + action
            weight *= mass[2 * from_there + player] * mass[2 * itself + player]
        chances[i] = weight
        total += weight
    rest = uniform(rng) * total
    for i in range(count - 1):
        rest -= chances[i]
        if rest < 0.0:
            return i
    return count - 1


@kernel
def play_games(
    game: Table, rollouts: PatternRollouts, games: int, limit: int, state: Bytes, actions: Int64s, rng: Generator
) -> int:
    """Play games from the start; return how many plies they took, or BROKEN."""
    memory, plies = rollouts.memory, 0
    start_from_empty(rollouts.policies, memory)
    for _ in range(games):
        copy_active(memory.empty, memory.now)
        state[:] = 0
        game.start(pointer(state))
        played = roll_out(rollouts, game, state, actions, limit, rng)
        if played == BROKEN:
            return BROKEN
        plies += limit if played == CUT else played
    return plies
