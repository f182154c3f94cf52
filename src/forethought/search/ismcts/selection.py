"""How Information Set MCTS chooses at an information set, and what it learns there from the return of a simulation.

A rule of selection is a named tuple with two kernels registered for its class, `select` and `learn`; `policy` is its
answer and `about` what it tells people. Each has two numbers per action, in one row of the table. With u the return of
the player who chose a, K actions, and p the probabilities with which the rule draws:

- *UCB1* keeps visits and sums of returns, takes untried actions first and then the largest mean + c sqrt(ln N / n).
- *Smooth UCT* (Heinrich and Silver, 2015) keeps the same; it follows UCB1 with probability
  max(least, eta / (1 + decay sqrt(N))) and otherwise draws from the visit frequencies, which are also its answer.
- *Regret matching* (Hart and Mas-Colell, 2001; in tree search Lisy et al., 2013): s is in proportion to positive
  regrets, p = (1 - gamma) s + gamma / K, and regret[b] += (u / p[a] if b is a, else 0) - u.
- *Exp3* (Auer et al., 2002): s is in proportion to exp(gamma / K gain), p as above, and gain[a] += r / p[a], where
  r = (1 + u / the game's largest return) / 2 is from 0 to 1.

The last two add s to a sum at every visit: their answer is its mean, from which exploration is absent.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.compiler import dispatched, inlined_kernel, kernel
from forethought.randomness import Generator, below, choose, uniform
from forethought.search.regret import Regrets, add_to_average, match_regrets, mix_uniform
from forethought.search.ucb1 import best_arm

select = dispatched("select")  # (rule, table, first, count, largest return, scratch, rng): draw the place of an action
learn = dispatched("learn")  # (rule, table, first, count, choice, its probability, return): update the row


class SelectionScratch(NamedTuple):
    """The strategy of the information set where a choice is made, and the probabilities with which it is drawn."""

    strategy: Float64s  # [choices]
    sampling: Float64s  # [choices] written only by rules that learn from probabilities


class Ucb1(NamedTuple):
    """The most visited action is the answer; or visit frequencies."""

    exploration: float  # c, in units of the largest return
    most_visited: bool

    def policy(self, visits: Float64s, _totals: Float64s) -> Float64s:
        return shares(np.asarray(visits == visits.max(), np.float64) if self.most_visited else visits)

    def about(self, visits: Float64s, totals: Float64s) -> dict[str, Float64s]:
        return means_and_visits(visits, totals)


class SmoothUct(NamedTuple):
    """UCB1 mixed with its own visit frequencies, ever less of it."""

    exploration: float  # c, in units of the largest return
    eta: float
    least: float
    decay: float

    def policy(self, visits: Float64s, _totals: Float64s) -> Float64s:
        return shares(visits)

    def about(self, visits: Float64s, totals: Float64s) -> dict[str, Float64s]:
        return means_and_visits(visits, totals)


class RegretMatching(NamedTuple):
    """Regrets, and the mean strategy."""

    gamma: float

    def policy(self, _regrets: Float64s, strategies: Float64s) -> Float64s:
        return shares(strategies)

    def about(self, regrets: Float64s, _strategies: Float64s) -> dict[str, Float64s]:
        return {"regret": regrets}


class Exp3(NamedTuple):
    """Exponential weights of importance-weighted rewards, and the mean strategy."""

    gamma: float
    largest: float  # return of the game, by which rewards are scaled

    def policy(self, _gains: Float64s, strategies: Float64s) -> Float64s:
        return shares(strategies)

    def about(self, gains: Float64s, _strategies: Float64s) -> dict[str, Float64s]:
        return {"gain": gains}


Selection = Ucb1 | SmoothUct | RegretMatching | Exp3


def shares(weights: Float64s) -> Float64s:
    """Return weights in proportion; uniform if all are 0."""
    total = weights.sum()
    return weights / total if total > 0.0 else np.full(len(weights), 1.0 / len(weights))


def means_and_visits(visits: Float64s, totals: Float64s) -> dict[str, Float64s]:
    return {"value": totals / np.maximum(visits, 1.0), "visits": visits}


@select.register(Ucb1)
@inlined_kernel
def select_by_ucb1(
    rule: Ucb1, table: Regrets, first: int, count: int, largest: float, _scratch: SelectionScratch, rng: Generator
) -> int:
    return draw_by_ucb1(table, first, count, visits_of(table, first, count), rule.exploration * largest, rng)


@select.register(SmoothUct)
@inlined_kernel
def select_smoothly(
    rule: SmoothUct, table: Regrets, first: int, count: int, largest: float, scratch: SelectionScratch, rng: Generator
) -> int:
    total = visits_of(table, first, count)
    by_ucb1 = max(rule.least, rule.eta / (1.0 + rule.decay * math.sqrt(total)))
    if total == 0.0 or uniform(rng) < by_ucb1:
        return draw_by_ucb1(table, first, count, total, rule.exploration * largest, rng)
    for i in range(count):
        scratch.strategy[i] = table.entries[first + i] / total
    return choose(scratch.strategy, count, rng)


@select.register(RegretMatching)
@inlined_kernel
def select_by_regrets(
    rule: RegretMatching,
    table: Regrets,
    first: int,
    count: int,
    _largest: float,
    scratch: SelectionScratch,
    rng: Generator,
) -> int:
    match_regrets(table, first, count, scratch.strategy)
    return draw_and_average(table, first, count, rule.gamma, scratch, rng)


@select.register(Exp3)
@inlined_kernel
def select_by_gains(
    rule: Exp3, table: Regrets, first: int, count: int, _largest: float, scratch: SelectionScratch, rng: Generator
) -> int:
    gains, strategy, rate = table.entries[first : first + count], scratch.strategy, rule.gamma / count
    highest, total = gains[0], 0.0
    for i in range(1, count):
        highest = max(highest, gains[i])
    for i in range(count):
        strategy[i] = math.exp(rate * (gains[i] - highest))
        total += strategy[i]
    for i in range(count):
        strategy[i] /= total
    return draw_and_average(table, first, count, rule.gamma, scratch, rng)


@inlined_kernel
def draw_and_average(
    table: Regrets, first: int, count: int, gamma: float, scratch: SelectionScratch, rng: Generator
) -> int:
    """Add the strategy to the row's sum, and draw from it with a share of uniform play."""
    add_to_average(table, first, count, scratch.strategy, 1.0)
    mix_uniform(scratch.strategy, count, gamma, scratch.sampling)
    return choose(scratch.sampling, count, rng)


