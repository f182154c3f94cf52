"""Targeting: which actions can still lead to the current position, as far as an observer knows it.

A *target* is what the observer knows at the current position: a player's facts (information-set targeting), or the
PUBLIC ones (public targeting). In target are the plays after which the observer knows all of these facts and none that
contradict them. As facts only grow, an action can lead there only if the facts after it are a subset of the target, or
the target is a subset of them. This works for every game and never excludes an action wrongly; it may keep actions that
cannot reach the target. For games with the rule `reaches` the answer is exact.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import inlined_kernel, pointer
from forethought.game import PUBLIC, Game, Table


class Target(NamedTuple):
    """What the observer knows; without any facts there is no target, and every play is in it."""

    observer: int
    known: int
    facts: Int64s  # [fact_count] in the order the rule wrote them
    holds: Bytes  # [fact_count] 1 for each of them


class Trial(NamedTuple):
    """Memory for trying actions."""

    state: Bytes  # [state_bytes]
    facts: Int64s  # [fact_count]
    in_target: Bytes  # [choices]


def make_target(game: Game, observer: int, facts: Sequence[int]) -> Target:
    """Return the target of an observer's facts."""
    written, holds = np.zeros(game.facts, np.int64), np.zeros(game.facts, np.uint8)
    written[: len(facts)] = facts
    holds[written[: len(facts)]] = 1
    return Target(observer, len(facts), written, holds)


def no_target(game: Game) -> Target:
    return make_target(game, PUBLIC, ())


def make_trial(game: Game) -> Trial:
    table = game.table
    return Trial(
        np.zeros(table.state_bytes, np.uint8), np.zeros(game.facts, np.int64), np.zeros(table.choices, np.uint8)
    )


@inlined_kernel
def has_arrived(game: Table, s: Any, target: Target, trial: Trial) -> bool:
    """Whether the observer knows all of the target."""
    known = game.facts(s, target.observer, pointer(trial.facts))
    return known >= target.known and shared_facts(trial.facts, known, target) == target.known


@inlined_kernel
def shared_facts(facts: Int64s, known: int, target: Target) -> int:
    shared = 0
    for i in range(known):
        shared += target.holds[facts[i]]
    return shared


@inlined_kernel
def mark_in_target(game: Table, state: Bytes, actions: Int64s, count: int, target: Target, trial: Trial) -> None:
    """Mark the actions after which a play can still reach the target, or has reached it."""
    for i in range(count):
        if game.has_reaches:
            reaches = game.reaches(pointer(state), actions[i], target.observer, pointer(target.facts), target.known)
            fits = reaches != 0
        else:
            fits = facts_fit(game, state, actions[i], target, trial)
        trial.in_target[i] = fits


@inlined_kernel
def facts_fit(game: Table, state: Bytes, action: int, target: Target, trial: Trial) -> bool:
    """Whether the facts after an action are a subset of the target, or the target is a subset of them."""
    for i in range(len(state)):
        trial.state[i] = state[i]
    game.apply(pointer(trial.state), action)
    known = game.facts(pointer(trial.state), target.observer, pointer(trial.facts))
    return shared_facts(trial.facts, known, target) == min(known, target.known)


@inlined_kernel
def restrict(weights: Float64s, count: int, in_target: Bytes, restricted: Float64s) -> float:
    """Write the distribution conditioned on staying in target; return the probability of that, 0 if it cannot."""
    total = 0.0
    for i in range(count):
        if in_target[i]:
            total += weights[i]
    if total > 0.0:
        for i in range(count):
            restricted[i] = weights[i] / total if in_target[i] else 0.0
    return total
