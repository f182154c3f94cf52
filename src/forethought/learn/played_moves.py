"""Moves that were played, as linear policies on patterns see them: kernels for learning from recorded games.

The policy is softmax(Phi theta), Phi telling which patterns are active for which move (`gradients.py`). Positions of a
data set are many, and of each only a short list of active patterns matters: so it is made, used and forgotten row by
row.
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel
from forethought.game import Game
from forethought.patterns.incremental import (
    PatternMemory,
    change,
    copy_active,
    list_active,
    make_pattern_memory,
    start_from_empty,
)
from forethought.patterns.policies import Joined, Policies
from forethought.records.positions import Positions

LOG_LOSS, CORRECT, MEASURES = range(3)  # what `weigh_moves` measures: sums over rows


class MoveWork(NamedTuple):
    """Scratch memory for one position."""

    memory: PatternMemory
    active: Int64s  # [actions * patterns] active patterns of each move, one list after another
    ends: Int64s  # [choices] of each move's list
    chances: Float64s  # [choices]


def make_move_work(game: Game, patterns: Joined) -> MoveWork:
    choices = game.table.choices
    most = max(patterns.split, patterns.patterns - patterns.split)
    return MoveWork(
        make_pattern_memory(game, patterns),
        np.zeros(choices * max(1, most), np.int64),
        np.zeros(choices, np.int64),
        np.zeros(choices),
    )


@kernel
def weigh_moves(  # noqa: PLR0913, PLR0917 (a kernel takes its arrays one by one)
    policies: Policies,
    positions: Positions,
    rows: Int64s,
    weights: Float64s,
    work: MoveWork,
    gradient: Float64s,
    errors: Float64s,
    measures: Float64s,
) -> None:
    """Compare what a policy says of some rows with what was played there.

    Add the gradient of the cross-entropy by the weights of both players, and what is measured. `errors` [rows, choices]
    are the probabilities minus 1 for the move that was played.
    """
    start_from_empty(policies, work.memory)
    for i in range(len(rows)):
        row = rows[i]
        count, played, player = positions.counts[row], positions.played[row], positions.movers[row]
        offset = player * policies.patterns.split
        set_up(policies, work.memory, positions, row)
        actions = positions.actions[row][:count]
        list_active(policies.patterns, work.memory.now, player, actions, work.active, work.ends)
        add_weights(work, count, weights[offset:])
        measure(work.chances, count, played, measures)
        softmax_in_place(work.chances, count)
        begin = 0
        for k in range(count):
            errors[i, k] = work.chances[k] - (k == played)
            for place in range(begin, work.ends[k]):
                gradient[offset + work.active[place]] += errors[i, k]
            begin = work.ends[k]


@inlined_kernel
def set_up(policies: Policies, memory: PatternMemory, positions: Positions, row: int) -> None:
    """Put the pieces of a position, as its mover knows them, on the board."""
    cells, player = policies.patterns.cells, positions.movers[row]
    copy_active(memory.empty, memory.now)
    for place in range(positions.known[row]):
        fact = positions.facts[row, place]
        if fact < 2 * cells:
            mine = fact < cells
            change(policies, memory.now, fact if mine else fact - cells, 1 + (player if mine else 1 - player))


@inlined_kernel
def add_weights(work: MoveWork, count: int, weights: Float64s) -> None:
    """Write the sum of the weights of each move's active patterns."""
    begin = 0
    for k in range(count):
        work.chances[k] = 0.0
        for place in range(begin, work.ends[k]):
            work.chances[k] += weights[work.active[place]]
        begin = work.ends[k]


@inlined_kernel
def measure(logits: Float64s, count: int, played: int, measures: Float64s) -> None:
    """Add the log-loss of a move, and whether it is the likeliest; moves that are equally likely share that."""
    highest, ties, total = logits[0], 0, 0.0
    for k in range(1, count):
        highest = max(highest, logits[k])
    for k in range(count):
        ties += logits[k] == highest
        total += np.exp(logits[k] - highest)
    measures[LOG_LOSS] += highest + np.log(total) - logits[played]
    if logits[played] == highest:
        measures[CORRECT] += 1.0 / ties


@inlined_kernel
def softmax_in_place(logits: Float64s, count: int) -> None:
    highest, total = logits[0], 0.0
    for k in range(1, count):
        highest = max(highest, logits[k])
    for k in range(count):
        logits[k] = np.exp(logits[k] - highest)
        total += logits[k]
    for k in range(count):
        logits[k] /= total
