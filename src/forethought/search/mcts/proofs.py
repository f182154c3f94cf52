"""Proven outcomes in a tree: ends of games, passed on to every node whose outcome follows from them.

For games of two players that sum to zero and pay from -1 to 1. Where the player to move has an action proven to win,
the node is won; where all actions are proven, it is worth the best of them; chance is worth what it brings on average.
Walks stop at proven nodes, and keep away from actions proven to lose. No walk is spent on an action that lets the other
player win at once: that is looked at before an action is first tried (decisive moves; Teytaud and Teytaud, 2010).
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
    """Remember the largest absolute return."""
    for player in range(len(returns)):
        scale[0] = max(scale[0], abs(returns[player]))


@inlined_kernel
def value_of_end(game: Table, nodes: Nodes, node: int, s: Any, scale: Float64s, returns: Float64s) -> None:
    """Write the returns of a walk that has come to the end of the game, or to what is proven."""
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
    """Whether an action not tried yet lets the other player win at once; if so, note all that this proves."""
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
    """Whether the player to move in the first position can win by one action; the second is tried out."""
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
    """Give an edge the worth of its proven child; return what player 0 gets at the node, if that is decided now."""
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
    """Pass the outcome of a walk's proven last node up the way it came, as far as it decides anything."""
    for i in range(length - 1, -1, -1):
        value = close(pool, path_nodes[i], path_edges[i])
        if value == UNKNOWN:
            return
        pool.nodes.proven[path_nodes[i]] = value


@kernel
def best_of_children(pool: NodePool, node: int, player: int) -> float:
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
def mean_of_children(pool: NodePool, node: int) -> float:
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
