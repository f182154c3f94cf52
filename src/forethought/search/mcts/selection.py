"""Which action to try next: rules that balance what has won most against what has been tried least.

UCB1 (Auer, Cesa-Bianchi and Fischer, 2002) is a rule for one-armed bandits. With the constant sqrt 2 and rewards from 0
to 1 its expected regret after n plays is at most 8 (sum of ln n / gap) + (1 + pi^2 / 3) (sum of gaps), both sums over
the arms that are not the best. Upper confidence trees (UCT) put such a bandit at every node.

PUCT (AlphaGo Zero) weighs exploration by a prior: mean + c * prior * sqrt(visits of the node) / (1 + visits).

Values are divided by a scale, the largest absolute return met so far, so that no game need say what it pays.
"""

import math
from typing import Any

import numpy as np

from forethought.arrays import Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel
from forethought.randomness import Generator, uniform
from forethought.search.mcts.tree import Edges


@inlined_kernel
def ucb1(visits: Any, totals: Any, first: int, count: int, plays: int, exploration: float) -> int:
    """Return which of the arms first, first + 1, ... has the largest mean + c sqrt(ln plays / visits).

    The exploration is in the unit of the totals. Arms that were never tried come first, in their order, which must be
    the order in which they have been tried so far.
    """
    untried = max(0, min(plays, count) - 1)  # nearly: a node may have been visited once without any choice
    while untried < count and visits[first + untried] > 0:
        untried += 1
    if untried < count:
        return first + untried
    best, highest, logarithm = first, -math.inf, math.log(plays)
    for arm in range(first, first + count):
        bound = totals[arm] / visits[arm] + exploration * math.sqrt(logarithm / visits[arm])
        if bound > highest:
            best, highest = arm, bound
    return best


@inlined_kernel
def puct(edges: Edges, first: int, count: int, plays: int, exploration: float, unvisited: float, scale: float) -> int:
    """Return the edge of the largest mean + c prior sqrt(plays) / (1 + visits); untried ones have a stated mean.

    A walk that waits for its answer counts as a visit that lost, so that the next one tries something else.
    """
    best, highest, bonus = first, -math.inf, exploration * math.sqrt(plays)
    for edge in range(first, first + count):
        waiting = edges.waiting[edge]
        visits = edges.visits[edge] + waiting
        value = (edges.total[edge] / scale - waiting) / visits if visits > 0 else unvisited
        bound = value + bonus * edges.prior[edge] / (1.0 + visits)
        if bound > highest:
            best, highest = edge, bound
    return best


def play_bandit(
    chances: Float64s, plays: int, rng: Generator, exploration: float = math.sqrt(2.0)
) -> tuple[Int64s, Float64s]:
    """Play arms that pay 1 with these chances, else 0, by UCB1; return how often each was played, and what it paid."""
    visits, totals = np.zeros(len(chances), np.int64), np.zeros(len(chances))
    pull_arms(chances, plays, exploration, visits, totals, rng)
    return visits, totals


@kernel
def pull_arms(
    chances: Float64s, plays: int, exploration: float, visits: Int64s, totals: Float64s, rng: Generator
) -> None:
    for play in range(plays):
        arm = ucb1(visits, totals, 0, len(chances), play, exploration)
        visits[arm] += 1
        totals[arm] += uniform(rng) < chances[arm]
