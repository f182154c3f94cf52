"""Learning from decisions of self-play: the clipped policy gradient of PPO, drawn towards a magnet; and the critic.

For a row with the policy pi, the policy that played pi_old, the magnet's policy rho, the action a that was played and
its advantage A, the loss is

    - min(r A, clip(r, 1 - epsilon, 1 + epsilon) A)      r = pi(a) / pi_old(a)
    - temperature * H(pi) + magnet_weight * KL(pi, rho) + proximal_weight * KL(pi, pi_old)

The last three are sums of pi(k) s(k), with s linear in log pi. So their gradient by the logit of action k is
pi(k) (s(k) - sum of pi s), and that of the first is - r A (1[k = a] - pi(k)), or 0 where it is clipped.
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Float32s, Float64s, Int32s, Int64s
from forethought.compiler import kernel
from forethought.learn.lockstep import Decisions

SMALLEST = 1e-30  # probability whose logarithm is taken
LOSS, ENTROPY, MAGNET_WEIGHT, PROXIMAL_WEIGHT, CLIPPED, MEASURES = range(6)  # what `policy_slopes` measures


class Weights(NamedTuple):
    """The weights of the loss."""

    temperature: float  # alpha of the entropy
    magnet_weight: float  # weight of the divergence from the magnet
    proximal_weight: float  # weight of the divergence from the policy that played
    clip: float  # epsilon


class BatchUpdate(NamedTuple):
    """How networks are updated from one batch of games."""

    weights: Weights
    rate: float
    max_gradient_norm: float  # gradient of the actor
    epochs: int
    share: float  # of the new weights in their moving average


class Measures(NamedTuple):
    """Means over the rows of an update."""

    loss: float
    entropy: float
    magnet_weight: float  # divergence from the magnet
    proximal_weight: float  # divergence from the policy that played
    clipped: float
    value_loss: float


@kernel
def policy_slopes(
    decisions: Decisions,
    advantages: Float32s,
    order: Int64s,
    logits: Float32s,
    weights: Weights,
    logs: Float64s,
    slopes: Float32s,
    measures: Float64s,
) -> None:
    """Write the gradient of the mean loss by the logits of some rows; add what is measured to `measures`."""
    for i in range(len(order)):
        row = order[i]
        count, actions = decisions.counts[row], decisions.actions[row]
        old, magnet = decisions.policies[row], decisions.magnets[row]
        log_softmax(logits[i], actions, count, logs)
        mean, entropy, magnet_weight, proximal_weight = 0.0, 0.0, 0.0, 0.0
        for k in range(count):
            p = np.exp(logs[k])
            entropy -= p * logs[k]
            magnet_weight += p * (logs[k] - log_of(magnet[k]))
            proximal_weight += p * (logs[k] - log_of(old[k]))
        mean = (
            -weights.temperature * entropy
            + weights.magnet_weight * magnet_weight
            + weights.proximal_weight * proximal_weight
        )
        played, advantage = decisions.choices[row], np.float64(advantages[row])
        ratio = np.exp(logs[played] - log_of(old[played]))
        bound = min(max(ratio, 1.0 - weights.clip), 1.0 + weights.clip)
        clipped = ratio * advantage > bound * advantage
        pull = 0.0 if clipped else ratio * advantage
        slopes[i][:] = 0.0
        for k in range(count):
            p = np.exp(logs[k])
            s = weights.temperature * logs[k]
            s += weights.magnet_weight * (logs[k] - log_of(magnet[k])) + weights.proximal_weight * (
                logs[k] - log_of(old[k])
            )
            slope = p * (s - mean) + pull * p
            if k == played:
                slope -= pull
            slopes[i, actions[k]] = slope / len(order)
        measures[LOSS] += mean - min(ratio * advantage, bound * advantage)
        measures[ENTROPY] += entropy
        measures[MAGNET_WEIGHT] += magnet_weight
        measures[PROXIMAL_WEIGHT] += proximal_weight
        measures[CLIPPED] += clipped


@kernel
def log_softmax(logits: Float32s, actions: Int32s | Int64s, count: int, logs: Float64s) -> None:
    """Write the logarithms of the policy over the legal actions."""
    highest, total = -np.inf, 0.0
    for k in range(count):
        logs[k] = logits[actions[k]]
        highest = max(highest, logs[k])
    for k in range(count):
        total += np.exp(logs[k] - highest)
    rest = highest + np.log(total)
    for k in range(count):
        logs[k] -= rest


@kernel
def log_of(probability: float) -> float:
    return float(np.log(max(np.float64(probability), SMALLEST)))


@kernel
def value_slopes(targets: Float32s, order: Int64s, values: Float32s, slopes: Float32s) -> float:
    """Write the gradient of half the mean squared error by the values of some rows; return the sum of squares."""
    total = 0.0
    for i in range(len(order)):
        error = np.float64(values[i, 0]) - targets[order[i]]
        slopes[i, 0] = error / len(order)
        total += error * error
    return total
