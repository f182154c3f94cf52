"""Magnetic mirror descent (Sokota et al., 2023) over a whole game: behavioural policies, exact values of actions.

In every information set an iteration moves the policy pi towards actions of high value q by a step eta, while a
temperature alpha draws it towards the magnet, here the uniform policy:

    pi'(a)  is proportional to  (pi(a) magnet(a)^(alpha eta) exp(eta q(a)))^(1 / (1 + alpha eta))

At a constant temperature it comes to rest where every policy is the softmax of q / alpha. That is the agent
quantal-response equilibrium of McKelvey and Palfrey (1998), which the learner `mmd` approaches with a network. A
temperature that falls with the iterations leads to a Nash equilibrium. What converges is the last strategy, not an
average. Temperatures are in the unit of the game's returns.

It is the sweep of `cfr.py` with other updates. Policies are kept as logits y: as the magnet's are all 0, the formula
becomes y' = (y + eta q) / (1 + alpha eta), and q may be given by regrets, which differ from it by a constant.
"""

import math

import numpy as np

from forethought.arrays import Float64s, Int32s
from forethought.compiler import kernel
from forethought.errors import ForethoughtError
from forethought.playouts import largest_return
from forethought.solve.cfr import Passing, carry_down, first_passing, gather_regrets
from forethought.solve.policies import TabularPolicy
from forethought.solve.tree import GameTree, HistoryNodes, Rows

NAME = "mmd"
# With the largest return as the unit: an annealed temperature and its step, which both fall as 1 / sqrt(t)
FIRST_TEMPERATURE, FIRST_STEP = 0.2, 10.0
STEP = 1.0  # and the step at a constant temperature


class MmdSolver:
    """Finds the quantal-response equilibrium of a temperature; with None, an equilibrium by annealing."""

    def __init__(self, tree: GameTree, temperature: float | None = None) -> None:
        if temperature is not None and not 0.0 < temperature < math.inf:
            raise ForethoughtError(f"A temperature must be above 0, not {temperature:g}; without one it is annealed.")
        self.tree, self.temperature, self.iterations = tree, temperature, 0
        size = len(tree.flat.actions)
        self.logits, self.strategy = np.zeros(size), tree.uniform()
        self._instant, self._reached, self._others = np.zeros(size), np.zeros(size), np.zeros(size)
        self._passing, self._unit = first_passing(tree, self.strategy), largest_return(tree.game)

    def iterate(self, iterations: int = 1) -> None:
        """Run more iterations; each updates the players in turn."""
        tree = self.tree
        for t in range(self.iterations + 1, self.iterations + iterations + 1):
            temperature, step = self._schedule(t)
            for player in range(tree.game.players):
                gather_regrets(
                    tree.nodes, tree.inner, self._passing, self.strategy, self._instant, self._reached, player
                )
                weigh_rows(tree.nodes, tree.inner, self._passing, self._others, player)
                follow_values(
                    tree.rows, self.logits, self.strategy, self._instant, self._others, player, temperature, step
                )
                carry_down(self._passing.arrivals, self.strategy, player, self._passing.reach[player])
        self.iterations += iterations

    def solution(self) -> Float64s:
        """Return the last strategy."""
        return self.strategy.copy()

    def policy(self) -> TabularPolicy:
        return self.tree.policy(self.strategy, algorithm=NAME, iterations=self.iterations)

    def _schedule(self, t: int) -> tuple[float, float]:
        """Return the temperature and the step of an iteration."""
        if self.temperature is not None:
            return self.temperature, STEP / self._unit
        return FIRST_TEMPERATURE * self._unit / math.sqrt(t), FIRST_STEP / self._unit / math.sqrt(t)


@kernel
def weigh_rows(nodes: HistoryNodes, inner: Int32s, passing: Passing, others: Float64s, player: int) -> None:
    """Add up how probably the others and chance come to each of a player's rows, at the row's first place."""
    for i, node in enumerate(inner):
        if nodes.player[node] == player:
            reach = passing.chance[i]
            for other in range(len(passing.reach)):
                if other != player:
                    reach *= passing.reach[other, i]
            others[nodes.start[node]] += reach


@kernel
def follow_values(
    rows: Rows,
    logits: Float64s,
    strategy: Float64s,
    instant: Float64s,
    others: Float64s,
    player: int,
    temperature: float,
    step: float,
) -> None:
    """Move a player's policies by a step; where nobody lets it come, only the magnet draws. Clear what was gathered."""
    for row in range(len(rows.player)):
        if rows.player[row] != player:
            continue
        start, stop = rows.first[row], rows.first[row] + rows.count[row]
        highest, total = -np.inf, 0.0
        for a in range(start, stop):
            value = instant[a] / others[start] if others[start] > 0.0 else 0.0
            logits[a] = (logits[a] + step * value) / (1.0 + temperature * step)
            highest = max(highest, logits[a])
            instant[a] = 0.0
        others[start] = 0.0
        for a in range(start, stop):
            strategy[a] = np.exp(logits[a] - highest)
            total += strategy[a]
        for a in range(start, stop):
            strategy[a] /= total
