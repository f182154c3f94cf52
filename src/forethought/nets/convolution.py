"""Convolutions with 3 x 3 filters inside kernels: of facts, by summing, and of features, by Winograd's method.

Activations are stored as [row and square, channel]: a row of a batch is a board with a margin of zeros.

Few inputs of a network are ones and all others are zero, so its first layer is a sum of weights.

Later layers use Winograd's minimal filtering (Lavin and Gray, 2016). A board is divided into tiles of 3 or 4 squares in
each direction. The outputs of a tile depend on its *patch*: the tile and the squares around it. A fixed matrix
transforms the patch along both axes into its *spectrum* of as many numbers; the spectra of patches and of filters are
multiplied elementwise; a third matrix transforms the sums over all channels into outputs. A tile of 3 x 4 outputs takes
30 products instead of 108, and each of the 30 is a matrix product, [tiles, channels] by [channels, filters].
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Float32s, Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel
from forethought.compiler.blas import LANES, ROWS, combination, last_combination, multiply_panel, panels_of
from forethought.game import Game

FILTER = 3
TILE_SIZES = (3, 4)
# Products are computed for this many tiles at a time: enough to reuse each weight that is loaded, few enough to stay in
# the processor's cache. Spectra are one row further apart, or all of them would fall on the same cache lines.
TILES_AT_ONCE = 12 * ROWS
SPACING = TILES_AT_ONCE + 1
# Interpolation points, besides infinity; tiles of size m use the first m + 1. With them the relative error of outputs
# of 64 channels was 1.5e-6 on average; with the usual 0, 1, -1, 2, -2 it was 4.0e-6.
POINTS = (0.0, 0.75, -0.75, 1.5, -1.5)


class Layout(NamedTuple):
    """How facts become planes of squares.

    Fact `plane * cells + cell` is a one on one square of a plane. Facts from `planes * cells` on are about the whole
    board: each has its own plane, with ones on all cells. Where some squares are no cells, as on hexagonal boards, one
    more plane marks the cells.
    """

    height: int
    width: int
    cells: int
    planes: int
    facts: int
    squares: Int64s  # [cells] row * width + column of each cell

    @property
    def whole_facts(self) -> int:
        return self.facts - self.planes * self.cells

    @property
    def inputs(self) -> int:
        """How many planes the network reads."""
        return self.planes + self.whole_facts + (self.cells < self.height * self.width)

    @property
    def is_sound(self) -> bool:
        """Whether the sizes are consistent and every cell has its own square."""
        if min(self[:-1]) < 1 or self.whole_facts < 0 or self.squares.shape != (self.cells,):
            return False
        inside = self.squares.min() >= 0 and self.squares.max() < self.height * self.width
        return bool(inside) and len(np.unique(self.squares)) == self.cells


def layout_of(game: Game) -> Layout:
    """Return how the facts of a board game become planes."""
    if game.board is None:
        raise game.mistake("it declares no board, and a tower needs one")
    height, width = game.board.grid.shape
    squares = np.array([row * width + column for row, column in game.board.grid.squares], np.int64)
    return Layout(height, width, game.board.cells, game.board.planes, game.facts, squares)


class Winograd(NamedTuple):
    """The matrices for tiles of one size, along one side: outputs @ ((filters @ w) * (inputs @ x)) convolves x by w."""

    inputs: Float64s  # [size + 2, size + 2]
    filters: Float64s  # [size + 2, 3]
    outputs: Float64s  # [size, size + 2]


def winograd(size: int) -> Winograd:
    """Return the matrices by Toom and Cook: multiply polynomials by their values at points, here transposed."""
    points = POINTS[: size + FILTER - 2]
    others = [[other for other in points if other != point] for point in points]
    inputs = [np.append(np.poly(rest)[::-1], 0.0) for rest in others] + [np.poly(points)[::-1]]
    scales = [1.0 / np.prod(point - np.array(rest)) for point, rest in zip(points, others, strict=True)]
    return Winograd(np.array(inputs), _powers(points, FILTER) * np.array([[*scales, 1.0]]).T, _powers(points, size).T)


def _powers(points: tuple[float, ...], count: int) -> Float64s:
    """Return the powers of each point; of infinity, only the highest is not zero."""
    return np.vstack([np.vander(points, count, increasing=True), np.eye(count)[-1]])


_to_spectrum3, _to_spectrum4 = (combination(winograd(size).inputs.tolist()) for size in TILE_SIZES)
_from_spectrum3, _from_spectrum4 = (combination(winograd(size).outputs.tolist()) for size in TILE_SIZES)
_rectify = last_combination(((1.0,),))
_to_outputs3, _to_outputs4 = (last_combination(winograd(size).outputs.tolist()) for size in TILE_SIZES)


class Tiling(NamedTuple):
    """How a board is divided into tiles. The tiles may extend beyond its lower and right edge."""

    height: int
    width: int
    tile_height: int
    tile_width: int
    tiles_down: int
    tiles_across: int
    stride: int  # squares from one row of the board with its margin to the next
    area: int  # squares of the board with its margin

    @property
    def products(self) -> int:
        """How many numbers a spectrum has."""
        return (self.tile_height + FILTER - 1) * (self.tile_width + FILTER - 1)


def tiling_of(height: int, width: int) -> Tiling:
    """Return the tiles that need the fewest products."""
    tall, wide = (min(TILE_SIZES, key=lambda size: -(-side // size) * (size + FILTER - 1)) for side in (height, width))
    down, across = -(-height // tall), -(-width // wide)
    stride = across * wide + FILTER - 1
    return Tiling(height, width, tall, wide, down, across, stride, (down * tall + FILTER - 1) * stride)


def convolution_panels(tiling: Tiling, weight: Float64s, bias: Float64s) -> Float32s:
    """Return the filters [filters, channels, 3, 3] in the kernel's layout: [products * panels, panel].

    The biases are added in the spectrum, as the constant whose outputs are the bias everywhere.
    """
    down, across = winograd(tiling.tile_height), winograd(tiling.tile_width)
    spectra = np.einsum("ia,fcab,jb->ijcf", down.filters, weight, across.filters)
    ones = np.multiply.outer(*(np.linalg.pinv(side.outputs).sum(axis=1) for side in (down, across)))
    biases = ones[:, :, None] * bias
    panels = [panels_of(spectra[i], biases[i]) for i in np.ndindex(ones.shape)]
    return np.concatenate(panels).reshape(tiling.products * len(panels[0]), -1)


class FactLayer(NamedTuple):
    """A first convolution, for kernels."""

    layout: Layout
    whole: Float32s  # [1 + whole facts, squares, filters] the constant part; what each fact about the board adds
    stencils: Float32s  # [planes * 9, filters] what a fact on a square adds to those around it


def fact_layer(layout: Layout, weight: Float64s, bias: Float64s) -> FactLayer:
    """Return the layer with the filters [filters, planes, 3, 3], padded with zeros to whole panels."""
    filters, width = len(weight), -(-len(weight) // LANES) * LANES
    board = np.zeros(layout.height * layout.width)
    board[layout.squares] = 1.0
    margin = np.pad(board.reshape(layout.height, layout.width), 1)
    patches = np.lib.stride_tricks.sliding_window_view(margin, (FILTER, FILTER))
    sums = np.einsum("yxab,fiab->iyxf", patches, weight[:, layout.planes :])
    whole = np.zeros((1 + layout.whole_facts, layout.height, layout.width, width), np.float32)
    whole[0, :, :, :filters] = bias + sums[layout.whole_facts :].sum(axis=0)
    whole[1:, :, :, :filters] = sums[: layout.whole_facts]
    stencils = np.zeros((layout.planes * FILTER**2, width), np.float32)
    stencils[:, :filters] = weight[:, : layout.planes].transpose(1, 2, 3, 0).reshape(-1, filters)
    squares = np.array(layout.squares, np.int64)
    for array in (squares, whole, stencils):
        array.flags.writeable = False
    return FactLayer(layout._replace(squares=squares), whole.reshape(len(whole), -1, width), stencils)


@kernel
def convolve_facts(tiling: Tiling, layer: FactLayer, facts: Int64s, known: int, board: int, outputs: Float32s) -> None:
    """Write the first layer's outputs after ReLU, for one board that begins at row `board`."""
    layout = layer.layout
    begin, end = board + tiling.stride, board + tiling.stride * (tiling.height + 1)
    outputs[begin:end] = 0.0
    add_everywhere(tiling, layer.whole[0], board, outputs)
    for i in range(known):
        fact = facts[i]
        if fact < layout.planes * layout.cells:
            add_around(
                tiling, layer.stencils, fact // layout.cells, layout.squares[fact % layout.cells], board, outputs
            )
        else:
            add_everywhere(tiling, layer.whole[1 + fact - layout.planes * layout.cells], board, outputs)
    for row in range(begin, end):
        _rectify(outputs, row, outputs, row, 1, False)


