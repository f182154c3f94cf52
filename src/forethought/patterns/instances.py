"""Patterns laid out on a board: every position and orientation in which each can hold, as arrays for kernels.

What depends on the board's edge only is decided here: instances that would need a cell beyond it are left out, and of
the others only cells on the board remain to be checked. A kernel counts for each instance how many of its cells are
as required. When a cell changes, the lists of that change name the instances that gain or lose one; an instance holds
when its count is the required one, and its slot (a site and a pattern) is active while any of its instances holds.

Sites: the cell a move goes to is a site, as is `cells +` the cell that it comes from, and `2 * cells +` the action
itself for patterns that depend on both. The last site is for actions without a target or origin.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Bools, Int8s, Int32s, Int64s
from forethought.board import NOWHERE, Board
from forethought.compiler import inlined_kernel, kernel
from forethought.patterns.pattern import EMPTY, FROM, Offset, Pattern, images

STATES = 3  # of a cell on the board
MASKS = 1 << STATES
ON_BOARD = MASKS - 1
KEPT_PATTERNS = 1024  # whose rows are cached: two players' patterns, most of them shared


class Instances(NamedTuple):
    """Instances and slots in the order of sites, then patterns."""

    pattern: Int32s  # [instances]
    site: Int32s  # [instances]
    slot: Int32s  # [instances]
    needed: Int8s  # [instances] number of required cells; 0 where the edge alone decides
    on_empty: Int8s  # [instances] how many of them are as required on an empty board
    slot_site: Int32s  # [slots]
    slot_pattern: Int32s  # [slots]
    site_begin: Int64s  # [sites + 1] offsets of the sites' slots
    gained: Int32s  # instances with one more cell as required, by the change of a cell
    gained_begin: Int64s  # [9 * cells + 1] the list of the change (cell * 3 + before) * 3 + after
    lost: Int32s  # instances with one less
    lost_begin: Int64s
    patterns: int  # how many


class _Rows(NamedTuple):
    """The instances of one pattern, in the order of their sites."""

    site: Int32s
    needed: Int8s
    codes: Int32s  # the cells of each instance: MASKS * cell + a bit for each state that is allowed


def site_count(board: Board) -> int:
    return 2 * board.cells + board.actions + 1


def compile_patterns(patterns: Sequence[Pattern], board: Board) -> Instances:
    """Lay patterns out on a board; results are cached per pattern."""
    rows = [_rows(pattern, board) for pattern in patterns]
    site = _joined([row.site for row in rows], np.int32)
    needed = _joined([row.needed for row in rows], np.int8)
    pattern = np.repeat(np.arange(len(rows), dtype=np.int32), [len(row.site) for row in rows])
    order = np.argsort(site, kind="stable")
    codes = _joined([row.codes for row in rows], np.int32)[_cells_in(order, needed)]
    site, needed, pattern = site[order], needed[order], pattern[order]
    owner = np.repeat(np.arange(len(site), dtype=np.int32), needed)

    opens = np.ones(len(site), np.bool_)  # the instance is the first of its slot
    opens[1:] = (site[1:] != site[:-1]) | (pattern[1:] != pattern[:-1])
    slot_site = site[opens]
    on_empty = np.bincount(owner[codes >> EMPTY & 1 == 1], minlength=len(site))
    return Instances(
        pattern=pattern,
        site=site,
        slot=(np.cumsum(opens) - 1).astype(np.int32),
        needed=needed,
        on_empty=on_empty.astype(np.int8),
        slot_site=slot_site,
        slot_pattern=pattern[opens],
        site_begin=np.searchsorted(slot_site, np.arange(site_count(board) + 1)).astype(np.int64),
        **_changes(codes, owner, board.cells),
        patterns=len(patterns),
    )


def _joined(parts: list[npt.NDArray[Any]], kind: type[np.generic]) -> npt.NDArray[Any]:
    return np.concatenate([np.zeros(0, kind), *parts])


def _cells_in(order: Int64s, needed: Int8s) -> Int64s:
    """Return the order of cells that follows from a new order of the instances."""
    begins = np.cumsum(needed, dtype=np.int64) - needed
    lengths = needed[order]
    new_begins = np.cumsum(lengths, dtype=np.int64) - lengths
    return np.repeat(begins[order] - new_begins, lengths) + np.arange(lengths.sum(dtype=np.int64))


@lru_cache(KEPT_PATTERNS)
def _rows(pattern: Pattern, board: Board) -> _Rows:
    """Lay out one pattern in all its images; equal ones at a site are one instance."""
    found = [_rows_of_image(image, board) for image in images(pattern, board.grid.tiling)]
    distinct = np.unique(np.concatenate(found), axis=0)
    sites, codes = distinct[:, 0], distinct[:, 1:]
    asked = codes != NOWHERE
    return _Rows(sites.astype(np.int32), asked.sum(axis=1, dtype=np.int8), codes[asked].astype(np.int32))


def _rows_of_image(image: Pattern, board: Board) -> Int64s:
    """Return a row for each site where the image can hold: the site, then the codes of its cells in order.

    NOWHERE replaces a cell that is always as required.
    """
    sites, anchors = _sites_of(image, board)
    possible = np.ones(len(sites), np.bool_)
    columns = []
    for offset, allowed in image.allowed.items():
        cells = shifted(board, offset)[anchors]
        inside, beyond_edge = allowed & ON_BOARD, allowed >> STATES
        possible &= np.where(cells == NOWHERE, beyond_edge, inside) != 0
        columns.append(np.where((cells == NOWHERE) | (inside == ON_BOARD), NOWHERE, MASKS * cells + inside))
    codes = np.sort(np.array(columns, np.int64).reshape(len(columns), len(sites)).T, axis=1)
    return np.column_stack([sites, codes])[possible]


def _sites_of(image: Pattern, board: Board) -> tuple[Int64s, Int64s]:
    """Return the sites where an image may lie, and the cell of each that is its anchor."""
    cells = np.arange(board.cells)
    if image.origin is None:
        return (board.cells + cells if image.anchor == FROM else cells), cells
    moves = np.flatnonzero((board.origins != NOWHERE) & (board.targets != NOWHERE))
    from_there = shifted(board, image.origin)[board.targets[moves]] == board.origins[moves]
    return 2 * board.cells + moves[from_there], board.targets[moves[from_there]]


@lru_cache(KEPT_PATTERNS)
def shifted(board: Board, offset: Offset) -> Int64s:
    """Return the cell at an offset from each cell, NOWHERE beyond the edge."""
    number = {place: cell for cell, place in enumerate(board.grid.places)}
    right, up = offset
    return np.array([number.get((column + right, row + up), NOWHERE) for column, row in board.grid.places])


def _changes(codes: Int32s, owner: Int32s, cells: int) -> dict[str, Any]:
    """Return the lists of instances that gain or lose a cell by each change of a cell."""
    bits = np.arange(MASKS) >> np.arange(STATES)[:, None] & 1  # [states, masks]
    differences = bits[None, :, :] - bits[:, None, :]  # [before, after, masks]
    numbers = np.bincount(codes, minlength=MASKS * cells).reshape(cells, MASKS)
    begins = []
    for sign in (1, -1):
        lengths = np.einsum("cm,bam->cba", numbers, (differences == sign).astype(np.int64)).ravel()
        begins.append(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
    gained, lost = (np.empty(begin[-1], np.int32) for begin in begins)
    fill_changes(codes, owner, gained, begins[0].copy(), lost, begins[1].copy())
    return {"gained": gained, "gained_begin": begins[0], "lost": lost, "lost_begin": begins[1]}


@kernel
def fill_changes(
    codes: Int32s, owner: Int32s, gained: Int32s, gained_next: Int64s, lost: Int32s, lost_next: Int64s
) -> None:
    """Write each instance to the lists of the changes that affect it; `next` is the end of each list so far."""
    for i in range(len(codes)):
        cell, allowed = codes[i] // MASKS, codes[i] % MASKS
        for before in range(STATES):
            for after in range(STATES):
                change = (cell * STATES + before) * STATES + after
                difference = (allowed >> after & 1) - (allowed >> before & 1)
                if difference > 0:
                    gained[gained_next[change]] = owner[i]
                    gained_next[change] += 1
                elif difference < 0:
                    lost[lost_next[change]] = owner[i]
                    lost_next[change] += 1


# A position and its actions, on those arrays.


@kernel
def count_held(instances: Instances, cells: Int8s, held: Int8s) -> None:
    """Count for each instance the cells that are as required in a position."""
    for i in range(len(held)):
        held[i] = instances.on_empty[i]
    for cell in range(len(cells)):
        change = (cell * STATES + EMPTY) * STATES + cells[cell]
        for i in range(instances.gained_begin[change], instances.gained_begin[change + 1]):
            held[instances.gained[i]] += 1
        for i in range(instances.lost_begin[change], instances.lost_begin[change + 1]):
            held[instances.lost[i]] -= 1


def above_cells(board: Board) -> Int64s:
    """Return the cell above each cell where pieces are stacked; NOWHERE where they are not."""
    north = board.grid.neighbours[:, 0]
    return north.copy() if board.stacks else np.full_like(north, NOWHERE)


@inlined_kernel
def landing(cells: Int8s, target: int, above: Int64s) -> int:
    """Return the cell where a piece comes to rest that is moved to a target; NOWHERE for a pass."""
    while target != NOWHERE and cells[target] != EMPTY and above[target] != NOWHERE:
        target = above[target]
    return target


@kernel
def land(cells: Int8s, targets: Int64s, above: Int64s) -> None:
    """Replace each target by the cell where a piece comes to rest."""
    for i in range(len(targets)):
        targets[i] = landing(cells, targets[i], above)


def targets_of(board: Board, cells: Int8s, actions: Sequence[int] | Int64s) -> Int64s:
    """Return the cell where each action's piece comes to rest; NOWHERE for a pass."""
    targets = board.targets[np.asarray(actions, np.int64)]
    land(cells, targets, above_cells(board))
    return targets


