"""Exact best responses over a whole game: the exploitability of a strategy, and its value.

A best response chooses one action for a whole information set, so all its nodes must be valued before it can choose.
With perfect recall the information sets after a player's n-th decision lie below those before it: nodes are processed
in layers by the number of decisions of the player above them, the last layer first.
Where nothing is hidden, the player knows its node, and chooses the best child of each.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s, Int32s, Int64s
from forethought.compiler import kernel
from forethought.game import CHANCE
from forethought.solve.cfr import set_terminals
from forethought.solve.tree import GameTree, HistoryNodes

NOBODY = -9  # a player that is never to move
ROUNDING = 1e-9  # by which a best response may seem worse than the strategy itself, relative to the returns


class Strength(NamedTuple):
    """The value of a strategy profile, and what each player could win by deviating alone."""

    values: list[float]  # to each player, if all play the strategy
    best_responses: list[float]  # to each player, if it alone deviates

    @property
    def gains(self) -> list[float]:
        """What each player gains by a best response: never negative, whatever the rounding."""
        return [max(0.0, best - value) for best, value in zip(self.best_responses, self.values, strict=True)]

    @property
    def nashconv(self) -> float:
        """The sum over players of the gain by a best response."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """NashConv divided by the number of players."""
        return self.nashconv / len(self.values)


class Layers(NamedTuple):
    """The inner nodes by the number of decisions of one player above them; within a layer, in order."""

    nodes: Int32s
    ends: Int64s  # [layers + 1]


def strength(tree: GameTree, strategy: Float64s) -> Strength:
    """Value a strategy over the tree's rows and the best responses to it."""
    players = range(tree.game.players)
    values = [expected_return(tree, strategy, player) for player in players]
    best = [best_response(tree, strategy, player)[0] for player in players]
    scale = 1.0 + float(np.abs(tree.flat.returns).max(initial=0.0))
    if any(response < value - ROUNDING * scale for response, value in zip(best, values, strict=True)):
        raise tree.game.mistake("a player's facts forget what it knew before; `forethought check` shows where")
    return Strength(values, best)


def expected_return(tree: GameTree, strategy: Float64s, player: int) -> float:
    """Return what a player wins on average if all play the strategy."""
    value, nobodys_choice = np.empty(tree.size), np.zeros(1, np.int32)
    set_terminals(tree.nodes, tree.flat.returns, player, value)
    settle(tree.nodes, tree.inner, strategy, nobodys_choice, value, NOBODY, tree.game.hidden)
    return float(value[0])


def best_response(tree: GameTree, strategy: Float64s, player: int) -> tuple[float, Int32s]:
    """Return what a best response wins, and the action it chooses in each row, at the row's first place.

    One array is used for both passes, as trees are large: on the way down it holds the reach probability of all others,
    which is not needed any more when a node's layer has been weighted; on the way up, the node's value.
    """
    carried = np.empty(tree.size)
    carry_others(tree.nodes, tree.inner, strategy, player, carried)
    set_terminals(tree.nodes, tree.flat.returns, player, carried)
    worth, choice = np.zeros(len(strategy)), np.zeros(len(strategy), np.int32)
    layers = layers_of(tree, player)
    for layer in range(len(layers.ends) - 2, -1, -1):
        nodes = layers.nodes[layers.ends[layer] : layers.ends[layer + 1]]
        weigh_actions(tree.nodes, nodes, carried, worth, player)
        choose_actions(tree.nodes, nodes, worth, choice, player)
        settle(tree.nodes, nodes, strategy, choice, carried, player, tree.game.hidden)
    return float(carried[0]), choice


def layers_of(tree: GameTree, player: int) -> Layers:
    """Sort the inner nodes into layers, keeping their order within each."""
    depth = np.zeros(tree.size, np.int16)
    sizes = np.zeros(tree.game.plies + 1, np.int64)
    count_decisions(tree.nodes, tree.inner, depth, sizes, player)
    ends = np.concatenate(([0], np.cumsum(np.trim_zeros(sizes, "b"))))
    nodes = np.empty(len(tree.inner), np.int32)
    sort_by_depth(tree.inner, depth, ends[:-1].copy(), nodes)
    return Layers(nodes, ends)


@kernel
def sort_by_depth(inner: Int32s, depth: npt.NDArray[np.int16], place: Int64s, nodes: Int32s) -> None:
    for node in inner:
        nodes[place[depth[node]]] = node
        place[depth[node]] += 1


@kernel
def count_decisions(
    nodes: HistoryNodes, inner: Int32s, depth: npt.NDArray[np.int16], sizes: Int64s, player: int
) -> None:
    """Set the number of decisions of a player above each node, and the number of inner nodes for each number."""
    for node in inner:
        sizes[depth[node]] += 1
        below = depth[node] + (1 if nodes.player[node] == player else 0)
        for k in range(nodes.count[node]):
            depth[nodes.first[node] + k] = below


@kernel
def carry_others(nodes: HistoryNodes, inner: Int32s, strategy: Float64s, player: int, others: Float64s) -> None:
    """Set the contribution of all others, chance included, to the reach probability of each node."""
    others[0] = 1.0
    for node in inner:
        mover, start, first, here = nodes.player[node], nodes.start[node], nodes.first[node], others[node]
        for k in range(nodes.count[node]):
            if mover == player:
                others[first + k] = here
            else:
                others[first + k] = here * (nodes.chance[start + k] if mover == CHANCE else strategy[start + k])


@kernel
def weigh_actions(nodes: HistoryNodes, layer: Int32s, carried: Float64s, worth: Float64s, player: int) -> None:
    """Add up the counterfactual values of the actions in each information set of the layer; children are valued."""
    for node in layer:
        if nodes.player[node] == player:
            for k in range(nodes.count[node]):
                worth[nodes.start[node] + k] += carried[node] * carried[nodes.first[node] + k]


@kernel
def choose_actions(nodes: HistoryNodes, layer: Int32s, worth: Float64s, choice: Int32s, player: int) -> None:
    """Choose the best action of each information set of the layer: the first of equal ones."""
    for node in layer:
        if nodes.player[node] == player:
            start, best = nodes.start[node], 0
            for k in range(1, nodes.count[node]):
                if worth[start + k] > worth[start + best]:
                    best = k
            choice[start] = best


@kernel
def settle(
    nodes: HistoryNodes, layer: Int32s, strategy: Float64s, choice: Int32s, value: Float64s, player: int, hidden: bool
) -> None:
    """Value the nodes of a layer, the last first: the player's by its choice, all others by their mean."""
    for i in range(len(layer) - 1, -1, -1):
        node = layer[i]
        mover, start, first, count = nodes.player[node], nodes.start[node], nodes.first[node], nodes.count[node]
        total = 0.0
        if mover == player and hidden:
            total = value[first + choice[start]]
        elif mover == player:
            total = value[first]
            for k in range(1, count):
                total = max(total, value[first + k])
        elif mover == CHANCE:
            for k in range(count):
                total += nodes.chance[start + k] * value[first + k]
        else:
            for k in range(count):
                total += strategy[start + k] * value[first + k]
        value[node] = total
