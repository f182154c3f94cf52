"""What linear softmax policies learn by: the gradients of their objectives, and the optimiser that follows them.

A policy's probabilities are pi = softmax(Phi theta), Phi telling which patterns are active for which move. To learn

- what the expert visits (M), descend the cross-entropy:    Phi^T (pi - M)
- what the expert values (Q), climb the expected value:     Phi^T (pi * (Q - pi.Q))

The second is the Tree-Search Policy Gradient. It vanishes for moves of no probability, however good, so its weights are
an offset on top of those of the first, which are not moved by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int64s


class PatternSample(NamedTuple):
    """One position: the active patterns of each move, one list after another, and what the expert found."""

    active: Int64s
    ends: Int64s  # [moves] of each move's list
    targets: Float64s  # [moves] M: shares of visits
    values: Float64s  # [moves] Q: mean values


class PatternBatch(NamedTuple):
    """Lessons, their moves one after another."""

    active: Int64s
    rows: Int64s  # [active] the move of each
    first: Int64s  # [lessons] the first move of each
    lesson: Int64s  # [moves] the lesson of each
    targets: Float64s
    values: Float64s


def batch_of(lessons: Sequence[PatternSample]) -> PatternBatch:
    """Join lessons."""
    moves = np.array([len(one.ends) for one in lessons])
    lengths = np.concatenate([np.diff(one.ends, prepend=0) for one in lessons])
    return PatternBatch(
        np.concatenate([one.active for one in lessons]),
        np.repeat(np.arange(len(lengths)), lengths),
        np.cumsum(moves) - moves,
        np.repeat(np.arange(len(lessons)), moves),
        np.concatenate([one.targets for one in lessons]),
        np.concatenate([one.values for one in lessons]),
    )


def policy_of(batch: PatternBatch, weights: Float64s) -> Float64s:
    """Return the probability of each move in its position."""
    logits = np.bincount(batch.rows, weights[batch.active], len(batch.lesson))
    risen = np.exp(logits - np.maximum.reduceat(logits, batch.first)[batch.lesson])
    policy: Float64s = risen / np.add.reduceat(risen, batch.first)[batch.lesson]
    return policy


def cross_entropy(batch: PatternBatch, weights: Float64s) -> float:
    """Return the mean cross-entropy of the policy from the shares of visits."""
    policy = policy_of(batch, weights)
    return -float(batch.targets @ np.log(policy)) / len(batch.first)


def cross_entropy_gradient(batch: PatternBatch, weights: Float64s) -> Float64s:
    """Return by what the mean cross-entropy grows with each weight."""
    return _pulled_back(batch, policy_of(batch, weights) - batch.targets, len(weights))


def expected_value(batch: PatternBatch, weights: Float64s) -> float:
    """Return the mean value of positions if the policy moves once, by the expert's estimates."""
    return float(policy_of(batch, weights) @ batch.values) / len(batch.first)


def expected_value_gradient(batch: PatternBatch, weights: Float64s) -> Float64s:
    """Return by what the mean value grows with each weight: the Tree-Search Policy Gradient."""
    policy = policy_of(batch, weights)
    means = np.add.reduceat(policy * batch.values, batch.first)[batch.lesson]
    return _pulled_back(batch, policy * (batch.values - means), len(weights))


def _pulled_back(batch: PatternBatch, errors: Float64s, patterns: int) -> Float64s:
    """Return Phi^T errors, the mean over the lessons."""
    return np.bincount(batch.active, errors[batch.rows], patterns) / len(batch.first)


@dataclass(frozen=True)
class RMSPropParameters:
    """The parameters of centred RMSProp; defaults are the numbers of the paper."""

    rate: float = 0.005
    momentum: float = 0.9
    decay: float = 0.9
    epsilon: float = 1e-8
    divided: bool = True  # the rate by the number of weights

    def rate_for(self, weights: int) -> float:
        return self.rate / max(1, weights) if self.divided else self.rate


class CentredRMSProp:
    """Weights that follow a gradient by centred RMSProp with momentum (Graves, 2013)."""

    def __init__(self, parameters: RMSPropParameters, count: int) -> None:
        self._parameters = parameters
        self.weights, self.squares, self.means, self.speed = (np.zeros(count) for _ in range(4))

    def follow(self, gradient: Float64s) -> None:
        """Take a step uphill."""
        parameters = self._parameters
        self.squares += (1.0 - parameters.decay) * (gradient * gradient - self.squares)
        self.means += (1.0 - parameters.decay) * (gradient - self.means)
        spread = np.sqrt(self.squares - self.means * self.means + parameters.epsilon)
        self.speed = parameters.momentum * self.speed + parameters.rate_for(len(gradient)) * gradient / spread
        self.weights = self.weights + self.speed

    def grow(self, count: int) -> None:
        """Go on with so many weights more, all zero."""
        for name, array in self.state().items():
            setattr(self, name, np.append(array, np.zeros(count)))

    def state(self) -> dict[str, Float64s]:
        """Return all that further steps depend on."""
        return {name: getattr(self, name) for name in ("weights", "squares", "means", "speed")}

    def restore(self, state: dict[str, Float64s]) -> None:
        """Become what had this state."""
        for name, array in state.items():
            setattr(self, name, array.copy())