def cells_of(board: Board, facts: Sequence[int]) -> Int8s:
    """Return the cells as the observer with these facts sees them."""
    pieces = np.array([fact for fact in facts if fact < 2 * board.cells], np.int64)
    cells = np.full(board.cells, EMPTY, np.int8)
    cells[pieces % board.cells] = 1 + pieces // board.cells
    return cells


def sites_of(board: Board, cells: Int8s, actions: Sequence[int] | Int64s) -> Int64s:
    """Return the sites [3, actions] of each action: where it goes, where it comes from, and itself."""
    chosen = np.asarray(actions, np.int64)
    targets, origins = targets_of(board, cells, chosen), board.origins[chosen]
    nowhere = site_count(board) - 1
    return np.array(
        [
            np.where(targets == NOWHERE, nowhere, targets),
            np.where(origins == NOWHERE, nowhere, board.cells + origins),
            2 * board.cells + chosen,
        ]
    )


def activity(instances: Instances, board: Board, cells: Int8s, actions: Sequence[int] | Int64s) -> Bools:
    """Return which patterns are active [actions, patterns]."""
    held = np.empty_like(instances.needed)
    count_held(instances, cells, held)
    holds = held == instances.needed
    active = np.zeros((site_count(board), instances.patterns), np.bool_)
    active[instances.site[holds], instances.pattern[holds]] = True
    found: Bools = np.logical_or.reduce(active[sites_of(board, cells, actions)])
    return found
