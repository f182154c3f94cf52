"""The losses of Neural Fictitious Self-Play, as gradients by a network's outputs.

Action values learn by deep Q-learning: half the squared error from r + max over the legal actions of the next decision
of the target network's values, without discount. The average strategy learns by the cross-entropy from the actions that
were played. Legal actions are not remembered; the rules tell them again.
"""

from typing import Protocol

import numpy as np

from forethought.arrays import Float32s, Float64s, Int32s, Int64s
from forethought.compiler import kernel, pointer, row_pointer
from forethought.game import Table
from forethought.learn.fictitious_play import Imitations, Transitions
from forethought.learn.policy_gradient import log_softmax


class ActionsTaken(Protocol):
    """Decisions, of which the action that was played is known."""

    @property
    def actions(self) -> Int32s: ...


@kernel
def q_targets(game: Table, rows: Transitions, values: Float32s, spare: Int64s, out: Float32s) -> None:
    """Write what action values should be; `values` are the target network's where each row's player decides next."""
    for row in range(len(out)):
        out[row] = rows.rewards[row]
        if rows.ended[row] == 0:
            count, best = game.legal(row_pointer(rows.following, row), pointer(spare)), -np.inf
            for k in range(count):
                best = max(best, values[row, spare[k]])
            out[row] += best


@kernel
def q_slopes(rows: ActionsTaken, targets: Float32s, values: Float32s, slopes: Float32s) -> float:
    """Write the gradient of half the mean squared error by the values; return the sum of squares."""
    total, count = 0.0, len(targets)
    for row in range(count):
        action = rows.actions[row]
        error = np.float64(values[row, action]) - targets[row]
        slopes[row][:] = 0.0
        slopes[row, action] = error / count
        total += error * error
    return total


@kernel
def imitation_slopes(
    game: Table, rows: Imitations, logits: Float32s, spare: Int64s, logs: Float64s, slopes: Float32s
) -> float:
    """Write the gradient of the mean cross-entropy by the logits; return the sum of cross-entropies."""
    total, size = 0.0, len(rows.actions)
    for row in range(size):
        count = game.legal(row_pointer(rows.states, row), pointer(spare))
        log_softmax(logits[row], spare, count, logs)
        slopes[row][:] = 0.0
        for k in range(count):
            played = spare[k] == rows.actions[row]
            slopes[row, spare[k]] = (np.exp(logs[k]) - played) / size
            if played:
                total -= logs[k]
    return total
