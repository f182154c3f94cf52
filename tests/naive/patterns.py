"""Patterns, slowly: turned by hand, looked for cell by cell, and all pairs of them counted one by one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from math import sqrt

from forethought.board import NOWHERE, Board
from forethought.patterns.growth import Cases
from forethought.patterns.pattern import EMPTY, FROM, OFF, TO, Element, Offset, Pattern, images


def turned_offsets(offset: Offset, tiling: str) -> list[Offset]:
    """List where an offset goes: each quarter or sixth of a circle in turn, then the same seen in a mirror."""
    right, up = offset
    found = []
    for mirrored in (False, True):
        x, y = (up, right) if mirrored else (right, up)
        for _ in range(6 if tiling == "hex" else 4):
            found.append((x, y))
            x, y = (x + y, -x) if tiling == "hex" else (y, -x)
    return found


def turned_patterns(pattern: Pattern, tiling: str) -> list[Pattern]:
    """List all images of a pattern, the same one perhaps several times."""
    places = [turned_offsets((element.right, element.up), tiling) for element in pattern.elements]
    origins = [None] * 12 if pattern.origin is None else turned_offsets(pattern.origin, tiling)
    return [
        Pattern(
            pattern.anchor,
            tuple(Element(*place[i], e.kind, e.negated) for place, e in zip(places, pattern.elements, strict=True)),
            origins[i],
        )
        for i in range(12 if tiling == "hex" else 8)
    ]


def landing_cell(board: Board, cells: Sequence[int], action: int) -> int:
    """Return where an action's piece comes to lie."""
    target = int(board.targets[action])
    if board.stacks:
        column, row = board.grid.places[target]
        while cells[target] != EMPTY:
            row += 1
            target = board.grid.places.index((column, row))
    return target


def state_at(board: Board, cells: Sequence[int], anchor: int, offset: Offset) -> int:
    """Return what the cell at an offset from the anchor is: EMPTY, FRIEND, ENEMY or OFF."""
    column, row = board.grid.places[anchor]
    place = column + offset[0], row + offset[1]
    return int(cells[board.grid.places.index(place)]) if place in board.grid.places else OFF


def holds(image: Pattern, board: Board, cells: Sequence[int], target: int, origin: int) -> bool:
    """Say whether a pattern holds as it lies for a move between these cells."""
    anchor = origin if image.anchor == FROM else target
    if anchor == NOWHERE:
        return False
    if image.origin is not None:
        (to_column, to_row), (column, row) = board.grid.places[target], board.grid.places[origin]
        if origin == NOWHERE or (column - to_column, row - to_row) != image.origin:
            return False
    return all((state_at(board, cells, anchor, (e.right, e.up)) == e.kind) != e.negated for e in image.elements)


def is_active(pattern: Pattern, board: Board, cells: Sequence[int], action: int) -> bool:
    """Say whether any image of a pattern holds for an action."""
    target, origin = landing_cell(board, cells, action), int(board.origins[action])
    return any(holds(image, board, cells, target, origin) for image in turned_patterns(pattern, board.grid.tiling))


@dataclass
class Counted:
    """In how many cases something held, the sum of the errors in them, and which two patterns made it."""

    parts: tuple[int, int] = (-1, -1)
    cases: list[int] = field(default_factory=list)
    error: float = 0.0

    def count(self, case: int, error: float) -> None:
        if case not in self.cases:
            self.cases.append(case)
            self.error += error


def naive_unions(
    cases: Cases, patterns: Sequence[Pattern], board: Board
) -> tuple[dict[Pattern, Counted], list[Counted]]:
    """Count all unions of two images that hold at once and are no pattern yet, and the patterns themselves."""
    tiling = board.grid.tiling
    listed = [(number, image) for number, pattern in enumerate(patterns) for image in images(pattern, tiling)]
    known = {smallest_image(pattern, tiling) for pattern in patterns}
    unions: dict[Pattern, Counted] = {}
    singles = [Counted() for _ in patterns]
    for case, error in enumerate(cases.error.tolist()):
        cells, target, origin = cases.cells[cases.position[case]], int(cases.target[case]), int(cases.origin[case])
        active = [(number, image) for number, image in listed if holds(image, board, cells, target, origin)]
        for number, _ in active:
            singles[number].count(case, error)
        for (i, one), (j, other) in combinations(active, 2):
            union = naive_union(one, other, offset_between(board, target, origin), tiling)
            if union not in known:
                unions.setdefault(union, Counted((i, j))).count(case, error)
    return unions, singles


def offset_between(board: Board, target: int, origin: int) -> Offset | None:
    if NOWHERE in (target, origin):
        return None
    (to_column, to_row), (column, row) = board.grid.places[target], board.grid.places[origin]
    return column - to_column, row - to_row


@cache
def smallest_image(pattern: Pattern, tiling: str) -> Pattern:
    return min(turned_patterns(pattern, tiling))


@cache
def naive_union(one: Pattern, other: Pattern, origin: Offset | None, tiling: str) -> Pattern:
    """Join two patterns for a move from the origin, seen from its target unless both are seen from the origin."""
    if one.anchor == other.anchor == FROM:
        return smallest_image(Pattern(FROM, one.elements + other.elements), tiling)
    elements = []
    for pattern in (one, other):
        right, up = origin if pattern.anchor == FROM else (0, 0)
        elements += [e._replace(right=e.right + right, up=e.up + up) for e in pattern.elements]
    asks_origin = any(pattern.anchor == FROM or pattern.origin is not None for pattern in (one, other))
    return smallest_image(Pattern(TO, tuple(elements), origin if asks_origin else None), tiling)


def naive_score(union: Counted, singles: list[Counted], errors: Sequence[float]) -> float:
    """Return how the union's activity correlates with the error, less if it correlates with its parts."""
    n, held = len(errors), len(union.cases)
    parts = [len(singles[part].cases) for part in union.parts]
    if n in (held, *parts):
        return 0.0
    total, squares = sum(errors), sum(error * error for error in errors)
    with_error = (n * union.error - held * total) / (sqrt(held * (n - held)) * sqrt(n * squares - total * total))
    with_parts = [held * (n - part) / (sqrt(held * (n - held)) * sqrt(part * (n - part))) for part in parts]
    return abs(with_error) * (1.0 - max(with_parts))
