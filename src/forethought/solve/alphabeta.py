"""Values of positions in games without hidden information and chance: alpha-beta search, to the end of the game.

For zero-sum games of two players. Positions are identified by a 64-bit key of their whole record, which is right for
every game, also for those whose facts leave out how long the game may still last (teeko, fanorona) or earlier positions
(go). Collisions are so rare that of 10^5 searches of 2^27 positions, with a table of 2^20, one might be wrong.

All values are for the player to move in the same row or place. Players need not alternate.

The `largest` return of a game ends searches early: a win that cannot be improved need not be searched further. Values
are exact in any case; if a larger return is met, the search is repeated with it.

A search may also look so many plies ahead and no further. Positions at that horizon are leaves (`solve/leaves.py`), and
the key of a position also tells how many plies are left to the horizon.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer, row_pointer
from forethought.compiler.rows import copy_row
from forethought.game import TERMINAL, Game, State, Table
from forethought.rollouts import write_legal
from forethought.solve.leaves import Leaves, evaluate_leaf, make_leaves
from forethought.status import BROKEN, CUT, DONE, EXCEEDED, broken_law

TABLE_SIZE = 1 << 20
NO_ACTION = -1
TO_THE_END = -1  # in place of a number of plies


class TranspositionTable(NamedTuple):
    """The transposition table: bounds on positions, one place per key; the newest entry stays."""

    keys: npt.NDArray[np.uint64]  # [size] 0 where there is none
    low: Float64s  # [size] the value is at least this
    high: Float64s  # [size] and at most this
    actions: Int64s  # [size] the action that was best


class Line(NamedTuple):
    """The line of play that is being searched: a row per position, beginning with the one to be solved."""

    records: Bytes  # [rows, bytes] padded to whole words
    words: npt.NDArray[np.uint64]  # [rows, words] the same memory, copied and hashed by words
    keys: npt.NDArray[np.uint64]  # [rows]
    players: Int64s  # [rows] to move
    low: Float64s  # [rows] the window: values outside of low..high do not matter higher up
    high: Float64s  # [rows]
    best: Float64s  # [rows] the best value so far
    actions: Int64s  # [rows, choices] those still to be searched, the most promising first
    counts: Int64s  # [rows] number of actions to be searched
    tried: Int64s  # [rows] number of actions that have been searched
    best_actions: Int64s  # [rows]


class AlphaBetaWork(NamedTuple):
    """Memory of the whole search."""

    refuted: Int64s  # [rows, choices] history heuristic: how often an action caused a cutoff, by ply
    returns: Float64s  # [players]
    nodes: Int64s  # [1] positions searched


class SearchLimits(NamedTuple):
    """What ends a search early."""

    largest: float  # return of the game
    max_nodes: int  # positions searched, all searches together
    plies: int  # from the first row to the horizon, or TO_THE_END


class AlphaBeta:
    """Values of a game's positions; the transposition table is kept from one to the next."""

    def __init__(
        self, game: Game, table_size: int = TABLE_SIZE, largest: float = math.inf, leaves: Leaves | None = None
    ) -> None:
        """Prepare to search; `largest` is the largest absolute return of the game, as far as it is known."""
        check_solvable(game)
        size = 1 << (table_size - 1).bit_length()
        self.game, self.largest, self._leaves = game, float(largest), leaves or make_leaves(game)
        self._transpositions = TranspositionTable(
            np.zeros(size, np.uint64), np.zeros(size), np.zeros(size), np.zeros(size, np.int64)
        )
        self._line = make_line(game)
        refuted = np.zeros_like(self._line.actions)
        self._work = AlphaBetaWork(refuted, np.zeros(game.players), np.zeros(1, np.int64))

    @property
    def nodes(self) -> int:
        """Number of positions searched so far."""
        return int(self._work.nodes[0])

    @property
    def leaves(self) -> int:
        """Number of positions at the horizon that have been evaluated; if none are added, values are exact."""
        return int(self._leaves.evaluated[0])

    def forget(self) -> None:
        """Clear the transposition table."""
        self._transpositions.keys[:] = 0

    def value(self, state: State, max_nodes: int, plies: int = TO_THE_END) -> float | None:
        """Return what the player to move wins under perfect play; None if `max_nodes` positions are not enough."""
        if state.is_terminal:
            raise self.game.mistake("the game is over here, and no player is to move")
        self._line.records[0, : len(state.memory)] = state.memory
        end, status = self.nodes + max_nodes, EXCEEDED
        while status == EXCEEDED:
            limits = SearchLimits(self.largest, end, plies)
            status = search(self.game.table, self._transpositions, self._line, self._work, self._leaves, limits)
            self.largest = max(self.largest, float(np.abs(self._work.returns).max()))
        if status == BROKEN:
            raise broken_law(self.game)
        return float(self._line.best[0]) + 0.0 if status == DONE else None  # adding 0 makes -0.0 a plain 0

    def values(self, state: State, max_nodes: int, plies: int = TO_THE_END) -> list[float | None]:
        """Return the value of each legal action for the player to move; `max_nodes` is for all of them together.

        With a number of plies, which count the action itself, positions are searched so far ahead.
        """
        end, left = self.nodes + max_nodes, plies if plies == TO_THE_END else plies - 1
        return [self._value_of(state, action, end, left) for action in state.legal_actions()]

    def _value_of(self, state: State, action: int, end: int, plies: int) -> float | None:
        after = state.clone()
        after.apply(action)
        if after.is_terminal:
            return after.returns()[state.player]
        value = self.value(after, end - self.nodes, plies)
        return value if value is None or after.player == state.player else 0.0 - value


