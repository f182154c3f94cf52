"""Gumbel root selection with sequential halving (Danihelka, Guez, Schrittwieser and Silver, 2022).

At the root, the actions with the largest noise + log prior are considered; simulations are divided evenly among them,
and the worse half is dropped repeatedly, by noise + log prior + sigma(value). For any number of simulations the
resulting policy is in expectation no worse than the priors. With values from 0 to 1,

    sigma(value) = (50 + visits of the most visited action) * value.
"""

import math
from typing import Any

import numpy as np

from forethought.arrays import Float64s, Int64s
from forethought.compiler import inlined_kernel
from forethought.randomness import Generator, uniform
from forethought.search.mcts.tree import Edges

STEADINESS = 50.0  # c_visit of the paper; its c_scale is 1
LEAST = 1e-30  # lowest probability whose logarithm is taken
OUT_OF_TURN = 1e9  # larger than any score


@inlined_kernel
def gumbel_choice(
    edges: Edges, first: int, count: int, noise: Float64s, value: float, wanted: int, scale: float
) -> int:
    """Return the best edge, if possible of those with `wanted` visits; edges without visits have the mean `value`."""
    most = 0
    for edge in range(first, first + count):
        most = max(most, edges.visits[edge])
    best, highest = first, -math.inf
    for i in range(count):
        edge, visits = first + i, edges.visits[first + i]
        mean = edges.total[edge] / (visits * scale) if visits > 0 else value
        score = noise[i] + math.log(edges.prior[edge] + LEAST) + (STEADINESS + most) * (mean + 1.0) / 2.0
        if visits + edges.waiting[edge] != wanted:
            score -= OUT_OF_TURN
        if score > highest:
            best, highest = edge, score
    return best


def halving_schedule(considered: int, walks: int) -> Int64s:
    """Return for each simulation how many visits the action that it selects has before.

    Each phase has about the same number of simulations, divided evenly among the actions that are still considered;
    then half of them stay, at least two.
    """
    if considered <= 1:
        return np.arange(walks)
    phases = math.ceil(math.log2(considered))
    left, visited, wanted = considered, 0, list[int]()
    while len(wanted) < walks:
        for _ in range(max(1, walks // (phases * left))):
            wanted += [visited] * left
            visited += 1
        left = max(2, left // 2)
    return np.array(wanted[:walks], np.int64)


def draw_noise(count: int, rng: Generator) -> Float64s:
    """Draw from the standard Gumbel distribution."""
    return np.array([-math.log(-math.log(uniform(rng) + LEAST) + LEAST) for _ in range(count)])


def scores(priors: Float64s, visits: Float64s, values: Float64s) -> Float64s:
    """Return log prior + sigma(value) of each action; values are completed and from -1 to 1."""
    found: Float64s = np.log(priors + LEAST) + (STEADINESS + visits.max(initial=0.0)) * (values + 1.0) / 2.0
    return found


def completed(priors: Float64s, visits: Float64s, values: Float64s, root_value: float) -> Float64s:
    """Return the values; for actions without visits, a mean of the root's value and of those of visited actions."""
    tried = visits > 0
    if not tried.any():
        return np.full(len(values), root_value)
    seen = float((priors[tried] * values[tried]).sum() / max(priors[tried].sum(), LEAST))
    mixed = (root_value + visits.sum() * seen) / (1.0 + visits.sum())
    return np.where(tried, values, mixed)


def improved_policy(priors: Float64s, visits: Float64s, values: Float64s, root_value: float) -> Float64s:
    """Return the improved policy, the target for learning: softmax of log prior + sigma(completed value)."""
    logits = scores(priors, visits, completed(priors, visits, values, root_value))
    weights = np.exp(logits - logits.max())
    found: Float64s = weights / weights.sum()
    return found


def chosen_action(priors: Float64s, visits: Float64s, values: Float64s, noise: Any) -> int:
    """Return the action that the halving ends with: the best of the most visited."""
    final = np.where(visits == visits.max(), scores(priors, visits, values) + noise, -np.inf)
    return int(final.argmax())
