"""Trees of positions as arrays: nodes and edges of any number of trees, all in one pool.

A node is a position; its edges are its legal actions, added together when the node is *expanded*. The child of an edge
is added when a walk first follows it. States are not stored: a walk replays them from the root.

Returns are summed at the edge for the player who chose it, and at the node for the player to move there, so that every
player maximises its own return.

Kernels never allocate: they check whether there is room, and return if there is none; Python then enlarges the pool and
calls again. Results do not depend on when that happens.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float32s, Float64s, Int32s, Int64s
from forethought.compiler import inlined_kernel, kernel

NO_NODE = -1
UNKNOWN = 2.0  # in place of a proven value, which is from -1 to 1
NODE_BYTES, EDGE_BYTES = 40, 32


class Nodes(NamedTuple):
    """Positions."""

    player: Int32s  # who acts: a player, CHANCE or TERMINAL
    first: Int64s  # the first edge
    degree: Int32s  # number of edges; 0 if not expanded
    visits: Int32s  # walks through this node that have been backed up
    total: Float64s  # sum of the returns of the player to move
    proven: Float64s  # return of player 0 under perfect play from here, or UNKNOWN
    values: Float64s  # [nodes, columns] the evaluator's values; no columns if nobody asks for them again


class Edges(NamedTuple):
    """Actions."""

    action: Int32s
    child: Int32s  # or NO_NODE
    prior: Float32s  # the probability given by an evaluator, or by chance
    visits: Int32s  # walks through this edge that have been backed up
    waiting: Int32s  # walks through this edge that have not
    total: Float64s  # sum of the returns of the player who chose it


class NodePool(NamedTuple):
    """All nodes and edges."""

    nodes: Nodes
    edges: Edges
    used: Int64s  # [2] nodes, edges
    max_nodes: int


def make_pool(nodes: int, edges: int, max_nodes: int, columns: int = 0) -> NodePool:
    """Return an empty pool with room for `nodes` nodes, which keep so many values, and `edges` edges."""
    return NodePool(
        Nodes(
            np.zeros(nodes, np.int32),
            np.zeros(nodes, np.int64),
            np.zeros(nodes, np.int32),
            np.zeros(nodes, np.int32),
            np.zeros(nodes),
            np.zeros(nodes),
            np.zeros((nodes, columns)),
        ),
        Edges(
            np.zeros(edges, np.int32),
            np.zeros(edges, np.int32),
            np.zeros(edges, np.float32),
            np.zeros(edges, np.int32),
            np.zeros(edges, np.int32),
            np.zeros(edges),
        ),
        np.zeros(2, np.int64),
        max_nodes,
    )


@inlined_kernel
def has_room(pool: NodePool, nodes: int, edges: int) -> bool:
    """Whether `nodes` more nodes and `edges` more edges fit."""
    enough_nodes = pool.used[0] + nodes <= len(pool.nodes.first)
    return enough_nodes and pool.used[1] + edges <= len(pool.edges.action)  # type: ignore[no-any-return]


@inlined_kernel
def is_full(pool: NodePool) -> bool:
    """Whether no more nodes may be added; walks that leave the tree then end in a roll-out."""
    return pool.used[0] >= pool.max_nodes  # type: ignore[no-any-return]


@inlined_kernel
def add_node(pool: NodePool, player: int) -> int:
    """Add a node without visits; the caller guarantees capacity."""
    nodes, node = pool.nodes, pool.used[0]
    nodes.player[node], nodes.degree[node], nodes.visits[node] = player, 0, 0
    nodes.total[node], nodes.proven[node] = 0.0, UNKNOWN
    pool.used[0] = node + 1
    return node  # type: ignore[no-any-return]


@inlined_kernel
def add_edges(pool: NodePool, node: int, actions: Any, count: int) -> int:
    """Expand a node; return its first edge. The caller writes the priors."""
    edges, first = pool.edges, pool.used[1]
    for i in range(count):
        edge = first + i
        edges.action[edge], edges.child[edge] = actions[i], NO_NODE
        edges.visits[edge], edges.waiting[edge], edges.total[edge] = 0, 0, 0.0
    pool.nodes.first[node], pool.nodes.degree[node] = first, count
    pool.used[1] = first + count
    return first  # type: ignore[no-any-return]


def tidied(pool: NodePool, roots: Int64s, nodes: int, edges: int) -> NodePool:
    """Return a pool with only the trees below the roots (which are renumbered), and room for more nodes and edges."""
    columns = pool.nodes.values.shape[1]
    compact = make_pool(len(pool.nodes.first), len(pool.edges.action), pool.max_nodes, columns)
    copy_trees(pool, compact, roots)
    wanted = (int(compact.used[0]) + nodes, int(compact.used[1]) + edges)
    sizes = (len(pool.nodes.first), len(pool.edges.action))
    # At least half must be free afterwards, or compacting would be repeated too often.
    if 2 * wanted[0] <= sizes[0] and 2 * wanted[1] <= sizes[1]:
        return compact
    larger = make_pool(max(2 * wanted[0], sizes[0]), max(2 * wanted[1], sizes[1]), pool.max_nodes, columns)
    _copy_arrays(compact.nodes, larger.nodes, int(compact.used[0]))
    _copy_arrays(compact.edges, larger.edges, int(compact.used[1]))
    larger.used[:] = compact.used
    return larger


def _copy_arrays(old: Iterable[Any], new: Iterable[Any], count: int) -> None:
    for array, longer in zip(old, new, strict=True):
        longer[:count] = array[:count]


@kernel
def copy_trees(old: NodePool, new: NodePool, roots: Int64s) -> None:
    """Copy the trees below the roots breadth first; the copied nodes are the queue."""
    for i in range(len(roots)):
        if roots[i] != NO_NODE:
            roots[i] = copy_node(old, new, roots[i])
    node = 0
    while node < new.used[0]:
        first, begin = new.nodes.first[node], new.used[1]
        for i in range(new.nodes.degree[node]):
            copy_edge(old.edges, first + i, new.edges, begin + i)
            child = old.edges.child[first + i]
            if child != NO_NODE:
                new.edges.child[begin + i] = copy_node(old, new, child)
        new.nodes.first[node] = begin
        new.used[1] = begin + new.nodes.degree[node]
        node += 1


@kernel
def copy_node(old: NodePool, new: NodePool, node: int) -> int:
    """Copy a node whose edges are not copied yet: `first` is still that of the old pool."""
    copy, here, there = new.used[0], old.nodes, new.nodes
    there.player[copy], there.first[copy], there.degree[copy] = here.player[node], here.first[node], here.degree[node]
    there.visits[copy], there.total[copy], there.proven[copy] = here.visits[node], here.total[node], here.proven[node]
    for column in range(here.values.shape[1]):
        there.values[copy, column] = here.values[node, column]
    new.used[0] = copy + 1
    return copy  # type: ignore[no-any-return]


@kernel
def copy_edge(here: Edges, edge: int, there: Edges, copy: int) -> None:
    there.action[copy], there.child[copy], there.prior[copy] = here.action[edge], here.child[edge], here.prior[edge]
    there.visits[copy], there.waiting[copy], there.total[copy] = here.visits[edge], here.waiting[edge], here.total[edge]
