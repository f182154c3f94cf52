"""What decides a game on a board, for drawings: rows of pieces of one colour, and paths from side to side.

A board is given as its marks, a character for each cell: `X`, `O` or a dot.
"""

from collections import deque
from collections.abc import Callable, Iterable

from forethought.board import NOWHERE, Grid

NOBODY = "."

Item = dict[str, object]


def deciding(cells: Iterable[int]) -> list[Item]:
    """Return what the rule `draw` adds where some cells decide the game; nothing if there are none."""
    listed = sorted(cells)
    return [{"kind": "cells", "label": "what decides the game", "cells": listed}] if listed else []


def rows_in(marks: str, grid: Grid, counts: Callable[[int], bool]) -> set[int]:
    """Return the cells of all rows of one colour, from end to end, whose length counts."""
    ways, found = grid.neighbours.shape[1] // 2, set[int]()
    for first, mark in enumerate(marks):
        for way in range(ways):
            before = int(grid.neighbours[first, way + ways])
            if mark != NOBODY and (before == NOWHERE or marks[before] != mark):
                row = _row_from(marks, grid, first, way)
                found.update(row if counts(len(row)) else ())
    return found


def path_between(marks: str, grid: Grid, first: Iterable[int], last: Iterable[int], mark: str) -> list[int]:
    """Return a shortest path over the cells of one mark from some cells to others; nothing if there is none."""
    ends, waiting = set(last), deque([cell] for cell in first if marks[cell] == mark)
    seen = {path[0] for path in waiting}
    while waiting:
        path = waiting.popleft()
        if path[-1] in ends:
            return path
        for near in grid.neighbours[path[-1]].tolist():
            if near != NOWHERE and near not in seen and marks[near] == mark:
                seen.add(near)
                waiting.append([*path, near])
    return []


def _row_from(marks: str, grid: Grid, first: int, way: int) -> list[int]:
    row = [first]
    while (near := int(grid.neighbours[row[-1], way])) != NOWHERE and marks[near] == marks[first]:
        row.append(near)
    return row
