"""Proven outcomes (MCTS-Solver): ends of games, backed up to every node whose outcome follows from them.

For zero-sum games of two players with returns from -1 to 1. A node is won if the player to move has an action proven to
win; if all actions are proven, it has the value of the best; a chance node has the mean. Walks stop at proven nodes and
avoid actions proven to lose. Before an action is first tried, it is checked whether the other player can then win at
once (decisive moves; Teytaud and Teytaud, 2010); such actions are proven to lose without a walk.
"""

import math
from typing import Any

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer, row_pointer
from forethought.compiler.rows import copy_row
from forethought.game import CHANCE, TERMINAL, Table
from forethought.search.mcts.tree import NO_NODE, UNKNOWN, NodePool, Nodes, add_node, is_full

WON, LOST = 1.0, -1.0


@inlined_kernel
def note_scale(scale: Float64s, returns: Float64s) -> None:
    """Update the largest absolute return."""
    for player in range(len(returns)):
        scale[0] = max(scale[0], abs(returns[player]))


@inlined_kernel
def value_of_end(game: Table, nodes: Nodes, node: int, s: Any, scale: Float64s, returns: Float64s) -> None:
    """Write the returns at the end of a game, or at a proven node."""
    if nodes.player[node] == TERMINAL:
        game.returns(s, pointer(returns))
        note_scale(scale, returns)
        nodes.proven[node] = returns[0]
    else:
        returns[0], returns[1] = nodes.proven[node], -nodes.proven[node]


@kernel
def refute(
    game: Table, pool: NodePool, node: int, edge: int, state: Any, actions: Any, ahead: Bytes, returns: Float64s
) -> bool:
    """Whether an untried action lets the other player win at once; if so, store what this proves."""
    nodes, edges, player = pool.nodes, pool.edges, pool.nodes.player[node]
    if edges.child[edge] != NO_NODE or is_full(pool):
        return False
    copy_row(state, ahead[0])
    game.apply(row_pointer(ahead, 0), edges.action[edge])
    other = 1 - player
    if game.player(row_pointer(ahead, 0)) != other or not wins_at_once(game, other, actions, ahead, returns):
        return False
    child = edges.child[edge] = add_node(pool, other)
    edges.visits[edge] = 1
    nodes.proven[child] = WON if other == 0 else LOST
    nodes.proven[node] = close(pool, node, edge)
    return True


@kernel
def wins_at_once(game: Table, player: int, actions: Any, ahead: Bytes, returns: Float64s) -> bool:
    """Whether the player to move in the first position can win by one action; the second is scratch memory."""
    after = row_pointer(ahead, 1)
    for i in range(game.legal(row_pointer(ahead, 0), pointer(actions))):
        copy_row(ahead[0], ahead[1])
        game.apply(after, actions[i])
        if game.player(after) == TERMINAL:
            game.returns(after, pointer(returns))
            if returns[player] == WON:
                return True
    return False


@kernel
def close(pool: NodePool, node: int, edge: int) -> float:
    """Give an edge the value of its proven child; return the proven value of the node for player 0, or UNKNOWN."""
    nodes, edges = pool.nodes, pool.edges
    value, player = nodes.proven[edges.child[edge]], nodes.player[node]
    if player == CHANCE:
        return mean_of_children(pool, node)
    won = value if player == 0 else -value
    # No mean and no bonus can outweigh a proven win or loss.
    edges.total[edge] = edges.visits[edge] * won if LOST < won < WON else won * math.inf
    return value if won == WON else best_of_children(pool, node, player)


@kernel
def prove(pool: NodePool, path_nodes: Int64s, path_edges: Int64s, length: int) -> None:
    """Back up the outcome of a path's proven last node as far as it proves anything."""
    for i in range(length - 1, -1, -1):
        value = close(pool, path_nodes[i], path_edges[i])
        if value == UNKNOWN:
            return
        pool.nodes.proven[path_nodes[i]] = value


@kernel
def best_of_children(pool: NodePool, node: int, player: int) -> float:
    """Return the value for player 0 under the best action; UNKNOWN if not all actions are proven."""
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
def mean_of_children(pool: NodePool, node: int) -> float:
    """Return the mean value for player 0; UNKNOWN if not all outcomes are proven."""
    mean = total = 0.0
    for edge in range(pool.nodes.first[node], pool.nodes.first[node] + pool.nodes.degree[node]):
        child = pool.edges.child[edge]
        value = UNKNOWN if child == NO_NODE else pool.nodes.proven[child]
        if value == UNKNOWN:
            return UNKNOWN
        mean += pool.edges.prior[edge] * value
        total += pool.edges.prior[edge]
    return mean / total  # in single precision the total is not exactly one, and certain wins must give 1
