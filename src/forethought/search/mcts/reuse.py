"""Finding a position in the tree of an earlier search, so that its subtree is reused."""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Int64s
from forethought.compiler import kernel, row_pointer
from forethought.compiler.rows import copy_row
from forethought.game import Game, Table
from forethought.search.mcts.tree import NO_NODE, NodePool

REACH = 6  # plies below the root that are searched: own moves, replies, and chance between them


class ComparedPath(NamedTuple):
    """The path to the position that is being compared."""

    states: Bytes  # [REACH + 1, state_bytes]
    nodes: Int64s  # [REACH + 1]
    tried: Int64s  # [REACH + 1] number of edges tried of each


def make_path(game: Game) -> ComparedPath:
    steps = REACH + 1
    return ComparedPath(
        np.zeros((steps, game.table.state_bytes), np.uint8), np.zeros(steps, np.int64), np.zeros(steps, np.int64)
    )


@kernel
def find_below(game: Table, pool: NodePool, root: int, start: Bytes, wanted: Bytes, path: ComparedPath) -> int:
    """Return the node of the wanted state, at most REACH plies below the root, whose state is `start`; or NO_NODE."""
    copy_row(start, path.states[0])
    path.nodes[0], path.tried[0], depth = root, 0, 0
    while depth >= 0:
        node, tried = path.nodes[depth], path.tried[depth]
        if tried == 0 and same(path.states[depth], wanted):
            return node  # type: ignore[no-any-return]
        if depth == REACH or tried == pool.nodes.degree[node]:
            depth -= 1
            continue
        path.tried[depth] += 1
        edge = pool.nodes.first[node] + tried
        if pool.edges.child[edge] != NO_NODE:
            copy_row(path.states[depth], path.states[depth + 1])
            depth += 1
            game.apply(row_pointer(path.states, depth), pool.edges.action[edge])
            path.nodes[depth], path.tried[depth] = pool.edges.child[edge], 0
    return NO_NODE


@kernel
def same(left: Bytes, right: Bytes) -> bool:
    i = 0
    while i < len(left) and left[i] == right[i]:
        i += 1
    return i == len(left)
