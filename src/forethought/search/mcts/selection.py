"""Which action of a position to try next, by priors.

Upper confidence trees (UCT) put a bandit at every node (`search/ucb1.py`). PUCT (AlphaGo Zero) weighs exploration by a
prior: mean + c * prior * sqrt(visits of the node) / (1 + visits).

Values are divided by a scale, the largest absolute return met so far.
"""

import math

from forethought.compiler import inlined_kernel
from forethought.search.mcts.tree import Edges


@inlined_kernel
def puct(
    edges: Edges,
    first: int,
    count: int,
    plays: int,
    exploration: float,
    virtual_loss: int,
    unvisited: float,
    scale: float,
) -> int:
    """Return the edge of the largest mean + c prior sqrt(plays) / (1 + visits); without visits the mean is `unvisited`.

    A walk that waits for its answer counts as so many visits that lost (a virtual loss).
    """
    best, highest, bonus = first, -math.inf, exploration * math.sqrt(plays)
    for edge in range(first, first + count):
        waiting = virtual_loss * edges.waiting[edge]
        visits = edges.visits[edge] + waiting
        value = (edges.total[edge] / scale - waiting) / visits if visits > 0 else unvisited
        bound = value + bonus * edges.prior[edge] / (1.0 + visits)
        if bound > highest:
            best, highest = edge, bound
    return best