@kernel
def add_everywhere(tiling: Tiling, table: Float32s, board: int, outputs: Float32s) -> None:
    """Add a table [squares, filters] to all squares."""
    for y in range(tiling.height):
        for x in range(tiling.width):
            add_row(table[y * tiling.width + x], outputs[board + (y + 1) * tiling.stride + x + 1])


@kernel
def add_around(tiling: Tiling, stencils: Float32s, plane: int, square: int, board: int, outputs: Float32s) -> None:
    """Add what a one on a square does to the squares around it that are on the board."""
    for a in range(FILTER):
        for b in range(FILTER):
            y, x = square // tiling.width + 1 - a, square % tiling.width + 1 - b
            if 0 <= y < tiling.height and 0 <= x < tiling.width:
                stencil = stencils[(plane * FILTER + a) * FILTER + b]
                add_row(stencil, outputs[board + (y + 1) * tiling.stride + x + 1])


@kernel
def add_row(numbers: Float32s, sums: Float32s) -> None:
    for c in range(len(sums)):
        sums[c] += numbers[c]


class Workplace(NamedTuple):
    """Intermediate results of a convolution."""

    patch: Float32s  # [products, channels] one tile, transformed along one axis
    spectra: Float32s  # [products * SPACING, channels] number k of tile t is in row k * SPACING + t
    sums: Float32s  # [products * SPACING, filters] as the spectra