@inlined_kernel
def visits_of(table: Regrets, first: int, count: int) -> float:
    """Return the visits of all actions."""
    total = 0.0
    for i in range(first, first + count):
        total += table.entries[i]
    return total


@inlined_kernel
def draw_by_ucb1(table: Regrets, first: int, count: int, plays: float, bonus: float, rng: Generator) -> int:
    """Choose by UCB1; one of the untried actions first."""
    visits, totals = table.entries[first : first + count], table.entries[first + count : first + 2 * count]
    untried = 0
    for i in range(count):
        untried += visits[i] == 0.0
    if untried > 0:
        return nth_untried(table, first, below(untried, rng))
    return best_arm(visits, totals, 0, count, plays, bonus)


@kernel
def nth_untried(table: Regrets, first: int, n: int) -> int:
    choice = -1
    while n >= 0:
        choice += 1
        n -= table.entries[first + choice] == 0.0
    return choice


@inlined_kernel
def add_return(_rule: Any, table: Regrets, first: int, count: int, choice: int, _drawn: float, won: float) -> None:
    table.entries[first + choice] += 1.0
    table.entries[first + choice + count] += won


learn.register(Ucb1)(add_return)
learn.register(SmoothUct)(add_return)


@learn.register(RegretMatching)
@inlined_kernel
def add_regrets(
    _rule: RegretMatching, table: Regrets, first: int, count: int, choice: int, drawn: float, won: float
) -> None:
    for i in range(first, first + count):
        table.entries[i] -= won
    table.entries[first + choice] += won / drawn


@learn.register(Exp3)
@inlined_kernel
def add_gain(rule: Exp3, table: Regrets, first: int, _count: int, choice: int, drawn: float, won: float) -> None:
    table.entries[first + choice] += (1.0 + won / rule.largest) / 2.0 / drawn
