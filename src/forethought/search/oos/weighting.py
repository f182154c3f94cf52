"""The constant by which a search scales its updates, computed on the tree in memory.

Under the average strategies of the tree, let p0 be the probability that an untargeted play reaches the target, and p1
that a targeted one does. OOS scales every update of a search by 1 - delta + delta p1 / p0, so that new updates are not
outweighed by earlier ones, made when this target was rarely reached. Plays are followed as far as they are in memory.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s, Int64s
from forethought.compiler import kernel, pointer, row_pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.search.infosets import NO_ROW, find_row, key_of
from forethought.search.oos.targeting import Target, Trial, has_arrived, make_trial, mark_in_target, restrict
from forethought.search.regret import Regrets


class TargetStack(NamedTuple):
    """The play that is being followed, one row per depth."""

    states: npt.NDArray[np.uint8]  # [plies + 1, state_bytes]
    actions: Int64s  # [plies + 1, choices]
    counts: Int64s  # [plies + 1]
    tried: Int64s  # [plies + 1]
    plain: Float64s  # [plies + 1, choices] probability of each action
    aimed: Float64s  # [plies + 1, choices] the same, given that it stays in target
    reached: Float64s  # [plies + 1, 2] probability of the play so far: untargeted, targeted


def hit_probability(game: Game, table: Regrets, target: Target) -> float:
    """Return p0 / p1; 1 if there is no target, or nothing in memory leads to it."""
    if target.known == 0:
        return 1.0
    depth, choices = game.plies + 1, game.table.choices
    stack = TargetStack(
        np.zeros((depth, game.table.state_bytes), np.uint8),
        np.zeros((depth, choices), np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros((depth, choices)),
        np.zeros((depth, choices)),
        np.zeros((depth, 2)),
    )
    sums = np.zeros(2)
    add_arrivals(game.table, table, target, stack, make_trial(game), np.zeros(game.facts, np.int64), sums)
    return float(sums[0] / sums[1]) if sums[0] > 0.0 else 1.0


@kernel
def add_arrivals(
    game: Table, table: Regrets, target: Target, stack: TargetStack, trial: Trial, facts: Int64s, sums: Float64s
) -> None:
    """Follow every play that can reach the target; add up the probabilities of those that do."""
    game.start(row_pointer(stack.states, 0))
    stack.reached[0] = 1.0
    depth = 0
    open_play(game, table, target, stack, depth, trial, facts, sums)
    while depth >= 0:
        choice = stack.tried[depth]
        if choice == stack.counts[depth]:
            depth -= 1
            continue
        stack.tried[depth] += 1
        if stack.aimed[depth, choice] == 0.0:
            continue
        for i in range(game.state_bytes):
            stack.states[depth + 1, i] = stack.states[depth, i]
        stack.reached[depth + 1, 0] = stack.reached[depth, 0] * stack.plain[depth, choice]
        stack.reached[depth + 1, 1] = stack.reached[depth, 1] * stack.aimed[depth, choice]
        game.apply(row_pointer(stack.states, depth + 1), stack.actions[depth, choice])
        depth += 1
        open_play(game, table, target, stack, depth, trial, facts, sums)


@kernel
def open_play(
    game: Table,
    table: Regrets,
    target: Target,
    stack: TargetStack,
    depth: int,
    trial: Trial,
    facts: Int64s,
    sums: Float64s,
) -> None:
    """List the actions that continue a play: none if it has arrived, left the memory, or cannot arrive."""
    state, actions, plain = stack.states[depth], stack.actions[depth], stack.plain[depth]
    s = pointer(state)
    stack.tried[depth] = stack.counts[depth] = 0
    if has_arrived(game, s, target, trial):
        sums[0] += stack.reached[depth, 0]
        sums[1] += stack.reached[depth, 1]
        return
    player = game.player(s)
    if player == TERMINAL or depth == game.plies:
        return
    count = game.legal(s, pointer(actions))
    if player == CHANCE:
        game.chance(s, pointer(plain))
    elif not write_mean(table, facts, game.facts(s, player, pointer(facts)), count, plain):
        return
    mark_in_target(game, state, actions, count, target, trial)
    if restrict(plain, count, trial.in_target, stack.aimed[depth]) > 0.0:
        stack.counts[depth] = count


@kernel
def write_mean(table: Regrets, facts: Int64s, known: int, count: int, mean: Float64s) -> bool:
    """Write the average strategy of an information set; return whether it is in memory."""
    first = find_row(table.infosets, key_of(facts, known))
    if first == NO_ROW:
        return False
    total = 0.0
    for i in range(count):
        mean[i] = table.entries[first + count + i]
        total += mean[i]
    for i in range(count):
        mean[i] = mean[i] / total if total > 0.0 else 1.0 / count
    return True
