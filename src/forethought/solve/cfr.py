"""Counterfactual regret minimisation over a whole game: one sweep, and variants that differ in their weights.

An iteration updates the players alternately. For each, a sweep computes every action's regret under the current
strategies; then cumulative regrets are discounted and increased, and strategies follow by regret matching. All variants
below are the same sweep with different `CfrWeights`:

    cfr     Zinkevich et al. 2007: all iterations have equal weight
    cfr+    Tammelin 2014: negative regrets are set to 0, linear averaging
    linear  Brown and Sandholm 2019: iteration t has weight t
    dcfr    Brown and Sandholm 2019: discounts with alpha 1.5, beta 0, gamma 2
    pcfr+   Farina et al. 2021: cfr+ that predicts the next regret to equal the last, quadratic averaging
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s, Int32s
from forethought.compiler import kernel
from forethought.game import CHANCE, TERMINAL
from forethought.solve.policies import TabularPolicy, normalised
from forethought.solve.tree import GameTree, HistoryNodes, Rows


class CfrWeights(NamedTuple):
    """The weight of iteration t and of those before it."""

    positive: float = 1.0  # factor of earlier positive regrets
    negative: float = 1.0  # factor of earlier negative regrets
    floor: float = -np.inf  # lower bound of regrets
    average: float = 1.0  # weight of the current strategy in the average
    prediction: float = 0.0  # weight of the last regret as a prediction of the next


POSITIVE, NEGATIVE, FLOOR, AVERAGE, PREDICTION = range(5)  # columns of a schedule


def _discounted(t: int) -> CfrWeights:
    past = (t - 1) ** 1.5
    return CfrWeights(past / (past + 1.0), 0.5, average=float(t) ** 2)


VARIANTS: dict[str, Callable[[int], CfrWeights]] = {
    "cfr": lambda _: CfrWeights(),
    "cfr+": lambda t: CfrWeights(floor=0.0, average=float(t)),
    "linear": lambda t: CfrWeights((t - 1) / t, (t - 1) / t, average=float(t)),
    "dcfr": _discounted,
    "pcfr+": lambda t: CfrWeights(floor=0.0, average=float(t) ** 2, prediction=1.0),
}


class Tables(NamedTuple):
    """Values for each action of each information set, flat over rows."""

    regret: Float64s
    instant: Float64s  # the regret of the current iteration
    strategy: Float64s
    average: Float64s
    reached: Float64s  # own reach probability of a row, summed over its nodes, at the row's first place


class Arrivals(NamedTuple):
    """How play comes to each inner node: by whose action, and from which inner node. Nothing leads to the first."""

    player: npt.NDArray[np.int8]  # who acted before, CHANCE perhaps
    parent: Int32s  # its number among inner nodes
    place: Int32s  # of the action's probability, in a strategy or in `chance`


class Passing(NamedTuple):
    """What sweeps pass over nodes: probabilities down, values up."""

    arrivals: Arrivals
    reach: Float64s  # [players, inner nodes] each player's contribution to the reach probability
    chance: Float64s  # [inner nodes] that of chance
    value: Float64s  # [players, nodes] to each player; those of terminals never change


class CfrSolver:
    """Solves one game by a variant of CFR."""

    def __init__(self, tree: GameTree, algorithm: str = "cfr+") -> None:
        self.tree, self.algorithm, self.iterations = tree, algorithm, 0
        size = len(tree.flat.actions)
        self.tables = Tables(np.zeros(size), np.zeros(size), tree.uniform(), np.zeros(size), np.zeros(size))
        self.passing = first_passing(tree, self.tables.strategy)

    def iterate(self, iterations: int = 1) -> None:
        """Run more iterations."""
        tree, variant = self.tree, VARIANTS[self.algorithm]
        schedule = np.array([variant(self.iterations + 1 + i) for i in range(iterations)]).reshape(
            -1, len(CfrWeights())
        )
        run(tree.nodes, tree.inner, tree.rows, self.passing, self.tables, schedule)
        self.iterations += iterations

    def solution(self) -> Float64s:
        """Return the average strategy, which converges; uniform where the player never plays to."""
        return normalised(self.tree.rows.first, self.tables.average, self.tree.uniform())

    def policy(self) -> TabularPolicy:
        return self.tree.policy(self.solution(), algorithm=self.algorithm, iterations=self.iterations)


def first_passing(tree: GameTree, strategy: Float64s) -> Passing:
    """Return what sweeps pass over nodes, as far as a strategy decides it before the first sweep."""
    players, inner = tree.game.players, len(tree.inner)
    arrivals = Arrivals(np.zeros(inner, np.int8), np.zeros(inner, np.int32), np.zeros(inner, np.int32))
    find_arrivals(tree.nodes, tree.inner, arrivals)
    passing = Passing(arrivals, np.ones((players, inner)), np.ones(inner), np.zeros((players, tree.size)))
    carry_down(arrivals, tree.nodes.chance, CHANCE, passing.chance)
    for player in range(players):
        carry_down(arrivals, strategy, player, passing.reach[player])
        set_terminals(tree.nodes, tree.flat.returns, player, passing.value[player])
    return passing


@kernel
def find_arrivals(nodes: HistoryNodes, inner: Int32s, out: Arrivals) -> None:
    """Find how play comes to inner nodes. Children stand in the order of their parents, so both are met in turn."""
    arrived = 1  # the first inner node is the root
    for parent in range(len(inner)):
        node = inner[parent]
        for k in range(nodes.count[node]):
            if nodes.player[nodes.first[node] + k] != TERMINAL:
                out.player[arrived] = nodes.player[node]
                out.parent[arrived] = parent
                out.place[arrived] = nodes.start[node] + k
                arrived += 1


@kernel
def set_terminals(nodes: HistoryNodes, returns: Float64s, player: int, value: Float64s) -> None:
    """Set the values of terminals to a player."""
    for node in range(len(nodes.player)):
        if nodes.player[node] == TERMINAL:
            value[node] = returns[nodes.start[node], player]


@kernel
def run(nodes: HistoryNodes, inner: Int32s, rows: Rows, passing: Passing, tables: Tables, schedule: Float64s) -> None:
    """Run one iteration for each row of the schedule, which holds `CfrWeights`."""
    for t in range(len(schedule)):
        weights = schedule[t]
        for player in range(len(passing.value)):
            gather_regrets(nodes, inner, passing, tables.strategy, tables.instant, tables.reached, player)
            update(rows, tables, player, weights)
            carry_down(passing.arrivals, tables.strategy, player, passing.reach[player])


@kernel
def carry_down(arrivals: Arrivals, probabilities: Float64s, who: int, reach: Float64s) -> None:
    """Set the contribution of one player, or CHANCE, to the reach probability of each inner node."""
    reach[:1] = 1.0
    for i in range(1, len(reach)):
        before = reach[arrivals.parent[i]]
        reach[i] = before * probabilities[arrivals.place[i]] if arrivals.player[i] == who else before


@kernel
def gather_regrets(
    nodes: HistoryNodes,
    inner: Int32s,
    passing: Passing,
    strategy: Float64s,
    instant: Float64s,
    reached: Float64s,
    player: int,
) -> None:
    """Compute a player's values bottom-up; add up its regrets and the reach probabilities of its rows."""
    value, own = passing.value[player], passing.reach[player]
    for i in range(len(inner) - 1, -1, -1):
        node = inner[i]
        start, first, count, total = nodes.start[node], nodes.first[node], nodes.count[node], 0.0
        if nodes.player[node] == CHANCE:
            for k in range(count):
                total += nodes.chance[start + k] * value[first + k]
        else:
            for k in range(count):
                total += strategy[start + k] * value[first + k]
        value[node] = total
        if nodes.player[node] == player:
            reached[start] += own[i]
            others = passing.chance[i]
            for other in range(len(passing.reach)):
                if other != player:
                    others *= passing.reach[other, i]
            for k in range(count):
                instant[start + k] += others * (value[first + k] - total)


@kernel
def update(rows: Rows, tables: Tables, player: int, weights: Float64s) -> None:
    """Add a player's strategy to its average and the instant regrets to the cumulative ones; match regrets."""
    regret, instant, strategy = tables.regret, tables.instant, tables.strategy
    for row in range(len(rows.player)):
        if rows.player[row] != player:
            continue
        total, start, stop = 0.0, rows.first[row], rows.first[row] + rows.count[row]
        share = weights[AVERAGE] * tables.reached[start]
        tables.reached[start] = 0.0
        for a in range(start, stop):
            tables.average[a] += share * strategy[a]
            kept = weights[POSITIVE] if regret[a] > 0.0 else weights[NEGATIVE]
            regret[a] = max(regret[a] * kept + instant[a], weights[FLOOR])
            strategy[a] = max(regret[a] + weights[PREDICTION] * instant[a], 0.0)
            total += strategy[a]
            instant[a] = 0.0
        for a in range(start, stop):
            strategy[a] = strategy[a] / total if total > 0.0 else 1.0 / (stop - start)
