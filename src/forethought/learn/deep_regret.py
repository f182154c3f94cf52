"""The losses of Deep CFR, as gradients by a network's outputs.

Advantages learn by half the squared error over all legal actions, the average strategy by the cross-entropy; both with
the weights of the rows. The baseline learns by expected SARSA: towards the reward or, at the next decision, what the
baseline itself expects of the strategy there; its errors are `deep_q.q_slopes`. Legal actions are not remembered; the
rules tell them again.
"""

import numpy as np

from forethought.arrays import Float32s, Float64s, Int64s
from forethought.compiler import kernel, pointer, row_pointer
from forethought.game import Table
from forethought.learn.outcome_traversals import (
    HistoryTransitions,
    SampledAdvantages,
    SampledStrategies,
    match_advantages,
)
from forethought.learn.policy_gradient import log_softmax


@kernel
def advantage_slopes(
    game: Table, rows: SampledAdvantages, outputs: Float32s, scale: float, spare: Int64s, slopes: Float32s
) -> float:
    """Write the gradient of half the mean weighed squared error; return the sum of squares. Weights are scaled."""
    total, size = 0.0, len(rows.weights)
    for row in range(size):
        count, weight = game.legal(row_pointer(rows.states, row), pointer(spare)), scale * rows.weights[row]
        slopes[row][:] = 0.0
        for k in range(count):
            error = np.float64(outputs[row, spare[k]]) - rows.targets[row, k]
            slopes[row, spare[k]] = weight * error / size
            total += weight * error * error
    return total


@kernel
def strategy_slopes(
    game: Table,
    rows: SampledStrategies,
    logits: Float32s,
    scale: float,
    spare: Int64s,
    logs: Float64s,
    slopes: Float32s,
) -> float:
    """Write the gradient of the mean weighed cross-entropy; return the sum of cross-entropies. Weights are scaled."""
    total, size = 0.0, len(rows.weights)
    for row in range(size):
        count, weight = game.legal(row_pointer(rows.states, row), pointer(spare)), scale * rows.weights[row]
        log_softmax(logits[row], spare, count, logs)
        slopes[row][:] = 0.0
        for k in range(count):
            slopes[row, spare[k]] = weight * (np.exp(logs[k]) - rows.targets[row, k]) / size
            total -= weight * rows.targets[row, k] * logs[k]
    return total


@kernel
def sarsa_targets(
    game: Table,
    rows: HistoryTransitions,
    advantages: Float32s,
    values: Float32s,
    spare: Int64s,
    strategy: Float64s,
    out: Float32s,
) -> None:
    """Write what the baseline should be; `advantages` and `values` are the networks' at the next decisions.

    The game is a zero-sum one of two players: what one wins, the other loses.
    """
    for row in range(len(out)):
        out[row] = rows.rewards[row]
        if rows.ended[row] == 0:
            count, expected = game.legal(row_pointer(rows.following, row), pointer(spare)), 0.0
            match_advantages(advantages[row], spare, count, strategy)
            for k in range(count):
                expected += strategy[k] * values[row, spare[k]]
            out[row] += expected if rows.following_players[row] == rows.players[row] else -expected
