"""Convolutions in kernels against sums over squares in doubles."""

import numpy as np
import pytest

from forethought.compiler.blas import LANES
from forethought.nets.convolution import (
    TILE_SIZES,
    TILES_AT_ONCE,
    Layout,
    Tiling,
    convolution_panels,
    convolve,
    convolve_facts,
    fact_layer,
    make_workplace,
    tiling_of,
    winograd,
)
from tests.naive import tower as naive

BOARDS = [(6, 7), (3, 3), (8, 8), (1, 1), (5, 9), (2, 11), (9, 4)]
UNTOUCHED = -7.0
HEXAGON = [1, 2, 3, 4, 5, 6, 7]  # a hexagon of side two in a square of three: two corners are no cells


def boards_of(tiling: Tiling, values: np.ndarray, margin: float = 0.0) -> np.ndarray:
    """Features [rows, channels, height, width] as kernels want them."""
    rows, channels = values.shape[:2]
    boards = np.full((rows, tiling.area // tiling.stride, tiling.stride, -(-channels // LANES) * LANES), margin)
    boards[:, 1 : tiling.height + 1, 1 : tiling.width + 1] = 0.0
    boards[:, 1 : tiling.height + 1, 1 : tiling.width + 1, :channels] = values.transpose(0, 2, 3, 1)
    return boards.reshape(rows * tiling.area, -1).astype(np.float32)


def values_of(tiling: Tiling, boards: np.ndarray, channels: int) -> np.ndarray:
    shaped = boards.reshape(-1, tiling.area // tiling.stride, tiling.stride, boards.shape[1])
    return shaped[:, 1 : tiling.height + 1, 1 : tiling.width + 1, :channels].transpose(0, 3, 1, 2)


@pytest.mark.parametrize("size", TILE_SIZES)
def test_the_matrices_convolve(size: int) -> None:
    rng = np.random.default_rng(1)
    patch, weights, matrices = rng.normal(size=size + 2), rng.normal(size=3), winograd(size)
    expected = [patch[i : i + 3] @ weights for i in range(size)]
    assert matrices.outputs @ ((matrices.filters @ weights) * (matrices.inputs @ patch)) == pytest.approx(expected)


@pytest.mark.parametrize(("board", "tile"), [((6, 7), (3, 4)), ((8, 8), (4, 4)), ((9, 9), (3, 3)), ((19, 5), (4, 3))])
def test_tiles_suit_the_board(board: tuple[int, int], tile: tuple[int, int]) -> None:
    tiling = tiling_of(*board)
    assert (tiling.tile_height, tiling.tile_width) == tile
    assert tiling.tiles_down * tile[0] >= board[0] > (tiling.tiles_down - 1) * tile[0]
    assert tiling.tiles_across * tile[1] >= board[1] > (tiling.tiles_across - 1) * tile[1]


@pytest.mark.parametrize("adds", [False, True])
@pytest.mark.parametrize("filters", [1, 16, 20, 64])
@pytest.mark.parametrize("board", BOARDS)
def test_features_are_convolved(board: tuple[int, int], filters: int, adds: bool) -> None:
    rng, rows, tiling = np.random.default_rng(2), 3, tiling_of(*board)
    weight, bias = rng.normal(size=(filters, filters, 3, 3)) / np.sqrt(9 * filters), rng.normal(size=filters)
    inputs, before = rng.normal(size=(2, rows, filters, *board)).astype(np.float32)
    outputs = boards_of(tiling, before, margin=UNTOUCHED)
    untouched, panels = outputs == UNTOUCHED, convolution_panels(tiling, weight, bias)
    convolve(tiling, panels, rows, boards_of(tiling, inputs), outputs, adds, make_workplace(tiling, filters))
    for row, result in enumerate(values_of(tiling, outputs, filters)):
        sums = naive.convolution(inputs[row], weight) + bias[:, None, None] + (before[row] if adds else 0.0)
        assert np.abs(result - np.maximum(sums, 0.0)).max() < 1e-5
        assert filters == 1 or (sums > 0).any()
    assert (outputs[untouched] == UNTOUCHED).all()  # margins are not written


def test_many_boards_and_what_earlier_ones_left_do_not_matter() -> None:
    rng, tiling, rows = np.random.default_rng(3), tiling_of(6, 7), TILES_AT_ONCE
    panels = convolution_panels(tiling, rng.normal(size=(20, 20, 3, 3)), rng.normal(size=20))
    inputs = boards_of(tiling, rng.normal(size=(rows, 20, 6, 7)))
    outputs, work = np.zeros_like(inputs), make_workplace(tiling, 20)
    convolve(tiling, panels, rows, inputs, outputs, False, work)
    for row in (0, 7, rows - 1):
        alone = np.full_like(inputs[: tiling.area], np.nan)
        for array in work:
            array[:] = np.nan
        board = slice(row * tiling.area, (row + 1) * tiling.area)
        convolve(tiling, panels, 1, inputs[board], alone, False, work)
        results = values_of(tiling, alone, 20), values_of(tiling, outputs[board], 20)
        assert np.array_equal(*results)
        assert results[0].any()


LAYOUTS = {
    "connect four": Layout(6, 7, 42, 2, 86, np.arange(42)),
    "upside down": Layout(3, 3, 9, 3, 27, np.arange(9)[::-1]),
    "hexagon": Layout(3, 3, 7, 2, 17, np.array(HEXAGON)),
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("filters", [16, 20])
def test_facts_are_convolved(name: str, filters: int) -> None:
    rng, layout = np.random.default_rng(4), LAYOUTS[name]
    tiling = tiling_of(layout.height, layout.width)
    weight, bias = rng.normal(size=(filters, layout.inputs, 3, 3)), rng.normal(size=filters)
    layer = fact_layer(layout, weight, bias)
    for known in (0, 1, layout.facts // 2, layout.facts):
        facts = np.append(rng.permutation(layout.facts)[:known], -1)  # what lies beyond is not read
        outputs = np.zeros((2 * tiling.area, layer.stencils.shape[1]), np.float32)
        outputs[tiling.area :] = UNTOUCHED
        convolve_facts(tiling, layer, facts, known, 0, outputs)
        sums = naive.convolution(naive.planes(layout, facts[:known].tolist()), weight) + bias[:, None, None]
        assert np.abs(values_of(tiling, outputs, filters)[0] - np.maximum(sums, 0.0)).max() < 1e-4
        assert outputs[: tiling.area].sum() == pytest.approx(np.maximum(sums, 0.0).sum(), rel=1e-5)  # margins are zero
        assert (outputs[tiling.area :] == UNTOUCHED).all()


def test_a_layout_counts_its_planes() -> None:
    assert [layout.inputs for layout in LAYOUTS.values()] == [4, 3, 6]
    assert all(layout.is_sound for layout in LAYOUTS.values())


@pytest.mark.parametrize(
    "changes",
    [
        {"cells": 41},
        {"planes": 3},
        {"planes": 0},
        {"height": 5},
        {"squares": np.arange(1, 43)},
        {"squares": np.arange(-1, 41)},
        {"squares": np.zeros(42, np.int64)},
        {"squares": np.arange(42).reshape(6, 7)},
    ],
)
def test_a_layout_that_does_not_fit_is_not_sound(changes: dict) -> None:
    assert not LAYOUTS["connect four"]._replace(**changes).is_sound
