"""Residual towers (AlphaGo Zero's network): from the board to a logit for each action and the values of the position.

The input is planes of squares, made of facts by a `Layout`. A convolution and residual blocks of two convolutions each
follow, all with 3 x 3 filters, batch norm and ReLU. The policy head (two 1 x 1 filters, a fully connected layer) gives
logits; the value head (one filter, two fully connected layers) gives values from -1 to 1.

Files and learners use *parameters*, a dictionary of arrays. Kernels use a `Tower`: after training, batch norm is a
factor and an offset, which are folded into the weights before it. The answer of a row is the same, bit for bit, in
every batch.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float32s, Float64s
from forethought.compiler import kernel
from forethought.compiler.blas import LANES, ROWS, multiply_panel, panels_of
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.nets.convolution import (
    FILTER,
    FactLayer,
    Layout,
    Tiling,
    Workplace,
    convolution_panels,
    convolve,
    convolve_facts,
    fact_layer,
    make_workplace,
    tiling_of,
)
from forethought.nets.evaluator import answer
from forethought.nets.formats import Parameters, network_content, network_format
from forethought.nets.mlp import LAST_SCALE
from forethought.nets.questions import Questions
from forethought.nets.softmax import softmax
from forethought.tensors import Content, Tensors, write_tensors

FORMAT = "forethought tower 2"

POLICY_FILTERS, VALUE_FILTERS = 2, 1
EPSILON = 1e-5  # keeps batch norm from dividing by zero
LARGEST = 100_000  # larger sizes in a file mean that it is damaged


class Shape(NamedTuple):
    """The sizes of a tower."""

    blocks: int
    filters: int
    value_units: int
    actions: int
    values: int
    layout: Layout


class TowerScratch(NamedTuple):
    """Outputs of the layers for one batch, and intermediate results."""

    here: Float32s  # [rows * area, filters] boards with their margins
    there: Float32s  # [rows * area, filters]
    work: Workplace
    heads: Float32s  # [rows * area, LANES] the heads' filters on each square
    policy_inputs: Float32s  # [rows, policy filters * squares]
    value_inputs: Float32s  # [rows, value filters * squares]
    logits: Float32s  # [rows, actions]
    hidden: Float32s  # [rows, value units]
    value: Float32s  # [rows, values]


class Tower(NamedTuple):
    """A tower for kernels; of the same Numba types for all sizes. Its arrays are read-only.

    Weights are stored in panels (see `compiler/blas.py`), one per row. Filters are padded with zeros to whole panels.
    """

    tiling: Tiling
    actions: int
    blocks: int
    values: int
    first: FactLayer
    convolutions: Float32s  # [2 * blocks * products * panels, panel]
    heads: Float32s  # [1, panel] the filters of both heads
    policy: Float32s  # [panels, panel]
    hidden: Float32s  # [panels, panel]
    value: Float32s  # [panels, panel]

    @property
    def facts(self) -> int:
        return self.first.layout.facts

    def scratch(self, rows: int) -> TowerScratch:
        """Return the memory for batches of up to `rows` rows; whole panels are written, ROWS rows at a time."""
        area, filters = self.tiling.area, self.first.stencils.shape[1]
        squares, batch = self.tiling.height * self.tiling.width, -(-rows // ROWS) * ROWS
        widths = [len(panels) * LANES for panels in (self.policy, self.hidden, self.value)]
        lines = [(batch, POLICY_FILTERS * squares), (batch, VALUE_FILTERS * squares)]
        return TowerScratch(
            np.zeros((rows * area, filters), np.float32),
            np.zeros((rows * area, filters), np.float32),
            make_workplace(self.tiling, filters),
            np.zeros((rows * area, LANES), np.float32),
            *(np.zeros(shape, np.float32) for shape in (*lines, *((batch, each) for each in widths))),
        )

    def answer(self, questions: Questions, rows: int, scratch: TowerScratch) -> None:
        answer(self, questions, rows, scratch)


def parameter_shapes(shape: Shape) -> dict[str, tuple[int, ...]]:
    """Return the names of a tower's parameters and the shape of each."""
    layout, filters = shape.layout, shape.filters
    squares = layout.height * layout.width
    blocks = [f"block{block}.{part}" for block in range(shape.blocks) for part in ("first", "second")]
    convolutions = {"input": (filters, layout.inputs, FILTER, FILTER)}
    convolutions |= dict.fromkeys(blocks, (filters, filters, FILTER, FILTER))
    convolutions |= {"policy": (POLICY_FILTERS, filters, 1, 1), "value": (VALUE_FILTERS, filters, 1, 1)}
    connected = {
        "policy.logits": (POLICY_FILTERS * squares, shape.actions),
        "value.hidden": (VALUE_FILTERS * squares, shape.value_units),
        "value.values": (shape.value_units, shape.values),
    }
    shapes: dict[str, tuple[int, ...]] = {}
    for name, weight in convolutions.items():
        shapes[f"{name}.weight"] = weight
        shapes |= {f"{name}.{part}": weight[:1] for part in ("scale", "offset", "mean", "variance")}
    for name, table in connected.items():
        shapes |= {f"{name}.weight": table, f"{name}.bias": table[1:]}
    return shapes


