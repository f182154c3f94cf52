"""Unroll a game into a `GameTree`, layer by layer.

Only the records of two layers are kept, and of those only the positions that are not terminal. Chance outcomes that
lead to the same record are one child with the sum of their probabilities (Leduc's two cards of a rank): a state is only
its record, so their subtrees are equal.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s, Int64s
from forethought.compiler import kernel, pointer, row_pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.rollouts import write_legal
from forethought.search.infosets import NO_ROW, Index, add_row, find_row, grown, key_of, make_index, room
from forethought.solve.forecast import MAX_NODES, TreeTooLargeError, forecast_nodes
from forethought.solve.tree import Flat, GameTree, HistoryNodes, Rows
from forethought.status import BROKEN, DONE, NO_ROOM, broken_law

FIRST_ROWS = 1 << 8


class Layer(NamedTuple):
    """The positions of one depth that are not terminal."""

    record: npt.NDArray[np.uint64]  # [positions, words] records are copied by words, not bytes
    node: npt.NDArray[np.int32]


class UnrollWork(NamedTuple):
    """Scratch memory for the rules' answers about one position, and how much of everything is used."""

    choices: Int64s
    weights: Float64s
    facts: Int64s
    used: Int64s  # by the names below


EXPANDED, NEXT, NODES, TERMINALS, CHANCES, ACTIONS, FACTS = range(7)


def unroll(game: Game, max_nodes: int = MAX_NODES) -> GameTree:
    """Unroll a game; one that is too large is refused, with a forecast of its size."""
    expected = forecast_nodes(game)
    if expected > 4 * max_nodes:  # the forecast has an error: refuse only what is clearly too large
        raise TreeTooLargeError(game, expected, max_nodes, "about")
    growing = _Growing(game, min(int(1.02 * expected) + game.table.choices, max_nodes))
    while len(growing.layer.node) > 0:
        status = expand(
            game.table, growing.nodes, growing.rows, growing.flat, growing.index, *growing.layers, growing.work
        )
        if status == BROKEN or growing.ply >= game.plies:
            raise broken_law(game)
        if growing.work.used[NODES] > max_nodes:
            raise TreeTooLargeError(game, float(growing.work.used[NODES]), max_nodes, "more than")
        growing.descend() if status == DONE else growing.grow()
    return growing.tree()


