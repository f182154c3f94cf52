"""Unroll a game into a `GameTree`.

Chance outcomes that lead to the same record are one child with the sum of their probabilities: a state is only its
record, so what follows is the same (Leduc's two cards of a rank).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.compiler import kernel, pointer, row_pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.search.infosets import NO_ROW, Index, add_row, find_row, grown, key_of, make_index, room
from forethought.solve.forecast import MAX_NODES, check_size, too_large
from forethought.solve.policies import Ints, Reals
from forethought.solve.tree import Flat, GameTree, Nodes, Rows


class Frontier(NamedTuple):
    """Nodes found but not yet expanded, last in first out, with their records; and room to make children in."""

    node: npt.NDArray[np.int32]
    record: npt.NDArray[np.uint64]  # [nodes, words] records are copied by words, not bytes
    child: npt.NDArray[np.uint64]  # [choices, words]
    choices: Ints
    weights: Reals
    facts: Ints
    used: Ints  # frontier nodes, nodes, terminals, flat actions, flat facts


WAITING, NODES, TERMINALS, ACTIONS, FACTS = range(5)
DONE, FULL, LAWLESS = 0, 1, 2


def unroll(game: Game, max_nodes: int = MAX_NODES) -> GameTree:
    """Unroll a game, or refuse with a forecast what will not fit."""
    check_size(game, max_nodes)
    arrays = _Arrays(game)
    while True:
        status = expand(game.table, arrays.nodes, arrays.rows, arrays.flat, arrays.index, arrays.frontier)
        if status == LAWLESS:
            raise game.mistake("it breaks a law of games, which `forethought check` will name")
        if status == DONE:
            return arrays.tree(game)
        if arrays.frontier.used[NODES] >= max_nodes:
            raise too_large(game, int(arrays.frontier.used[NODES]), max_nodes, "more than")
        arrays.grow()


class _Arrays:
    """The arrays of a tree while it grows: doubled when full, cut to size in the end."""

    def __init__(self, game: Game) -> None:
        words, choices = -(-game.table.state_bytes // 8), game.table.choices
        self.choices, self.knowledge = choices, game.facts
        waiting = game.plies * choices + 1
        nodes, rows = 1 << 12, 1 << 8
        self.nodes = Nodes(
            np.zeros(nodes, np.int8),
            np.zeros(nodes, np.int32),
            np.zeros(nodes, np.int32),
            np.zeros(nodes, np.int32),
            np.ones(nodes),
        )
        self.rows = _make_rows(rows)
        states = np.zeros((0 if game.hidden else rows, words), np.uint64)
        self.flat = Flat(
            np.zeros(1 << 10, np.int64), np.zeros(1 << 12, np.int64), np.zeros((1 << 11, game.players)), states
        )
        self.index = make_index(rows)
        self.frontier = Frontier(
            np.zeros(waiting, np.int32),
            np.zeros((waiting, words), np.uint64),
            np.zeros((choices, words), np.uint64),
            np.zeros(choices, np.int64),
            np.zeros(choices),
            np.zeros(game.facts, np.int64),
            np.array([1, 1, 0, 0, 0], np.int64),
        )
        game.table.start(self.frontier.record[0].view(np.uint8)[: game.table.state_bytes])

    def grow(self) -> None:
        """Double whatever the next expansion might overflow."""
        used = self.frontier.used
        if used[NODES] + self.choices > len(self.nodes.player):
            self.nodes = Nodes(*(_doubled(array) for array in self.nodes))
        if self.index.used[0] + 1 > len(self.rows.player):
            self.rows = Rows(*(_doubled(array) for array in self.rows))
            self.flat = self.flat._replace(states=_doubled(self.flat.states))
        if self.index.used[0] + 1 > room(self.index):
            self.index = grown(self.index)
        if used[ACTIONS] + self.choices > len(self.flat.actions):
            self.flat = self.flat._replace(actions=_doubled(self.flat.actions, self.choices))
        if used[FACTS] + self.knowledge > len(self.flat.facts):
            self.flat = self.flat._replace(facts=_doubled(self.flat.facts, self.knowledge))
        if used[TERMINALS] + 1 > len(self.flat.returns):
            self.flat = self.flat._replace(returns=_doubled(self.flat.returns))

    def tree(self, game: Game) -> GameTree:
        used, rows = self.frontier.used, int(self.index.used[0])
        flat = Flat(
            self.flat.actions[: used[ACTIONS]],
            self.flat.facts[: used[FACTS]],
            self.flat.returns[: used[TERMINALS]],
            self.flat.states[:rows],
        )
        nodes = in_layers(Nodes(*(array[: used[NODES]] for array in self.nodes)))
        inner = np.flatnonzero(nodes.player != TERMINAL).astype(np.int32)
        return GameTree(game, nodes, inner, Rows(*(array[:rows] for array in self.rows)), flat)


def in_layers(nodes: Nodes) -> Nodes:
    """Renumber nodes layer by layer; siblings stay side by side, and in order."""
    depth = np.zeros(len(nodes.player), np.int16)
    count_depth(nodes, depth)
    order = np.argsort(depth, kind="stable")
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    player, start, first, count, weight = (array[order] for array in nodes)
    return Nodes(player, start, np.where(count > 0, place[first], 0).astype(np.int32), count, weight)


@kernel
def count_depth(nodes: Nodes, depth: npt.NDArray[np.int16]) -> None:
    for node in range(len(depth)):
        for k in range(nodes.count[node]):
            depth[nodes.first[node] + k] = depth[node] + 1


def _make_rows(rows: int) -> Rows:
    return Rows(
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int32),
    )


def _doubled(array: npt.NDArray, least: int = 0) -> npt.NDArray:  # type: ignore[type-arg]
    more = np.zeros((max(len(array), least), *array.shape[1:]), array.dtype)
    return np.concatenate((array, more))


@kernel
def expand(game: Table, nodes: Nodes, rows: Rows, flat: Flat, index: Index, frontier: Frontier) -> int:
    """Expand waiting nodes until none is left, or until the next one might not fit."""
    used = frontier.used
    while used[WAITING] > 0:
        if is_full(game, nodes, rows, flat, index, used):
            return FULL
        used[WAITING] -= 1
        node, s = frontier.node[used[WAITING]], row_pointer(frontier.record, used[WAITING])
        player = game.player(s)
        nodes.player[node] = player
        if player == TERMINAL:
            game.returns(s, row_pointer(flat.returns, used[TERMINALS]))
            nodes.start[node] = used[TERMINALS]
            used[TERMINALS] += 1
            continue
        count = game.legal(s, pointer(frontier.choices))
        if count < 1 or count > game.choices:
            return LAWLESS
        if player != CHANCE:
            row = row_of(game, player, count, rows, flat, index, frontier)
            nodes.start[node] = rows.first[row]
            if rows.count[row] != count:
                return LAWLESS
            add_children(game, node, count, nodes, frontier)
        else:
            add_outcomes(game, node, count, nodes, frontier)
    return DONE


@kernel
def is_full(game: Table, nodes: Nodes, rows: Rows, flat: Flat, index: Index, used: Ints) -> bool:
    return (
        used[NODES] + game.choices > len(nodes.player)
        or used[TERMINALS] + 1 > len(flat.returns)
        or used[ACTIONS] + game.choices > len(flat.actions)
        or used[FACTS] + game.fact_count > len(flat.facts)
        or index.used[0] + 1 > len(rows.player)
        or 2 * (index.used[0] + 1) > len(index.keys)
    )


@kernel
def row_of(game: Table, player: int, count: int, rows: Rows, flat: Flat, index: Index, frontier: Frontier) -> int:
    """Return the row of the node just taken from the frontier, a new one if its information set is new."""
    used = frontier.used
    known = game.facts(row_pointer(frontier.record, used[WAITING]), player, pointer(frontier.facts))
    key = key_of(frontier.facts, known)
    row = find_row(index, key)
    if row != NO_ROW:
        return row
    row = add_row(index, key)
    rows.player[row], rows.count[row] = player, count
    rows.first[row], rows.fact_first[row], rows.fact_count[row] = used[ACTIONS], used[FACTS], known
    for i in range(count):
        flat.actions[used[ACTIONS] + i] = frontier.choices[i]
    for i in range(known):
        flat.facts[used[FACTS] + i] = frontier.facts[i]
    if len(flat.states) > 0:
        copy_record(frontier.record, used[WAITING], flat.states, row)
    used[ACTIONS] += count
    used[FACTS] += known
    return row


@kernel
def add_children(game: Table, node: int, count: int, nodes: Nodes, frontier: Frontier) -> None:
    """Put the children of the node just taken from the frontier in its place, the first on top, to be expanded next."""
    used = frontier.used
    parent, first = used[WAITING], used[NODES]
    for i in range(count):
        place = parent + count - 1 - i  # the last child takes the parent's own place, when it is needed no more
        if place != parent:
            copy_record(frontier.record, parent, frontier.record, place)
        game.apply(row_pointer(frontier.record, place), frontier.choices[i])
        frontier.node[place] = first + i
        nodes.weight[first + i] = 1.0
    nodes.first[node], nodes.count[node] = first, count
    used[NODES] += count
    used[WAITING] += count


@kernel
def add_outcomes(game: Table, node: int, count: int, nodes: Nodes, frontier: Frontier) -> None:
    """The same for chance, whose outcomes are made aside first: those that give the same record become one child."""
    used = frontier.used
    parent, first, made = used[WAITING], used[NODES], 0
    game.chance(row_pointer(frontier.record, parent), pointer(frontier.weights))
    for i in range(count):
        copy_record(frontier.record, parent, frontier.child, made)
        game.apply(row_pointer(frontier.child, made), frontier.choices[i])
        place = twin_of(frontier.child, made)
        if place == made:
            nodes.weight[first + made] = 0.0
            made += 1
        nodes.weight[first + place] += frontier.weights[i]
    for i in range(made):
        copy_record(frontier.child, i, frontier.record, parent + made - 1 - i)
        frontier.node[parent + made - 1 - i] = first + i
    nodes.first[node], nodes.count[node] = first, made
    used[NODES] += made
    used[WAITING] += made


@kernel
def twin_of(records: npt.NDArray[np.uint64], last: int) -> int:
    """Return the first record that equals the last one, which may be itself."""
    for i in range(last):
        same = True
        for j in range(records.shape[1]):
            same = same and records[i, j] == records[last, j]
        if same:
            return i
    return last


@kernel
def copy_record(source: npt.NDArray[np.uint64], i: int, target: npt.NDArray[np.uint64], j: int) -> None:
    for k in range(source.shape[1]):
        target[j, k] = source[i, k]
