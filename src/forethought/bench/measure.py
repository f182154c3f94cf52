"""Rates of work, measured in turns.

What is compared runs alternately in one process, so that a change of the machine's clock or load meets both alike. The
best round of each counts: other work on the machine can only make a round slower.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

Work = Callable[[int], object]  # does as many units of work as it is told
Clock = Callable[[], float]


@dataclass(frozen=True)
class Budget:
    """How long to measure."""

    seconds: float  # one round of one work
    rounds: int
    clock: Clock = perf_counter


def best_rates(works: Sequence[Work], budget: Budget) -> list[float]:
    """Return how many units a second each work does in its best round."""
    units = [units_in(budget, work) for work in works]
    best = [0.0] * len(works)
    for _ in range(budget.rounds):
        for i, work in enumerate(works):
            best[i] = max(best[i], units[i] / seconds_for(work, units[i], budget.clock))
    return best


def units_in(budget: Budget, work: Work) -> int:
    """Return about how many units fill the time. The first unit is not counted: it may load or compile."""
    work(1)
    units = 1
    while (elapsed := seconds_for(work, units, budget.clock)) < budget.seconds / 4:
        units *= 4
    return max(1, round(units * budget.seconds / elapsed))


def seconds_for(work: Work, units: int, clock: Clock = perf_counter) -> float:
    begin = clock()
    work(units)
    return clock() - begin
