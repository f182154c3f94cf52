"""Fully connected networks: what a player knows in; out, one number for each action, and values if it has any.

The input is the one-hot vector of the facts, so the first layer is its bias and a sum of weight rows. Between layers
stands ReLU. The last layer puts out a logit for each action, then what `values.py` makes of the end of the game;
`inference.py` makes policies of the logits, over the legal actions only, and squashes the values by tanh.

People, files and learners see *parameters*, a dictionary of arrays by name: `weight0` [inputs, outputs], `bias0`
[outputs], `weight1` and so on. Kernels see an `Mlp`, the same numbers in the order in which they are used.
"""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float32s
from forethought.compiler.blas import LANES, panels_of
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.nets.formats import Parameters, network_format, save_weights
from forethought.tensors import Tensors

FORMAT = "forethought mlp 2"

# A game's size is the number of weights a linear policy would have, facts x actions. Small (leduc 90, tic-tac-toe 162),
# middling (goofspiel(6) 336, liars_dice(1) 403), large (liars_dice(2) 1,525, goofspiel(13) 2,730).
SMALL, MIDDLING = 200, 1000
LAST_SCALE = 0.01


class Mlp(NamedTuple):
    """A network for kernels; of the same types whatever its depth and sizes. Its arrays cannot be written.

    A layer's columns stand in panels of LANES, filled up with zeros (see `compiler/blas.py`). A panel holds a row of
    biases, then a row of weights for each input.
    """

    widths: npt.NDArray[np.int64]  # [layers + 1] facts, hidden units of each layer, actions and values
    first: npt.NDArray[np.int64]  # [layers] where a layer's panels begin
    panels: Float32s
    actions: int

    @property
    def hidden(self) -> tuple[int, ...]:
        return tuple(self.widths[1:-1].tolist())

    @property
    def facts(self) -> int:
        return int(self.widths[0])

    @property
    def values(self) -> int:
        return int(self.widths[-1]) - self.actions


def default_hidden(game: Game) -> tuple[int, ...]:
    """Return the hidden layers that suit a game's size."""
    size = game.facts * game.actions
    if size <= SMALL:
        return (128,)
    return (128, 64) if size <= MIDDLING else (128, 128, 64)


def make_mlp(facts: int, actions: int, hidden: tuple[int, ...], rng: np.random.Generator, values: int = 0) -> Mlp:
    """Return a new network: He's initialisation, and a small last layer so that play begins near uniform."""
    widths = (facts, *hidden, actions + values)
    if any(width < 1 for width in widths):
        raise ForethoughtError(f"Every layer of a network needs at least one unit; widths {widths} do not have that.")
    parameters: Parameters = {}
    for layer, shape in enumerate(pairwise(widths)):
        scale = np.sqrt(2.0 / shape[0]) if layer < len(hidden) else LAST_SCALE
        parameters[f"weight{layer}"] = rng.normal(0.0, scale, shape).astype(np.float32)
        parameters[f"bias{layer}"] = np.zeros(shape[1], np.float32)
    return mlp_of(parameters, values)


def mlp_of(parameters: Parameters, values: int = 0) -> Mlp:
    """Return the network with these parameters, which are copied; those of a training that diverged are refused."""
    widths = _sound_widths(parameters)
    if not widths or not 0 <= values < widths[-1]:
        raise ForethoughtError("These arrays are no network: layers must fit each other and hold finite numbers.")
    panels = [panels_of(parameters[f"weight{layer}"], parameters[f"bias{layer}"]) for layer in range(len(widths) - 1)]
    first = np.cumsum([0, *(part.size for part in panels[:-1])], dtype=np.int64)
    arrays = np.array(widths, np.int64), first, np.concatenate([part.ravel() for part in panels])
    for array in arrays:
        array.flags.writeable = False
    return Mlp(*arrays, widths[-1] - values)


def parameters_of(net: Mlp) -> Parameters:
    """Return the parameters of a network, copied."""
    parameters: Parameters = {}
    for layer, (inputs, outputs) in enumerate(pairwise(net.widths.tolist())):
        count = -(-outputs // LANES)
        size = count * (inputs + 1) * LANES
        panels = net.panels[net.first[layer] : net.first[layer] + size].reshape(count, inputs + 1, LANES)
        table = panels.transpose(1, 0, 2).reshape(inputs + 1, count * LANES)[:, :outputs]
        parameters[f"weight{layer}"], parameters[f"bias{layer}"] = table[1:].copy(), table[0].copy()
    return parameters


def save_mlp(path: Path, net: Mlp, game: Game) -> None:
    """Write a network of this game as a file: its parameters, and in the header its sizes and its game."""
    sizes = {"facts": net.facts, "actions": net.actions, "values": net.values, "hidden": net.hidden}
    save_weights(path, FORMAT, parameters_of(net), game, sizes)


@dataclass(frozen=True)
class MlpWeights:
    """A perceptron as a file holds it."""

    parameters: Parameters
    values: int

    def compiled(self) -> Mlp:
        return mlp_of(self.parameters, self.values)


@network_format(FORMAT)
def read_mlp(file: Tensors, game: Game) -> MlpWeights:
    """Read a perceptron; arrays that are none are refused."""
    widths = _sound_widths(file.arrays)
    values = widths[-1] - game.actions if widths else -1
    told = (game.facts, file.about.get("hidden"), file.about.get("values"))
    if values < 0 or (widths[0], widths[1:-1], values) != told:
        raise file.damaged()
    return MlpWeights(file.arrays, values)


def _sound_widths(parameters: Parameters) -> list[int]:
    """Return the widths of all layers if the parameters fit each other and every number is finite; else nothing."""
    widths: list[int] = []
    for layer in range(len(parameters) // 2):
        weight, bias = parameters.get(f"weight{layer}"), parameters.get(f"bias{layer}")
        if weight is None or bias is None or weight.ndim != 2 or 0 in weight.shape:
            return []
        if bias.shape != weight.shape[1:] or (widths and weight.shape[0] != widths[-1]):
            return []
        widths = [*(widths or weight.shape[:1]), weight.shape[1]]
    sound = all(array.dtype == np.float32 and np.isfinite(array).all() for array in parameters.values())
    return widths if sound and len(parameters) % 2 == 0 else []