def make_line(game: Game) -> Line:
    rows, choices, words = game.plies + 2, game.table.choices, -(-game.table.state_bytes // 8)
    records = np.zeros((rows, 8 * words), np.uint8)
    return Line(
        records=records,
        words=records.view(np.uint64),
        keys=np.zeros(rows, np.uint64),
        players=np.zeros(rows, np.int64),
        low=np.zeros(rows),
        high=np.zeros(rows),
        best=np.zeros(rows),
        actions=np.zeros((rows, choices), np.int64),
        counts=np.zeros(rows, np.int64),
        tried=np.zeros(rows, np.int64),
        best_actions=np.zeros(rows, np.int64),
    )


def check_solvable(game: Game) -> None:
    """Refuse games that alpha-beta search has no answer for."""
    if game.players != 2 or not game.zero_sum:
        raise game.mistake("only zero-sum games of two players have exact values of positions")
    if game.hidden:
        raise game.mistake("it hides information; exact values of positions need games where both players see all")
    if game.outcomes > 0:
        raise game.mistake("chance acts in it; exact values of positions need games without")


@kernel
def search(
    game: Table,
    transpositions: TranspositionTable,
    line: Line,
    work: AlphaBetaWork,
    leaves: Leaves,
    limits: SearchLimits,
) -> int:
    """Write the value of the first row's position to its `best`; return DONE, CUT, EXCEEDED or BROKEN."""
    line.players[0] = game.player(row_pointer(line.records, 0))
    line.low[0], line.high[0] = -limits.largest, limits.largest
    depth, status = 0, enter(game, transpositions, line, work, leaves, limits, 0)
    while status == DONE:
        if line.best[depth] >= line.high[depth] or line.tried[depth] == line.counts[depth]:
            remember(transpositions, line, depth)
            if depth == 0:
                return DONE
            depth -= 1
            hand_up(line, work, depth)
        else:
            descend(game, line, depth)
            depth += 1
            status = enter(game, transpositions, line, work, leaves, limits, depth)
    return status


@kernel
def enter(
    game: Table,
    transpositions: TranspositionTable,
    line: Line,
    work: AlphaBetaWork,
    leaves: Leaves,
    limits: SearchLimits,
    depth: int,
) -> int:
    """Enter a position: look it up, value the actions that end the game, and order the others."""
    if work.nodes[0] >= limits.max_nodes:
        return CUT
    if depth >= game.plies:
        return BROKEN
    work.nodes[0] += 1
    line.best[depth], line.best_actions[depth] = -math.inf, NO_ACTION
    line.counts[depth] = line.tried[depth] = 0
    line.keys[depth] = key_of_row(line.words[depth], limits.plies - depth if limits.plies != TO_THE_END else 0)
    if recall(transpositions, line, depth):
        return DONE
    if depth == limits.plies:
        status = evaluate_leaf(game, leaves, line.records[depth], line.keys[depth])
        line.best[depth] = min(max(leaves.totals[line.players[depth]], -limits.largest), limits.largest)
        return status
    count = write_legal(game, row_pointer(line.records, depth), row_pointer(line.actions, depth))
    if count == BROKEN:
        return BROKEN
    if not end_at_once(game, line, work, limits.largest, depth, count):
        return EXCEEDED
    sort_actions(line, work, depth)
    return DONE


@inlined_kernel
def key_of_row(words: npt.NDArray[np.uint64], left: int) -> Any:
    """Return the key of a position from which so many plies are left to the horizon."""
    key = key_of_words(words) + np.uint64(left) * np.uint64(0xD1B54A32D192ED03)
    return key if key != np.uint64(0) else np.uint64(1)


@inlined_kernel
def key_of_words(words: npt.NDArray[np.uint64]) -> Any:
    """Hash a record; each word is mixed thoroughly, as records may differ in any bit."""
    key = np.uint64(0)
    for i in range(len(words)):
        key = (key ^ words[i]) + np.uint64(0x9E3779B97F4A7C15)
        key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        key ^= key >> np.uint64(31)
    return key


@inlined_kernel
def place_of(transpositions: TranspositionTable, key: Any) -> Any:
    return key & np.uint64(len(transpositions.keys) - 1)


@inlined_kernel
def recall(transpositions: TranspositionTable, line: Line, depth: int) -> bool:
    """Look a position up; return whether its bounds are enough for its window."""
    place = place_of(transpositions, line.keys[depth])
    if transpositions.keys[place] != line.keys[depth]:
        return False
    line.best_actions[depth] = transpositions.actions[place]
    low, high = transpositions.low[place], transpositions.high[place]
    if low >= line.high[depth] or low == high:
        line.best[depth] = low
        return True
    if high <= line.low[depth]:
        line.best[depth] = high
        return True
    return False


@inlined_kernel
def remember(transpositions: TranspositionTable, line: Line, depth: int) -> None:
    """Store the result of a finished row: a value inside its window is exact, others are bounds."""
    place, value = place_of(transpositions, line.keys[depth]), line.best[depth]
    if transpositions.keys[place] != line.keys[depth]:
        transpositions.keys[place], transpositions.low[place], transpositions.high[place] = (
            line.keys[depth],
            -math.inf,
            math.inf,
        )
    transpositions.actions[place] = line.best_actions[depth]
    if value > line.low[depth]:
        transpositions.low[place] = max(transpositions.low[place], value)
    if value < line.high[depth]:
        transpositions.high[place] = min(transpositions.high[place], value)


@inlined_kernel
def end_at_once(game: Table, line: Line, work: AlphaBetaWork, largest: float, depth: int, count: int) -> bool:
    """Value the actions that end the game, and keep the others; return whether no return exceeds the largest."""
    s, actions = row_pointer(line.records, depth + 1), line.actions[depth]
    for i in range(count):
        copy_row(line.words[depth], line.words[depth + 1])
        game.apply(s, actions[i])
        if game.player(s) != TERMINAL:
            actions[line.counts[depth]] = actions[i]
            line.counts[depth] += 1
            continue
        game.returns(s, pointer(work.returns))
        won = work.returns[line.players[depth]]
        if abs(won) > largest:
            return False
        if won > line.best[depth]:
            line.best[depth], line.best_actions[depth] = won, actions[i]
    return True


@inlined_kernel
def sort_actions(line: Line, work: AlphaBetaWork, depth: int) -> None:
    """Order actions by insertion sort: the best one of an earlier search first, then by cutoffs at this ply."""
    actions, refuted, first = line.actions[depth], work.refuted[depth], line.best_actions[depth]
    for i in range(1, line.counts[depth]):
        action, j = actions[i], i
        while j > 0 and actions[j - 1] != first and (action == first or refuted[action] > refuted[actions[j - 1]]):
            actions[j] = actions[j - 1]
            j -= 1
        actions[j] = action


@inlined_kernel
def descend(game: Table, line: Line, depth: int) -> None:
    """Play the next action into the next row, and set its window."""
    copy_row(line.words[depth], line.words[depth + 1])
    s = row_pointer(line.records, depth + 1)
    game.apply(s, line.actions[depth, line.tried[depth]])
    line.players[depth + 1] = game.player(s)
    low, high = max(line.low[depth], line.best[depth]), line.high[depth]
    if line.players[depth + 1] == line.players[depth]:
        line.low[depth + 1], line.high[depth + 1] = low, high
    else:
        line.low[depth + 1], line.high[depth + 1] = -high, -low


@inlined_kernel
def hand_up(line: Line, work: AlphaBetaWork, depth: int) -> None:
    """Back up the value of the next row to the action that led to it."""
    value, action = line.best[depth + 1], line.actions[depth, line.tried[depth]]
    if line.players[depth + 1] != line.players[depth]:
        value = -value
    if value > line.best[depth]:
        line.best[depth], line.best_actions[depth] = value, action
    if value >= line.high[depth]:
        work.refuted[depth, action] += 1
    line.tried[depth] += 1
