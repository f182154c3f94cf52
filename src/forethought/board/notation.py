"""Boards as text, to be typed: rows from the top, with `/` or a new line between them.

`X` is a piece of player 0, `O` one of player 1, a dot is an empty cell and a number that many of them: `3/1X1/2O`.
Spaces are left out, so that what `show` draws without its letters and numbers can be read, too.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from forethought.board.grids import Grid
from forethought.errors import ForethoughtError

EMPTY, PIECES = ".", "XO"


def read_owners(grid: Grid, text: str) -> list[int]:
    """Return for each cell 1 + the player who has a piece there, or 0."""
    rows, wanted = [_read_row(row) for row in re.split(r"[/\n]", text.strip())], _rows(grid)
    if [len(row) for row in rows] != [len(row) for row in wanted]:
        lengths = ", ".join(str(len(row)) for row in wanted)
        raise ForethoughtError(
            f"That board has other rows than this game, whose rows are of {lengths} cells, the top one first."
        )
    owners = [0] * grid.cells
    for cells, row in zip(wanted, rows, strict=True):
        for cell, owner in zip(cells, row, strict=True):
            owners[cell] = owner
    return owners


def write_owners(grid: Grid, owners: Sequence[int]) -> str:
    """Return the text of a board, with numbers for empty cells."""

    def written(row: list[int]) -> str:
        parts = ((owner, len(list(group))) for owner, group in groupby(owners[cell] for cell in row))
        return "".join(PIECES[owner - 1] * count if owner else str(count) for owner, count in parts)

    return "/".join(map(written, _rows(grid)))


def _rows(grid: Grid) -> list[list[int]]:
    """Return the cells of each row, the top one first."""
    ordered = sorted(range(grid.cells), key=lambda cell: (-grid.places[cell][1], grid.places[cell][0]))
    return [list(row) for _, row in groupby(ordered, key=lambda cell: grid.places[cell][1])]


def _read_row(text: str) -> list[int]:
    found = list[int]()
    for part in re.findall(r"\d{1,3}|\S", text):
        if not (part.isdecimal() or part.upper() in PIECES or part == EMPTY):
            raise ForethoughtError(f"'{part}' is nothing on a board; write X, O, a dot, or a number of empty cells.")
        found += [0] * int(part) if part.isdecimal() else [(EMPTY + PIECES).index(part.upper())]
    return found
