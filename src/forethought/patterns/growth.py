"""How patterns grow: of all pairs that hold at the same time, the union that explains the error of a policy best.

A case is one legal action of one position. The score of a union increases with the correlation of its activity with the
policy's error over the cases, and decreases with its correlation with its two parts, which the policy already has.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int64s
from forethought.board import NOWHERE, Board
from forethought.errors import ForethoughtError
from forethought.patterns.pair_counts import (
    FREE,
    MOST_IMAGES,
    MOST_PAIRS,
    Cases,
    Ground,
    Images,
    Pairs,
    PairWork,
    count_cases,
    place_rows,
    prepare,
)
from forethought.patterns.pattern import Offset, Pattern, canonical, combined, images, turns
from forethought.randomness import Generator

__all__ = ["Cases", "Unions", "best_pair", "count_unions", "union_pattern", "union_scores"]

FIRST_ROOM = 1 << 16
KEPT_PATTERNS = 1024  # whose images are cached


class Unions(NamedTuple):
    """Unions of two patterns that are no pattern yet, in the order in which they were first found."""

    times: Int64s  # [unions] cases in which it held
    error: Float64s  # [unions] sum over those cases
    first: Int64s  # [unions, 3] two images whose union it is, and the case in which they were seen
    parts: Int64s  # [unions, 2] the patterns of those images
    part_times: Int64s  # [patterns] cases in which each pattern held


def best_pair(
    cases: Cases, patterns: Sequence[Pattern], weights: Float64s, board: Board, rng: Generator
) -> tuple[Pattern | None, float]:
    """Return the union of two patterns with the highest score, and the score; None if no score is above 0."""
    if not patterns:
        return None, 0.0
    unions = count_unions(cases, patterns, weights, board, rng)
    scores = union_scores(unions, cases.error)
    if not (scores > 0.0).any():
        return None, 0.0
    best = int(scores.argmax())
    return union_pattern(unions, best, cases, patterns, board), float(scores[best])


def count_unions(cases: Cases, patterns: Sequence[Pattern], weights: Float64s, board: Board, rng: Generator) -> Unions:
    """Count all unions in all cases; where too many images hold, only those with the largest weights are paired."""
    listed = _all_images(patterns, board)
    ground, arrays = _ground(board), _arrays(listed, weights, len(turns(board.grid.tiling)))
    work, pairs = _make_work(len(listed), len(ground.turns)), _make_pairs(max(FIRST_ROOM, 2 * len(patterns)))
    prepare(ground, arrays, np.zeros(2, np.int64), pairs)
    known = len(patterns)
    if pairs.used[0] < known:
        raise ForethoughtError("Two of the patterns are images of each other; leave one out.")
    while not count_cases(ground, arrays, cases, work, pairs, rng):
        pairs = _with_more_room(pairs)
    used = int(pairs.used[0])
    first = pairs.first[known:used]
    return Unions(
        pairs.times[known:used], pairs.error[known:used], first, arrays.pattern[first[:, :2]], pairs.times[:known]
    )


def union_scores(unions: Unions, error: Float64s) -> Float64s:
    """Return the score of each union: at most 1, and 0 where a correlation is undefined."""
    n, total = len(error), error.sum()
    times = unions.times.astype(np.float64)
    part_times = unions.part_times[unions.parts].astype(np.float64)  # [unions, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = np.sqrt(times * (n - times))
        with_error = (n * unions.error - times * total) / (deviation * np.sqrt(n * (error @ error) - total * total))
        with_parts = times[:, None] * (n - part_times) / (deviation[:, None] * np.sqrt(part_times * (n - part_times)))
        scores = np.abs(with_error) * (1.0 - with_parts.max(axis=1))
    return np.where(np.isfinite(scores), scores, 0.0)


def union_pattern(unions: Unions, number: int, cases: Cases, patterns: Sequence[Pattern], board: Board) -> Pattern:
    """Return a union as a pattern, in its canonical form."""
    one, other, case = unions.first[number].tolist()
    target, origin = int(cases.target[case]), int(cases.origin[case])
    shift: Offset | None = None
    if NOWHERE not in (target, origin):
        (to_column, to_row), (column, row) = (board.grid.places[cell] for cell in (target, origin))
        shift = column - to_column, row - to_row
    listed = _all_images(patterns, board)
    return canonical(combined(listed[one][1], listed[other][1], shift), board.grid.tiling)


def _all_images(patterns: Sequence[Pattern], board: Board) -> list[tuple[int, Pattern]]:
    """List all images of all patterns, each with the number of its pattern."""
    tiling = board.grid.tiling
    return [(number, image) for number, pattern in enumerate(patterns) for image in _images(pattern, tiling)]


@lru_cache(KEPT_PATTERNS)
def _images(pattern: Pattern, tiling: str) -> tuple[Pattern, ...]:
    return tuple(images(pattern, tiling))


def _ground(board: Board) -> Ground:
    columns, rows = np.array(board.grid.places, np.int64).T.copy()
    cells = np.full((rows.max() + 1, columns.max() + 1), NOWHERE)
    cells[rows, columns] = np.arange(board.cells)
    return Ground(columns, rows, cells, np.array(turns(board.grid.tiling), np.int64))


def _arrays(listed: list[tuple[int, Pattern]], weights: Float64s, turn_count: int) -> Images:
    owner = np.array([number for number, _ in listed], np.int64)
    allowed = [image.allowed for _, image in listed]
    cells = np.array([(*place, may_be) for each in allowed for place, may_be in each.items()], np.int64)
    right, up, may_be = cells.reshape(-1, 3).T.copy()
    return Images(
        pattern=owner,
        weight=np.abs(weights)[owner],
        anchor=np.array([image.anchor for _, image in listed], np.int64),
        origin=np.array([image.origin or (0, 0) for _, image in listed], np.int64),
        has_origin=np.array([image.origin is not None for _, image in listed], np.bool_),
        begin=np.cumsum([0, *map(len, allowed)], dtype=np.int64),
        right=right,
        up=up,
        allowed=may_be,
        sums=np.empty((len(listed), turn_count), np.uint64),
    )


def _make_work(images_count: int, turn_count: int) -> PairWork:
    return PairWork(
        image=np.empty(images_count, np.int64),
        tie=np.empty(images_count, np.uint64),
        sums=np.empty((2, MOST_IMAGES, turn_count), np.uint64),
        shift=np.zeros(2, np.int64),
        origin_words=np.zeros(turn_count, np.uint64),
        total=np.empty(turn_count, np.uint64),
        next_case=np.zeros(1, np.int64),
    )


def _make_pairs(room: int) -> Pairs:
    room = max(room, MOST_PAIRS)
    return Pairs(
        key=np.zeros(room, np.uint64),
        times=np.zeros(room, np.int64),
        error=np.zeros(room),
        last=np.full(room, FREE),
        first=np.zeros((room, 3), np.int64),
        places=np.full(1 << int(4 * room / 3).bit_length(), FREE),
        used=np.zeros(1, np.int64),
    )


def _with_more_room(pairs: Pairs) -> Pairs:
    """Return the same rows with twice the room."""
    larger = _make_pairs(2 * len(pairs.key))
    for old, new in zip(pairs[:5], larger[:5], strict=True):
        new[: len(old)] = old
    larger.used[:] = pairs.used
    place_rows(larger)
    return larger