def make_tower(shape: Shape, rng: np.random.Generator) -> Parameters:
    """Return a new tower: He's initialisation; small last layers, so that policies begin near uniform, values near 0.

    Blocks begin as the identity, by a scale of zero: otherwise activations would grow with every block.
    """
    if min(shape[:5]) < 1 or not shape.layout.is_sound:
        raise ForethoughtError("A tower needs a consistent layout, and at least one block, filter, unit and output.")
    parameters: Parameters = {}
    for name, size in parameter_shapes(shape).items():
        layer, part = name.rsplit(".", 1)
        array = np.full(size, float(part == "variance" or (part == "scale" and not layer.endswith(".second"))))
        if part == "weight":
            fan = np.prod(size[1:]) if len(size) > 2 else size[0]
            last = layer in {"policy.logits", "value.values"}
            array = rng.normal(0.0, LAST_SCALE if last else np.sqrt(2.0 / fan), size)
        parameters[name] = array.astype(np.float32)
    return parameters


def tower_of(parameters: Parameters, shape: Shape) -> Tower:
    """Return the tower with these parameters, which are copied; parameters that are not finite are refused."""
    if not is_sound(parameters, shape):
        raise ForethoughtError("These arrays are no tower of that shape: layers must fit and hold finite numbers.")
    tiling = tiling_of(shape.layout.height, shape.layout.width)
    blocks = [f"block{block}.{part}" for block in range(shape.blocks) for part in ("first", "second")]
    convolutions = [convolution_panels(tiling, *_folded(parameters, name)) for name in blocks]
    heads = [_folded(parameters, name) for name in ("policy", "value")]
    head_weights = np.concatenate([weight[:, :, 0, 0] for weight, _ in heads]).T
    connected = ("policy.logits", "value.hidden", "value.values")
    panels = [
        panels_of(head_weights, np.concatenate([bias for _, bias in heads])),
        *(panels_of(parameters[f"{name}.weight"], parameters[f"{name}.bias"]) for name in connected),
    ]
    arrays = [np.concatenate(convolutions), *(part.reshape(len(part), -1) for part in panels)]
    for array in arrays:
        array.flags.writeable = False
    first = fact_layer(shape.layout, *_folded(parameters, "input"))
    return Tower(tiling, shape.actions, shape.blocks, shape.values, first, *arrays)


def is_sound(parameters: Parameters, shape: Shape) -> bool:
    """Whether these are finite parameters of a tower of this shape, with variances that are not negative."""
    if min(shape[:5]) < 1 or not shape.layout.is_sound:
        return False
    if {name: array.shape for name, array in parameters.items()} != parameter_shapes(shape):
        return False
    if any(array.dtype != np.float32 or not np.isfinite(array).all() for array in parameters.values()):
        return False
    return all((array >= 0).all() for name, array in parameters.items() if name.endswith(".variance"))


def _folded(parameters: Parameters, name: str) -> tuple[Float64s, Float64s]:
    """Return the weights and biases of a convolution with the batch norm after it folded in."""
    weight, scale, offset, mean, variance = (
        parameters[f"{name}.{part}"].astype(np.float64) for part in ("weight", "scale", "offset", "mean", "variance")
    )
    factor = scale / np.sqrt(variance + EPSILON)
    return weight * factor[:, None, None, None], offset - mean * factor


def save_tower(path: Path, parameters: Parameters, shape: Shape, game: Game) -> None:
    """Write a tower of this game as a file."""
    write_tensors(path, *TowerWeights(parameters, shape).content(game))


