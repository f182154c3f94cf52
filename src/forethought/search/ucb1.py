"""UCB1 (Auer, Cesa-Bianchi and Fischer, 2002): which arm of a bandit to try next.

With the constant sqrt 2 and rewards from 0 to 1 its expected regret after n plays is at most
8 (sum of ln n / gap) + (1 + pi^2 / 3) (sum of gaps), both sums over the arms that are not the best.
"""

import math
from typing import Any

from forethought.compiler import inlined_kernel


@inlined_kernel
def upper_bound(total: float, visits: Any, log_plays: float, exploration: float) -> float:
    """Return mean + c sqrt(ln plays / visits) of an arm that was tried; the exploration c is in the unit of totals."""
    return total / visits + exploration * math.sqrt(log_plays / visits)  # type: ignore[no-any-return]


@inlined_kernel
def best_arm(visits: Any, totals: Any, first: int, count: int, plays: Any, exploration: float) -> int:
    """Return which of the arms first, first + 1, ..., all of them tried, has the largest upper bound."""
    best, highest, log_plays = first, -math.inf, math.log(plays)
    for arm in range(first, first + count):
        bound = upper_bound(totals[arm], visits[arm], log_plays, exploration)
        if bound > highest:
            best, highest = arm, bound
    return best


@inlined_kernel
def ucb1(visits: Any, totals: Any, first: int, count: int, plays: int, idle: int, exploration: float) -> int:
    """Return the next arm to try: those never tried come first, in their order, then the best.

    The arms must be in the order in which they were first tried. At most `idle` plays have chosen none of them.
    """
    untried = max(0, min(plays - idle, count - 1))  # nearly: all plays may have chosen one
    while untried < count and visits[first + untried] > 0:
        untried += 1
    if untried < count:
        return first + untried
    return best_arm(visits, totals, first, count, plays, exploration)
