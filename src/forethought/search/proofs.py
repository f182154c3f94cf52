"""Proven outcomes in a tree: ends of games, passed on to every node whose outcome follows from them.

For games of two players that sum to zero and pay from -1 to 1. Where the player to move has an action proven to win,
the node is won; where all actions are proven, it is worth the best of them; chance is worth what it brings on average.
Walks stop at proven nodes, and keep away from actions proven to lose.
"""

from typing import Any

from forethought.compiler import inlined_kernel, kernel, pointer
from forethought.game import CHANCE, TERMINAL, Table
from forethought.search.tree import NO_NODE, UNKNOWN, Ints, Nodes, Pool, Reals

WON, LOST = 1.0, -1.0
CERTAIN = 1e6  # a proven win or loss counts as so many: no mean and no bonus can outweigh it


@inlined_kernel
def note_scale(scale: Reals, returns: Reals) -> None:
    """Remember the largest absolute return."""
    for player in range(len(returns)):
        scale[0] = max(scale[0], abs(returns[player]))


@inlined_kernel
def value_of_end(game: Table, nodes: Nodes, node: int, s: Any, scale: Reals, returns: Reals) -> None:
    """Write the returns of a walk that has come to the end of the game, or to what is proven."""
    if nodes.player[node] == TERMINAL:
        game.returns(s, pointer(returns))
        note_scale(scale, returns)
        nodes.proven[node] = returns[0]
    else:
        returns[0], returns[1] = nodes.proven[node], -nodes.proven[node]


@kernel
def prove(pool: Pool, path_nodes: Ints, path_edges: Ints, length: int) -> None:
    """Pass the outcome of a walk's proven last node up the way it came, as far as it decides anything."""
    nodes, edges = pool.nodes, pool.edges
    for i in range(length - 1, -1, -1):
        node, edge = path_nodes[i], path_edges[i]
        value, player = nodes.proven[edges.child[edge]], nodes.player[node]
        if player == CHANCE:
            value = mean_of_children(pool, node)
        else:
            won = value if player == 0 else -value
            edges.total[edge] = edges.visits[edge] * (won if LOST < won < WON else won * CERTAIN)
            if won < WON:
                value = best_of_children(pool, node, player)
        if value == UNKNOWN:
            return
        nodes.proven[node] = value


@kernel
def best_of_children(pool: Pool, node: int, player: int) -> float:
    """Return what player 0 gets if the player to move chooses well; UNKNOWN if not all actions are proven."""
    best = UNKNOWN
    for edge in range(pool.nodes.first[node], pool.nodes.first[node] + pool.nodes.degree[node]):
        child = pool.edges.child[edge]
        value = UNKNOWN if child == NO_NODE else pool.nodes.proven[child]
        if value == UNKNOWN:
            return UNKNOWN
        if best == UNKNOWN or (value > best) == (player == 0):
            best = value
    return best


@kernel
def mean_of_children(pool: Pool, node: int) -> float:
    """Return what player 0 gets on average; UNKNOWN if not all outcomes are proven."""
    mean = total = 0.0
    for edge in range(pool.nodes.first[node], pool.nodes.first[node] + pool.nodes.degree[node]):
        child = pool.edges.child[edge]
        value = UNKNOWN if child == NO_NODE else pool.nodes.proven[child]
        if value == UNKNOWN:
            return UNKNOWN
        mean += pool.edges.prior[edge] * value
        total += pool.edges.prior[edge]
    return mean / total  # which single precision leaves a little off one: sure wins must come to a win