@dataclass(frozen=True)
class TowerWeights:
    """The content of a tower's file."""

    parameters: Parameters
    shape: Shape
    critic: None = None  # towers are for games in which nothing is hidden

    @property
    def prior(self) -> "TowerWeights":
        return self

    def compiled(self) -> Tower:
        return tower_of(self.parameters, self.shape)

    def content(self, game: Game) -> Content:
        """Return what a file holds: the parameters, and in the header the shape and the game."""
        shape = self.shape
        if not is_sound(self.parameters, shape):
            raise ForethoughtError("These arrays are no tower of that shape: layers must fit and hold finite numbers.")
        layout = {**shape.layout._asdict(), "squares": shape.layout.squares.tolist()}
        about = {"facts": shape.layout.facts, **shape._asdict(), "layout": layout}
        return network_content(FORMAT, self.parameters, game, about)


@network_format(FORMAT)
def read_tower(file: Tensors, game: Game) -> TowerWeights:
    """Read a tower; arrays of other shapes are refused."""
    shape = _described(file.about)
    if shape is None or shape.layout.facts != game.facts or not is_sound(file.arrays, shape):
        raise file.damaged()
    return TowerWeights(file.arrays, shape)


def _described(about: dict[str, Any]) -> Shape | None:
    """Return the shape that a header describes; None if it describes none."""
    try:
        layout = Layout(**about["layout"])
        squares = np.array(layout.squares, np.int64)
        sizes = {name: about[name] for name in Shape._fields[:-1]}
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    if any(type(size) is not int or not 0 < size < LARGEST for size in (*sizes.values(), *layout[:-1])):
        return None
    return Shape(**sizes, layout=layout._replace(squares=squares))


@answer.register(Tower)
@kernel
def answer_by_tower(tower: Tower, questions: Questions, rows: int, scratch: TowerScratch) -> None:
    """Answer the first `rows` questions; what lies beyond their facts and actions is neither read nor written."""
    for row in range(rows):
        convolve_facts(
            tower.tiling, tower.first, questions.facts[row], questions.known[row], row * tower.tiling.area, scratch.here
        )
    climb(tower.tiling, tower.convolutions, 2 * tower.blocks, rows, scratch.here, scratch.there, scratch.work)
    lines = scratch.policy_inputs, scratch.value_inputs
    read_heads(tower.tiling, tower.heads[0], rows, scratch.here, scratch.heads, *lines)
    connect(tower.policy, rows, scratch.policy_inputs, scratch.logits, -np.inf)
    connect(tower.hidden, rows, scratch.value_inputs, scratch.hidden, 0.0)
    connect(tower.value, rows, scratch.hidden, scratch.value, -np.inf)
    for row in range(rows):
        softmax(scratch.logits[row], questions.actions[row], questions.counts[row], questions.policies[row])
        for column in range(questions.values.shape[1]):
            questions.values[row, column] = np.tanh(np.float64(scratch.value[row, column]))


@kernel
def climb(
    tiling: Tiling, panels: Float32s, layers: int, rows: int, here: Float32s, there: Float32s, work: Workplace
) -> None:
    """Compute the residual blocks: two convolutions each, the second added to the block's input."""
    each = len(panels) // layers
    for layer in range(layers):
        convolve(tiling, panels[layer * each : (layer + 1) * each], rows, here, there, layer % 2 == 1, work)
        here, there = there, here


@kernel
def read_heads(
    tiling: Tiling, panel: Float32s, rows: int, inputs: Float32s, heads: Float32s, policy: Float32s, value: Float32s
) -> None:
    """Compute the filters of both heads, and write their outputs filter by filter, square by square."""
    squares = tiling.height * tiling.width
    for row in range(rows):
        for y in range(tiling.height):
            first = row * tiling.area + (y + 1) * tiling.stride + 1
            for x in range(0, tiling.width, ROWS):  # may run into the margin, which is not read
                multiply_panel(panel, inputs, heads, first + x, 0, 0.0)
            for x in range(tiling.width):
                square = y * tiling.width + x
                for i in range(POLICY_FILTERS):
                    policy[row, i * squares + square] = heads[first + x, i]
                for i in range(VALUE_FILTERS):
                    value[row, i * squares + square] = heads[first + x, POLICY_FILTERS + i]


@kernel
def connect(panels: Float32s, rows: int, inputs: Float32s, outputs: Float32s, floor: float) -> None:
    """Compute a fully connected layer; up to ROWS - 1 more rows, which are not read, are computed too."""
    for i in range(len(panels)):
        for row in range(0, rows, ROWS):
            multiply_panel(panels[i], inputs, outputs, row, i * LANES, floor)
