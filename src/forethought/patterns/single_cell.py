"""Patterns of one cell, evaluated together: the kinds of cells that occur in a ring decide all of them.

A pattern of one cell holds if any of the cells that it can be rotated to is as required. These cells are a *ring*
around its site, which all patterns of the same distance share. The kinds of cells in the ring, a bit each, decide which
of these patterns hold. So a changed cell costs one count per ring, for any number of patterns.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int32s, Int64s, UInt32s
from forethought.board import NOWHERE, Board
from forethought.compiler import inlined_kernel
from forethought.patterns.instances import shifted
from forethought.patterns.pattern import FROM, OFF, Element, Offset, Pattern, canonical, images

OCCURRENCES = 16  # subsets of the four kinds of cells
GATHER = 1 << 24 | 1 << 17 | 1 << 10 | 1 << 3  # as a factor, collects the lowest bits of four bytes
BYTE = 8  # bits of a ring's count of one kind of cell: empty, player 0's, player 1's, off the board
NONE = 0x7F7F7F7F  # counts begin here, in each byte: so its highest bit tells whether the kind of cell occurs
LOWEST = 0x01010101  # bit of each byte
SWAPPED = np.array([owners & 0b1001 | owners >> 1 & 0b10 | owners << 1 & 0b100 for owners in range(OCCURRENCES)])
Place = tuple[int, Offset]  # the anchor, and the canonical offset of a ring's cells from it


class Rings(NamedTuple):
    """A ring for each class and each cell of the board: number class * cells + cell. Both players share them.

    What kernels index by is unsigned: of a number that cannot be negative nobody asks whether it counts from the end,
    which makes roll-outs a fifth faster.
    """

    kind: UInt32s  # [rings] the class
    site: UInt32s  # [rings]
    counts: Int64s  # [rings] cells of each kind on an empty board, a byte each, from NONE on
    touched: UInt32s  # rings, by the cells that are in them
    touched_begin: Int64s  # [cells + 1]
    pattern: Int32s  # patterns of one cell, by player and class; player 1's numbers follow player 0's
    allowed: Int32s  # the kinds of cells that each allows, a bit each: of owners, not friends and enemies
    pattern_begin: Int64s  # [2 * classes + 1]


def place_of(pattern: Pattern, tiling: str) -> Place | None:
    """Return the ring of a pattern of one cell; None for other patterns."""
    if len(pattern.allowed) != 1 or pattern.origin is not None:
        return None
    element = canonical(pattern, tiling).elements[0]
    return pattern.anchor, (element.right, element.up)


def make_rings(patterns: Sequence[Sequence[Pattern]], board: Board) -> Rings:
    """Lay out the rings that the patterns of both players need."""
    places = [[place_of(pattern, board.grid.tiling) for pattern in own] for own in patterns]
    classes = sorted({place for own in places for place in own if place is not None})
    members = [_members(place, board) for place in classes]
    inside = [[row[row != NOWHERE] for row in rows] for rows in members]
    ring = np.repeat(np.arange(len(classes) * board.cells), [len(row) for rows in inside for row in rows])
    cell = np.concatenate([np.zeros(0, np.int64), *(row for rows in inside for row in rows)])
    off = np.array([(row == NOWHERE).sum() for rows in members for row in rows], np.int64)
    return Rings(
        np.repeat(np.arange(len(classes)), board.cells).astype(np.uint32),
        np.array(
            [board.cells * (anchor == FROM) + cell for anchor, _ in classes for cell in range(board.cells)], np.uint32
        ),
        NONE + np.bincount(ring, minlength=len(off)) + (off << OFF * BYTE),
        ring[np.argsort(cell, kind="stable")].astype(np.uint32),
        _begins(np.bincount(cell, minlength=board.cells)),
        *_singles(patterns, places, classes),
    )


def _members(place: Place, board: Board) -> Int64s:
    """Return the cells of each ring of a class [cells, ring]; NOWHERE beyond the edge."""
    anchor, (right, up) = place
    turned = images(Pattern(anchor, (Element(right, up, OFF, False),)), board.grid.tiling)
    return np.array([shifted(board, (e.right, e.up)) for image in turned for e in image.elements]).T


def _singles(
    patterns: Sequence[Sequence[Pattern]], places: Sequence[Sequence[Place | None]], classes: Sequence[Place]
) -> tuple[Int32s, Int32s, Int64s]:
    """Return the patterns of one cell by player and class, what they allow, and where each class begins."""
    found, number = [], 0
    for player, own in enumerate(patterns):
        for pattern, place in zip(own, places[player], strict=True):
            if place is not None:
                (allowed,) = pattern.allowed.values()
                owners = int(SWAPPED[allowed]) if player else allowed
                found.append((player * len(classes) + classes.index(place), number, owners))
            number += 1
    kinds, numbers, allowances = np.array(sorted(found), np.int64).reshape(-1, 3).T
    counts = np.bincount(kinds, minlength=2 * len(classes))
    return numbers.astype(np.int32), allowances.astype(np.int32), _begins(counts)


def _begins(counts: Int64s) -> Int64s:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def ring_weights(rings: Rings, weights: Float64s) -> Float64s:
    """Return the sum of weights for each occurrence in a ring [classes, occurrences, 2 players]."""
    kinds = np.repeat(np.arange(len(rings.pattern_begin) - 1), np.diff(rings.pattern_begin))
    holds = (rings.allowed[:, None] & np.arange(OCCURRENCES)) != 0
    table = np.zeros((len(rings.pattern_begin) - 1, OCCURRENCES))
    np.add.at(table, kinds, holds * weights[rings.pattern][:, None])
    return np.ascontiguousarray(table.reshape(2, -1, OCCURRENCES).transpose(1, 2, 0))


@inlined_kernel
def occurrence(counts: int) -> int:
    """Return the kinds of cells in a ring, a bit each."""
    return (counts >> 7 & LOWEST) * GATHER >> 24 & 15


@inlined_kernel
def transition(before: int, after: int) -> int:
    """Return the occurrence before, and OCCURRENCES times that after, computed together."""
    return (before >> 7 & LOWEST | after >> 3 & LOWEST << 4) * GATHER >> 24 & 255