class _Growing:
    """The arrays of a growing tree: doubled when full, trimmed in the end."""

    def __init__(self, game: Game, nodes: int) -> None:
        table = game.table
        self.game, self.choices = game, table.choices
        self.words = -(-table.state_bytes // 8)
        self.nodes = HistoryNodes(
            np.zeros(nodes, np.int8),
            np.zeros(nodes, np.int32),
            np.zeros(nodes, np.int32),
            np.zeros(nodes, np.int16),
            np.zeros(1 << 8),
        )
        kinds: tuple[Any, ...] = (np.int8, np.int64, np.int32, np.int64, np.int32)
        self.rows = Rows(*(np.zeros(FIRST_ROWS, kind) for kind in kinds))
        states = np.zeros((FIRST_ROWS, self.words), np.uint64)
        # Untouched memory costs nothing, but replaced arrays fragment the memory: begin large.
        returns = np.zeros((nodes, game.players))
        self.flat = Flat(np.zeros(1 << 10, np.int32), np.zeros(nodes, np.int32), returns, states)
        self.index = make_index(FIRST_ROWS)
        used = np.array([0, 0, 1, 0, 0, 0, 0], np.int64)
        self.work = UnrollWork(
            np.zeros(self.choices, np.int64), np.zeros(self.choices), np.zeros(game.facts, np.int64), used
        )
        self.layer, self.following, self.ply = self._make_layer(1), self._make_layer(self.choices), 0
        root = self.layer.record[0].view(np.uint8)[: table.state_bytes]
        table.start(root)
        self.nodes.player[0] = table.player(root)

    def _make_layer(self, positions: int) -> Layer:
        return Layer(np.zeros((positions, self.words), np.uint64), np.zeros(positions, np.int32))

    @property
    def layers(self) -> tuple[Layer, Layer]:
        return self.layer, self.following

    def descend(self) -> None:
        """Continue with the next layer."""
        used = self.work.used
        self.layer = Layer(*_each(self.following, lambda array: array[: used[NEXT]]))
        self.following = self._make_layer(self.choices + min(self.choices, 8) * int(used[NEXT]))
        used[EXPANDED] = used[NEXT] = 0
        self.ply += 1

    def grow(self) -> None:
        """Double the arrays that the next expansion might overflow."""
        used, choices = self.work.used, self.choices
        if used[NEXT] + choices > len(self.following.node):
            self.following = Layer(*_each(self.following, lambda array: _doubled(array, choices)))
        if used[NODES] + choices > len(self.nodes.player):
            self.nodes = HistoryNodes._make(
                [*_each(self.nodes[:-1], lambda array: _doubled(array, choices)), self.nodes.chance]
            )
        if used[CHANCES] + choices > len(self.nodes.chance):
            self.nodes = self.nodes._replace(chance=_doubled(self.nodes.chance, choices))
        if self.index.used[0] + 1 > len(self.rows.player):
            self.rows = Rows(*_each(self.rows, lambda array: _doubled(array, 1)))
            self.flat = self.flat._replace(states=_doubled(self.flat.states, 0))
        if self.index.used[0] + 1 > room(self.index):
            self.index = grown(self.index)
        if used[ACTIONS] + choices > len(self.flat.actions):
            self.flat = self.flat._replace(actions=_doubled(self.flat.actions, choices))
        if used[FACTS] + self.game.facts > len(self.flat.facts):
            self.flat = self.flat._replace(facts=_doubled(self.flat.facts, self.game.facts))
        if used[TERMINALS] + choices > len(self.flat.returns):
            self.flat = self.flat._replace(returns=_doubled(self.flat.returns, choices))

    def tree(self) -> GameTree:
        used, rows = self.work.used, int(self.index.used[0])
        self.layer = self.following = self._make_layer(0)
        nodes = HistoryNodes._make(
            [*_each(self.nodes[:-1], lambda array: array[: used[NODES]]), self.nodes.chance[: used[CHANCES]]]
        )
        flat = Flat(
            self.flat.actions[: used[ACTIONS]],
            self.flat.facts[: used[FACTS]],
            self.flat.returns[: used[TERMINALS]],
            self.flat.states[:rows],
        )
        inner = np.empty(int(used[NODES] - used[TERMINALS]), np.int32)
        list_inner(nodes.player, inner)
        return GameTree(self.game, nodes, inner, Rows(*_each(self.rows, lambda array: array[:rows])), flat)


@kernel
def list_inner(players: npt.NDArray[np.int8], inner: npt.NDArray[np.int32]) -> None:
    """List the nodes that are not terminal. NumPy would need eight bytes per node for this."""
    found = 0
    for node in range(len(players)):
        if players[node] != TERMINAL:
            inner[found] = node
            found += 1


def _each(arrays: Any, change: Callable[[Any], Any]) -> list[Any]:
    return [change(array) for array in arrays]


def _doubled(array: npt.NDArray[Any], least: int) -> npt.NDArray[Any]:
    larger = np.zeros((len(array) + max(len(array), least), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


@kernel
def expand(
    game: Table,
    nodes: HistoryNodes,
    rows: Rows,
    flat: Flat,
    index: Index,
    layer: Layer,
    following: Layer,
    work: UnrollWork,
) -> int:
    """Expand the positions of a layer into the next; return DONE, NO_ROOM or BROKEN."""
    used = work.used
    while used[EXPANDED] < len(layer.node):
        if is_full(game, nodes, rows, flat, index, following, used):
            return NO_ROOM
        place = used[EXPANDED]
        node, s = layer.node[place], row_pointer(layer.record, place)
        player, count = nodes.player[node], write_legal(game, s, pointer(work.choices))
        if player == TERMINAL or count == BROKEN:
            return BROKEN
        if player == CHANCE:
            game.chance(s, pointer(work.weights))
            nodes.start[node] = used[CHANCES]
        else:
            new_row = index.used[0]
            row = row_of(game, s, player, count, rows, flat, index, work)
            nodes.start[node] = rows.first[row]
            if row == new_row:
                copy_record(layer.record, place, flat.states, row)
            if rows.count[row] != count:
                return BROKEN
        nodes.first[node] = used[NODES]
        nodes.count[node] = add_children(game, nodes, flat, layer, following, work, count, player == CHANCE)
        used[EXPANDED] += 1
    return DONE


@kernel
def is_full(
    game: Table, nodes: HistoryNodes, rows: Rows, flat: Flat, index: Index, following: Layer, used: Int64s
) -> bool:
    return bool(
        used[NEXT] + game.choices > len(following.node)
        or used[NODES] + game.choices > len(nodes.player)
        or used[CHANCES] + game.choices > len(nodes.chance)
        or used[TERMINALS] + game.choices > len(flat.returns)
        or used[ACTIONS] + game.choices > len(flat.actions)
        or used[FACTS] + game.fact_count > len(flat.facts)
        or index.used[0] + 1 > len(rows.player)
        or index.used[0] + 1 > room(index)
    )


@kernel
def row_of(game: Table, s: Any, player: int, count: int, rows: Rows, flat: Flat, index: Index, work: UnrollWork) -> int:
    """Return the row of a position, a new one if its information set is new."""
    used = work.used
    known = game.facts(s, player, pointer(work.facts))
    key = key_of(work.facts, known)
    row = find_row(index, key)
    if row != NO_ROW:
        return row
    row = add_row(index, key)
    rows.player[row], rows.count[row] = player, count
    rows.first[row], rows.fact_first[row], rows.fact_count[row] = used[ACTIONS], used[FACTS], known
    for i in range(count):
        flat.actions[used[ACTIONS] + i] = work.choices[i]
    for i in range(known):
        flat.facts[used[FACTS] + i] = work.facts[i]
    used[ACTIONS] += count
    used[FACTS] += known
    return row


@kernel
def add_children(
    game: Table,
    nodes: HistoryNodes,
    flat: Flat,
    layer: Layer,
    following: Layer,
    work: UnrollWork,
    count: int,
    by_chance: bool,
) -> int:
    """Add the children of the position being expanded; return how many, equal outcomes of chance counted once."""
    used = work.used
    begin, first_node = used[NEXT], used[NODES]
    for i in range(count):
        place, node = used[NEXT], used[NODES]
        copy_record(layer.record, used[EXPANDED], following.record, place)
        child = row_pointer(following.record, place)
        game.apply(child, work.choices[i])
        if by_chance:
            twin = twin_of(following.record, begin, place)
            if twin != place:
                nodes.chance[used[CHANCES] + following.node[twin] - node] += work.weights[i]
                continue
            nodes.chance[used[CHANCES]] = work.weights[i]
            used[CHANCES] += 1
        nodes.player[node] = game.player(child)
        following.node[place] = node
        used[NODES] += 1
        if nodes.player[node] == TERMINAL:
            game.returns(child, row_pointer(flat.returns, used[TERMINALS]))
            nodes.start[node] = used[TERMINALS]
            used[TERMINALS] += 1
        else:
            used[NEXT] += 1
    return used[NODES] - first_node  # type: ignore[no-any-return]


@kernel
def twin_of(records: npt.NDArray[np.uint64], begin: int, last: int) -> int:
    """Return the first record from `begin` on that equals the last one, which may be itself."""
    for i in range(begin, last):
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
