"""Trees of positions as arrays: nodes and edges of any number of trees, all in one pool.

A node is a position; its edges are its legal actions, added together when the node is *expanded*. What an edge leads to
is added when a walk first goes there. Positions themselves are not kept: a walk plays them again from the root.

Returns are added up at the edge for the player who chose it, and at the node for the player to move there. With that
every player maximises its own return, however many there are.

Kernels never allocate: they ask whether there is room, and stop if there is not; Python then makes the pool larger and
lets them go on. What a tree holds does not depend on when that happens.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float32s, Float64s, Int32s, Int64s
from forethought.compiler import inlined_kernel, kernel

NO_NODE = -1
UNKNOWN = 2.0  # in place of a proven value; those lie in -1..1
NODE_BYTES, EDGE_BYTES = 40, 32


class Nodes(NamedTuple):
    """Positions."""

    player: Int32s  # who acts: a player, CHANCE or TERMINAL
    first: Int64s  # where the edges begin
    degree: Int32s  # how many edges; 0 if not expanded
    visits: Int32s  # walks that came here and have been backed up
    total: Float64s  # of what the player to move won in them
    proven: Float64s  # what player 0 gets if everybody plays perfectly from here, or UNKNOWN


class Edges(NamedTuple):
    """Actions."""

    action: Int32s
    child: Int32s  # or NO_NODE
    prior: Float32s  # the probability that a network gives it, or chance
    visits: Int32s  # walks that went this way and have been backed up
    waiting: Int32s  # walks that went this way and have not
    total: Float64s  # of what the player who chose it won in its visits


class NodePool(NamedTuple):
    """All nodes and edges."""

    nodes: Nodes
    edges: Edges
    used: Int64s  # [2] nodes, edges
    max_nodes: int


def make_pool(nodes: int, edges: int, max_nodes: int) -> NodePool:
    """Return an empty pool with room for so many."""
    return NodePool(
        Nodes(
            np.zeros(nodes, np.int32),
            np.zeros(nodes, np.int64),
            np.zeros(nodes, np.int32),
            np.zeros(nodes, np.int32),
            np.zeros(nodes),
            np.zeros(nodes),
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
    """Whether so many more fit."""
    enough_nodes = pool.used[0] + nodes <= len(pool.nodes.first)
    return enough_nodes and pool.used[1] + edges <= len(pool.edges.action)  # type: ignore[no-any-return]


@inlined_kernel
def is_full(pool: NodePool) -> bool:
    """Whether no node may be added any more: walks then go on below the tree as they do below its leaves."""
    return pool.used[0] >= pool.max_nodes  # type: ignore[no-any-return]


@inlined_kernel
def add_node(pool: NodePool, player: int) -> int:
    """Add a position that nobody has been to; the caller has seen to it that there is room."""
    nodes, node = pool.nodes, pool.used[0]
    nodes.player[node], nodes.degree[node], nodes.visits[node] = player, 0, 0
    nodes.total[node], nodes.proven[node] = 0.0, UNKNOWN
    pool.used[0] = node + 1
    return node  # type: ignore[no-any-return]


@inlined_kernel
def add_edges(pool: NodePool, node: int, actions: Any, count: int) -> int:
    """Expand a node; return where its edges begin. Their priors are for the caller to write."""
    edges, first = pool.edges, pool.used[1]
    for i in range(count):
        edge = first + i
        edges.action[edge], edges.child[edge] = actions[i], NO_NODE
        edges.visits[edge], edges.waiting[edge], edges.total[edge] = 0, 0, 0.0
    pool.nodes.first[node], pool.nodes.degree[node] = first, count
    pool.used[1] = first + count
    return first  # type: ignore[no-any-return]


def tidied(pool: NodePool, roots: Int64s, nodes: int, edges: int) -> NodePool:
    """Return a pool with only what lies below the roots (which are renumbered), and room for so many more."""
    compact = make_pool(len(pool.nodes.first), len(pool.edges.action), pool.max_nodes)
    copy_trees(pool, compact, roots)
    wanted = (int(compact.used[0]) + nodes, int(compact.used[1]) + edges)
    sizes = (len(pool.nodes.first), len(pool.edges.action))
    # At least half must be free afterwards: tidying again and again would cost more than searching.
    if 2 * wanted[0] <= sizes[0] and 2 * wanted[1] <= sizes[1]:
        return compact
    larger = make_pool(max(2 * wanted[0], sizes[0]), max(2 * wanted[1], sizes[1]), pool.max_nodes)
    _copy_arrays(compact.nodes, larger.nodes, int(compact.used[0]))
    _copy_arrays(compact.edges, larger.edges, int(compact.used[1]))
    larger.used[:] = compact.used
    return larger


def _copy_arrays(old: Iterable[Any], new: Iterable[Any], count: int) -> None:
    for array, longer in zip(old, new, strict=True):
        longer[:count] = array[:count]


@kernel
def copy_trees(old: NodePool, new: NodePool, roots: Int64s) -> None:
    """Copy what lies below the roots: level by level, the nodes already copied being the queue of those to look at."""
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
    """Copy a node whose edges are not copied yet: it still says where they were."""
    copy, here, there = new.used[0], old.nodes, new.nodes
    there.player[copy], there.first[copy], there.degree[copy] = here.player[node], here.first[node], here.degree[node]
    there.visits[copy], there.total[copy], there.proven[copy] = here.visits[node], here.total[node], here.proven[node]
    new.used[0] = copy + 1
    return copy  # type: ignore[no-any-return]


@kernel
def copy_edge(here: Edges, edge: int, there: Edges, copy: int) -> None:
    there.action[copy], there.child[copy], there.prior[copy] = here.action[edge], here.child[edge], here.prior[edge]
    there.visits[copy], there.waiting[copy], there.total[copy] = here.visits[edge], here.waiting[edge], here.total[edge]
