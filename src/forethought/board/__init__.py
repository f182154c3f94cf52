"""The one description of a board, as plain data: drawing, network planes, symmetries and patterns all read it.

grid        the cells: where they lie, who neighbours whom
moves       each action's origin, target and kind; NOWHERE for what it has not: a stone is placed from NOWHERE, and
            a pass goes nowhere. Kinds tell apart actions with the same origin and target.
planes      facts 0 .. planes * cells - 1 are planes of cells: fact = plane * cells + cell. Plane 0 holds the
            observer's own pieces and plane 1 the other's (for PUBLIC: player 0's and player 1's). Facts from there
            on are about the whole board; the first two say who is to move, which tells the seats apart.
symmetries  the foldings of the grid under which the rules stay the same, for cells, actions and facts
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from forethought.arrays import Int64s
from forethought.board.grids import (
    NORTH,
    NOWHERE,
    Grid,
    Tiling,
    crossings_grid,
    hexagon_grid,
    rhombus_grid,
    square_grid,
)
from forethought.errors import ForethoughtError

__all__ = [
    "NOWHERE",
    "Board",
    "Grid",
    "Ints",
    "Move",
    "Symmetry",
    "crossings_grid",
    "hexagon_grid",
    "make_board",
    "placements",
    "rhombus_grid",
    "square_grid",
]


class Move(NamedTuple):
    """What one action does: from where, to where, and in which of several ways."""

    origin: int = NOWHERE
    target: int = NOWHERE
    kind: int = 0


class Symmetry(NamedTuple):
    """One way to turn or reflect a game onto itself: what becomes of each cell and of each action."""

    cells: Int64s
    actions: Int64s


@dataclass(frozen=True, eq=False)
class Board:
    """A board and what actions do on it."""

    grid: Grid
    origins: Int64s  # [actions]
    targets: Int64s  # [actions]
    kinds: Int64s  # [actions]
    planes: int
    symmetries: tuple[Symmetry, ...]  # the identity first
    stacks: bool  # pieces pile up: what goes to an occupied target goes to the first free cell north of it
    crossings: bool = False  # drawn where lines cross, though its cells are squares

    @property
    def drawn_as(self) -> Tiling:
        """What its cells are drawn as."""
        return "point" if self.crossings else self.grid.tiling

    @property
    def lines(self) -> list[tuple[int, int]]:
        """The pairs of cells between which a line is drawn."""
        if self.drawn_as != "point":
            return []
        places, straight = self.grid.places, self.grid.tiling != "point"
        pairs = [(a, b) for a, b in self.grid.steps if a < b]
        return [
            (a, b) for a, b in pairs if not straight or places[a][0] == places[b][0] or places[a][1] == places[b][1]
        ]

    @property
    def cells(self) -> int:
        return self.grid.cells

    @property
    def actions(self) -> int:
        return len(self.targets)

    def action_name(self, action: int) -> str:
        """Name an action by its cells: d4, or d4-e5."""
        return _named(self.grid, (int(self.origins[action]), int(self.targets[action])))

    def owners(self, facts: Sequence[int], own: int = 0) -> list[int]:
        """Return for each cell who has a piece there, 1 + player or 0, by the facts of player `own` (0 for PUBLIC)."""
        found = [0] * self.cells
        for fact in facts:
            plane, cell = divmod(fact, self.cells)
            if plane < 2:
                found[cell] = 1 + (own if plane == 0 else 1 - own)
        return found

    def resting_cell(self, target: int, owners: Sequence[int]) -> int:
        """Return where a piece that goes to a target comes to rest."""
        while self.stacks and owners[target] and (above := int(self.grid.neighbours[target, NORTH])) != NOWHERE:
            target = above
        return target

    def mapped_facts(self, symmetry: Symmetry, facts: Sequence[int]) -> list[int]:
        """Return what facts become when the board is folded; those about the whole board stay."""
        planes = self.planes * self.cells
        return sorted(
            fact - fact % self.cells + int(symmetry.cells[fact % self.cells]) if fact < planes else fact
            for fact in facts
        )


def make_board(
    grid: Grid,
    moves: Sequence[Move],
    planes: int = 2,
    *,
    keeps: Callable[[Int64s], bool] = lambda _folding: True,
    stacks: bool = False,
    crossings: bool = False,
) -> Board:
    """Describe a board; `keeps` says which foldings of the grid leave the rules as they are."""
    numbers = {move: action for action, move in enumerate(moves)}

    def image(move: Move, folding: Int64s) -> int:
        origin, target = (NOWHERE if cell == NOWHERE else int(folding[cell]) for cell in (move.origin, move.target))
        try:
            return numbers[Move(origin, target, move.kind)]
        except KeyError:
            raise _not_symmetric(grid, move, (origin, target)) from None

    symmetries = [
        Symmetry(folding, np.array([image(move, folding) for move in moves]))
        for folding in grid.foldings
        if keeps(folding)
    ]
    origins, targets, kinds = np.array(moves).T.copy()
    return Board(grid, origins, targets, kinds, planes, tuple(symmetries), stacks, crossings)


def _not_symmetric(grid: Grid, move: Move, image: tuple[int, int]) -> ForethoughtError:
    before, after = (_named(grid, cells) for cells in ((move.origin, move.target), image))
    return ForethoughtError(
        f"A turn or reflection of the grid takes the move {before} to {after}, which is not among the moves: "
        "give make_board keeps=, a function that says which foldings leave the rules as they are."
    )


def _named(grid: Grid, cells: Sequence[int]) -> str:
    return "-".join(grid.name(cell) for cell in cells if cell != NOWHERE) or "pass"


def placements(grid: Grid) -> list[Move]:
    """List the moves that put a piece on a cell, in the order of the cells."""
    return [Move(target=cell) for cell in range(grid.cells)]
