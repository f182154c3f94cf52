"""Where the cells of a board lie: squares, hexagons or crossings, their neighbours, and how a board maps onto itself.

A cell has a place, (column, row), columns to the right and rows upwards. On hexagons a row stands half a cell to the
right of the row below it, so that a column leans to the right.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Literal

import numpy as np

from forethought.arrays import Int64s

Place = tuple[int, int]
Tiling = Literal["square", "hex", "point"]  # points are crossings of lines, not each of which has all lines

NOWHERE = -1

# The steps to the neighbours, clockwise; from north on squares and crossings, from north-east on hexagons.
EIGHT_WAYS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
NORTH = 0  # on squares and crossings
SIX_WAYS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))


def centre(tiling: Tiling, column: int, row: int) -> tuple[float, float]:
    """Return where a cell lies, to the right and up, a unit from its neighbours."""
    return (column + row / 2, row * math.sqrt(3.0) / 2.0) if tiling == "hex" else (column, row)


@dataclass(frozen=True, eq=False)
class Grid:
    """The cells of a board, numbered row by row from the bottom left."""

    tiling: Tiling
    places: tuple[Place, ...]  # column and row, by cell
    neighbours: Int64s  # [cells, directions] clockwise; NOWHERE beyond the edge and where there is no line
    foldings: tuple[Int64s, ...]  # each [cells]: where a cell goes when the grid is turned or reflected onto itself

    @property
    def cells(self) -> int:
        return len(self.places)

    @property
    def shape(self) -> tuple[int, int]:
        """The height and width of the smallest array that holds the grid; a hexagon leaves two of its corners empty."""
        rows, columns = self.squares.max(axis=0) + 1
        return int(rows), int(columns)

    @property
    def squares(self) -> Int64s:
        """The row and column [cells, 2] of each cell in that array; neighbours here are neighbours there."""
        return np.array(self.places)[:, ::-1]

    @property
    def steps(self) -> list[tuple[int, int]]:
        """All steps from a cell to a neighbour of it, in order."""
        near = enumerate(self.neighbours.tolist())
        return [(cell, other) for cell, others in near for other in sorted(others) if other != NOWHERE]

    def name(self, cell: int) -> str:
        column, row = self.places[cell]
        return f"{ascii_lowercase[column]}{row + 1}"

    def draw(self, marks: str) -> str:
        """Draw the board with one mark for each cell, letters below the columns and numbers right of the rows."""
        lean = 1 if self.tiling == "hex" else 0
        text: dict[Place, str] = {}
        lowest: dict[int, int] = {}
        last: dict[int, int] = {}
        for (column, row), mark in zip(self.places, marks, strict=True):
            text[column, row] = mark
            lowest[column] = min(row, lowest.get(column, row))
            last[row] = max(column, last.get(row, column))
        text |= {(column, row - 1): ascii_lowercase[column] for column, row in lowest.items()}
        text |= {(column + 1, row): str(row + 1) for row, column in last.items()}
        spots = {(2 * column + lean * row, row): mark for (column, row), mark in text.items()}
        left = min(x for x, _ in spots)
        lines: dict[int, str] = {}
        for x, row in sorted(spots):
            lines[row] = lines.get(row, "").ljust(x - left) + spots[x, row]
        return "\n".join(lines[row] for row in sorted(lines, reverse=True))


def square_grid(rows: int, columns: int) -> Grid:
    """Return a rectangle of squares; a square has eight neighbours."""
    return _grid("square", EIGHT_WAYS, [(column, row) for row in range(rows) for column in range(columns)])


def rhombus_grid(size: int) -> Grid:
    """Return as many rows of hexagons as each row is long: the board of Hex."""
    return _grid("hex", SIX_WAYS, [(column, row) for row in range(size) for column in range(size)])


def hexagon_grid(side: int) -> Grid:
    """Return hexagons that fill a hexagon: the board of Yavalath."""
    width, first = 2 * side - 1, side - 1
    places = [(q, r) for r in range(width) for q in range(width) if first <= q + r <= 3 * first]
    return _grid("hex", SIX_WAYS, places)


def crossings_grid(rows: int, columns: int) -> Grid:
    """Return crossings of lines; only where column and row add up to an even number do diagonals cross as well."""
    return _grid("point", EIGHT_WAYS, [(column, row) for row in range(rows) for column in range(columns)])


def _grid(tiling: Tiling, ways: tuple[Place, ...], places: list[Place]) -> Grid:
    number = {place: cell for cell, place in enumerate(places)}
    neighbours = np.full((len(places), len(ways)), NOWHERE)
    for cell, (column, row) in enumerate(places):
        for way, (right, up) in enumerate(ways):
            straight = right == 0 or up == 0
            if tiling != "point" or straight or (column + row) % 2 == 0:
                neighbours[cell, way] = number.get((column + right, row + up), NOWHERE)
    return Grid(tiling, tuple(places), neighbours, tuple(_foldings(ways, number, neighbours)))


def _foldings(ways: tuple[Place, ...], number: dict[Place, int], neighbours: Int64s) -> Iterator[Int64s]:
    """Yield the identity first, then every other turn and reflection of the directions that keeps the grid."""
    count = len(ways)
    right, up = ways.index((1, 0)), ways.index((0, 1))
    for sense in (1, -1):
        for turn in range(0, count, 2 if ways is EIGHT_WAYS else 1):
            turned = [(sense * way + turn) % count for way in range(count)]
            folding = _folding(ways[turned[right]], ways[turned[up]], number)
            if folding is not None and _keeps_neighbours(folding, turned, neighbours):
                yield folding


def _folding(right: Place, up: Place, number: dict[Place, int]) -> Int64s | None:
    """Return where cells go if steps to the right and up become these; None if that is another grid."""
    images = [(c * right[0] + r * up[0], c * right[1] + r * up[1]) for c, r in number]
    left, low = _corner(images)
    old_left, old_low = _corner(number)
    cells = [number.get((x - left + old_left, y - low + old_low), NOWHERE) for x, y in images]
    return None if NOWHERE in cells else np.array(cells)


def _corner(places: Iterable[Place]) -> Place:
    columns, rows = zip(*places, strict=True)
    return min(columns), min(rows)


def _keeps_neighbours(folding: Int64s, turned: list[int], neighbours: Int64s) -> bool:
    images = np.where(neighbours == NOWHERE, NOWHERE, folding[neighbours])
    return bool((neighbours[folding][:, turned] == images).all())