def make_workplace(tiling: Tiling, channels: int) -> Workplace:
    """Return the memory for convolutions of `channels` channels, padded to whole panels."""
    width, rows = -(-channels // LANES) * LANES, tiling.products * SPACING
    patch, spectra, sums = (np.zeros((count, width), np.float32) for count in (tiling.products, rows, rows))
    return Workplace(patch, spectra, sums)


@kernel
def convolve(
    tiling: Tiling, panels: Float32s, rows: int, inputs: Float32s, outputs: Float32s, adds: bool, work: Workplace
) -> None:
    """Write the convolution of `rows` boards after ReLU; if `adds`, the outputs are added to first.

    Margins are read as they are, and never written.
    """
    total = rows * tiling.tiles_down * tiling.tiles_across
    for first in range(0, total, TILES_AT_ONCE):
        count = min(TILES_AT_ONCE, total - first)
        for place in range(count):
            read_tile(tiling, first + place, inputs, place, work)
        multiply_spectra(tiling, panels, count, work)
        for place in range(count):
            write_tile(tiling, first + place, outputs, place, adds, work)


@kernel
def read_tile(tiling: Tiling, tile: int, inputs: Float32s, place: int, work: Workplace) -> None:
    """Write the spectrum of a tile."""
    height, width = tiling.tile_height + 2, tiling.tile_width + 2
    corner, _, _ = corner_of(tiling, tile)
    for x in range(width):
        to_spectrum(tiling.tile_height, inputs, corner + x, work.patch, x, tiling.stride, width)
    for y in range(height):
        to_spectrum(tiling.tile_width, work.patch, y * width, work.spectra, y * width * SPACING + place, 1, SPACING)


@kernel
def multiply_spectra(tiling: Tiling, panels: Float32s, count: int, work: Workplace) -> None:
    """Multiply the spectra of `count` tiles by those of the filters; a few more, not read, may be included."""
    numbers = (tiling.tile_height + 2) * (tiling.tile_width + 2)
    each = len(panels) // numbers
    for number in range(numbers):
        for i in range(each):
            panel = panels[number * each + i]
            for place in range(0, count, ROWS):
                multiply_panel(panel, work.spectra, work.sums, number * SPACING + place, i * LANES, -np.inf)


@kernel
def write_tile(tiling: Tiling, tile: int, outputs: Float32s, place: int, adds: bool, work: Workplace) -> None:
    """Write those outputs of a tile that are on the board."""
    width = tiling.tile_width + 2
    corner, top, left = corner_of(tiling, tile)
    for x in range(width):
        from_spectrum(tiling.tile_height, work.sums, x * SPACING + place, work.patch, x, width * SPACING, width)
    across = min(tiling.tile_width, tiling.width - left)
    for y in range(min(tiling.tile_height, tiling.height - top)):
        square = corner + (y + 1) * tiling.stride + 1
        to_outputs(tiling.tile_width, work.patch, y * width, outputs, square, across, adds)


@inlined_kernel
def corner_of(tiling: Tiling, tile: int) -> tuple[int, int, int]:
    """Return the first square of a tile's patch, and the tile's first row and column on the board."""
    tiles = tiling.tiles_down * tiling.tiles_across
    top = tile % tiles // tiling.tiles_across * tiling.tile_height
    left = tile % tiling.tiles_across * tiling.tile_width
    return tile // tiles * tiling.area + top * tiling.stride + left, top, left


@inlined_kernel
def to_spectrum(size: int, inputs: Float32s, first: int, outputs: Float32s, place: int, step: int, stride: int) -> None:
    if size == 3:
        _to_spectrum3(inputs, first, outputs, place, step, stride)
    else:
        _to_spectrum4(inputs, first, outputs, place, step, stride)


@inlined_kernel
def from_spectrum(
    size: int, inputs: Float32s, first: int, outputs: Float32s, place: int, step: int, stride: int
) -> None:
    if size == 3:
        _from_spectrum3(inputs, first, outputs, place, step, stride)
    else:
        _from_spectrum4(inputs, first, outputs, place, step, stride)


@inlined_kernel
def to_outputs(size: int, inputs: Float32s, first: int, outputs: Float32s, place: int, count: int, adds: bool) -> None:
    if size == 3:
        _to_outputs3(inputs, first, outputs, place, count, adds)
    else:
        _to_outputs4(inputs, first, outputs, place, count, adds)
