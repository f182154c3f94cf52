"""The description of boards: places, neighbours, foldings, drawings, and where cells lie in an array."""

import numpy as np
import pytest

from forethought.board import (
    NOWHERE,
    Grid,
    Move,
    crossings_grid,
    hexagon_grid,
    make_board,
    placements,
    rhombus_grid,
    square_grid,
)
from forethought.errors import ForethoughtError

GRIDS = {
    "square": (square_grid(4, 4), 16, 8),
    "rectangle": (square_grid(3, 5), 15, 4),
    "rhombus": (rhombus_grid(4), 16, 4),
    "hexagon": (hexagon_grid(3), 19, 12),
    "crossings": (crossings_grid(5, 9), 45, 4),
    "crossings out of step": (crossings_grid(4, 5), 20, 2),
}


def test_moves_that_a_symmetry_takes_elsewhere_need_keeps():
    grid = square_grid(2, 2)
    upwards = [Move(0, 2), Move(1, 3)]
    with pytest.raises(ForethoughtError, match=r"the move a1-a2 to .*: give make_board keeps=, a function that says"):
        make_board(grid, upwards)
    board = make_board(grid, upwards, keeps=lambda folding: folding.tolist() in ([0, 1, 2, 3], [1, 0, 3, 2]))
    assert [symmetry.actions.tolist() for symmetry in board.symmetries] == [[0, 1], [1, 0]]


@pytest.fixture(params=GRIDS)
def known(request) -> tuple[Grid, int, int]:
    return GRIDS[request.param]


def test_cells_are_numbered_row_by_row(known):
    grid, cells, _ = known
    assert grid.cells == cells == len(set(grid.places))
    assert list(grid.places) == sorted(grid.places, key=lambda place: place[::-1])


def test_who_goes_there_and_back_is_where_it_began(known):
    grid, _, _ = known
    ways = grid.neighbours.shape[1]
    for cell in range(grid.cells):
        for way in range(ways):
            near = grid.neighbours[cell, way]
            assert near == NOWHERE or grid.neighbours[near, (way + ways // 2) % ways] == cell


def test_foldings_keep_neighbours_and_are_as_many_as_known(known):
    grid, cells, foldings = known
    assert len({tuple(folding) for folding in grid.foldings}) == len(grid.foldings) == foldings
    assert grid.foldings[0].tolist() == list(range(cells))
    pairs = {(cell, int(near)) for cell in range(cells) for near in grid.neighbours[cell] if near != NOWHERE}
    for folding in grid.foldings:
        assert sorted(folding) == list(range(cells))
        assert {(int(folding[a]), int(folding[b])) for a, b in pairs} == pairs


def names(grid, cell):
    """Name the neighbours in the order of their directions."""
    numbers = {grid.name(number): number for number in range(grid.cells)}
    return [grid.name(near) if near != NOWHERE else "-" for near in grid.neighbours[numbers[cell]]]


def test_directions_go_clockwise():
    assert names(square_grid(3, 3), "b2") == ["b3", "c3", "c2", "c1", "b1", "a1", "a2", "a3"]
    assert names(square_grid(3, 3), "a1") == ["a2", "b2", "b1", "-", "-", "-", "-", "-"]
    assert names(rhombus_grid(3), "b2") == ["b3", "c2", "c1", "b1", "a2", "a3"]


def test_only_every_other_crossing_has_diagonals():
    assert names(crossings_grid(5, 9), "b1") == ["b2", "-", "c1", "-", "-", "-", "a1", "-"]
    assert names(crossings_grid(5, 9), "b2") == ["b3", "c3", "c2", "c1", "b1", "a1", "a2", "a3"]


@pytest.mark.parametrize(
    ("grid", "shape"), [(square_grid(3, 5), (3, 5)), (rhombus_grid(4), (4, 4)), (hexagon_grid(3), (5, 5))]
)
def test_an_array_is_as_high_and_wide_as_the_grid(grid, shape):
    assert grid.shape == shape


def test_neighbours_on_the_grid_are_neighbours_in_the_array_and_always_on_the_same_side(known):
    """So that one kernel of three by three sees all neighbours of a cell, each in its own place."""
    grid, cells, _ = known
    array = np.full(grid.shape, NOWHERE)
    array[tuple(grid.squares.T)] = range(cells)
    padded = np.pad(array, 1, constant_values=NOWHERE)
    assert sorted(array[array != NOWHERE]) == list(range(cells))
    for way in range(grid.neighbours.shape[1]):
        near = [cell for cell in range(cells) if grid.neighbours[cell, way] != NOWHERE]
        (up, right), *others = {tuple(grid.squares[grid.neighbours[cell, way]] - grid.squares[cell]) for cell in near}
        assert not others
        assert max(abs(up), abs(right)) == 1
        for cell in near:
            row, column = 1 + grid.squares[cell]
            assert padded[row + up, column + right] == grid.neighbours[cell, way]


def test_a_hexagon_leaves_two_corners_of_its_array_empty():
    array = np.zeros(hexagon_grid(2).shape, int)
    array[tuple(hexagon_grid(2).squares.T)] = 1
    assert array.tolist() == [[0, 1, 1], [1, 1, 1], [1, 1, 0]]


def test_steps_are_in_the_order_of_their_cells(known):
    grid, _, _ = known
    assert grid.steps == sorted(grid.steps)
    assert set(grid.steps) == {(b, a) for a, b in grid.steps}
    assert len(grid.steps) == (grid.neighbours != NOWHERE).sum()


def test_a_square_is_drawn_with_letters_below_and_numbers_to_the_right():
    assert square_grid(2, 3).draw("X..OO.") == "O O . 2\nX . . 1\na b c"


def test_a_rhombus_leans_to_the_right():
    assert rhombus_grid(3).draw("X...O....").splitlines() == ["   . . . 3", "  . O . 2", " X . . 1", "a b c"]


@pytest.fixture
def corner_to_corner():
    """Moves between neighbours on two by two, in two kinds, and a pass."""
    grid = square_grid(2, 2)
    moves = [Move(a, b, kind) for a in range(4) for b in range(4) if a != b for kind in range(2)]
    return make_board(grid, [*moves, Move()], planes=3)


def test_a_symmetry_sends_actions_where_it_sends_their_cells(corner_to_corner):
    board = corner_to_corner
    assert len(board.symmetries) == 8
    for symmetry in board.symmetries:
        assert symmetry.actions[-1] == board.actions - 1
        images = symmetry.actions[:-1]
        assert (board.origins[images] == symmetry.cells[board.origins[:-1]]).all()
        assert (board.targets[images] == symmetry.cells[board.targets[:-1]]).all()
        assert (board.kinds[images] == board.kinds[:-1]).all()


def test_a_symmetry_sends_facts_along_their_planes(corner_to_corner):
    board = corner_to_corner
    turn = next(s for s in board.symmetries if s.cells.tolist() == [2, 0, 3, 1])
    assert board.mapped_facts(turn, [0, 4 + 1, 8 + 3, 12]) == [2, 4 + 0, 8 + 1, 12]


def test_a_board_keeps_only_the_foldings_that_suit_its_rules():
    grid = square_grid(2, 2)
    board = make_board(grid, placements(grid), keeps=lambda folding: {*folding[:2].tolist()} == {0, 1})
    assert [symmetry.cells.tolist() for symmetry in board.symmetries] == [[0, 1, 2, 3], [1, 0, 3, 2]]


def test_actions_are_named_by_their_cells(corner_to_corner):
    assert corner_to_corner.action_name(0) == "a1-b1"
    assert corner_to_corner.action_name(corner_to_corner.actions - 1) == "pass"
