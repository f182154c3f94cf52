"""Fully connected networks: what a player knows in, one number for each action out.

The input is the one-hot vector of the facts, so the first layer is its bias and a sum of weight rows. Between layers
stands ReLU. The outputs are logits; `inference.py` makes policies of them, over the legal actions only.

People, files and learners see *parameters*, a dictionary of arrays by name: `weight0` [inputs, outputs], `bias0`
[outputs], `weight1` and so on. Kernels see an `Mlp`, the same numbers in the order in which they are used.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes

from forethought.compiler.blas import LANES
from forethought.errors import ForethoughtError
from forethought.files import write_atomically
from forethought.game import Game

FORMAT = "forethought mlp 1"

Numbers = npt.NDArray[np.float32]
Parameters = dict[str, Numbers]

# A game's size is the number of weights a linear policy would have, facts x actions. Small (leduc 90, tic-tac-toe 162),
# middling (goofspiel(6) 336, liars_dice(1) 403), large (liars_dice(2) 1,525, goofspiel(13) 2,730).
SMALL, MIDDLING = 200, 1000
LAST_SCALE = 0.01


class Mlp(NamedTuple):
    """A network for kernels; of the same types whatever its depth and sizes. Its arrays cannot be written.

    A layer's columns stand in panels of LANES, filled up with zeros (see `compiler/blas.py`). A panel holds a row of
    biases, then a row of weights for each input.
    """

    widths: npt.NDArray[np.int64]  # [layers + 1] facts, hidden units of each layer, actions
    first: npt.NDArray[np.int64]  # [layers] where a layer's panels begin
    panels: Numbers

    @property
    def hidden(self) -> tuple[int, ...]:
        return tuple(self.widths[1:-1].tolist())


def default_hidden(game: Game) -> tuple[int, ...]:
    """Return the hidden layers that suit a game's size."""
    size = game.facts * game.actions
    if size <= SMALL:
        return (128,)
    return (128, 64) if size <= MIDDLING else (128, 128, 64)


def make_mlp(facts: int, actions: int, hidden: tuple[int, ...], rng: np.random.Generator) -> Mlp:
    """Return a new network: He's initialisation, and a small last layer so that play begins near uniform."""
    widths = (facts, *hidden, actions)
    if any(width < 1 for width in widths):
        raise ForethoughtError(f"Every layer of a network needs at least one unit; widths {widths} do not have that.")
    parameters: Parameters = {}
    for layer, shape in enumerate(pairwise(widths)):
        scale = np.sqrt(2.0 / shape[0]) if layer < len(hidden) else LAST_SCALE
        parameters[f"weight{layer}"] = rng.normal(0.0, scale, shape).astype(np.float32)
        parameters[f"bias{layer}"] = np.zeros(shape[1], np.float32)
    return mlp_of(parameters)


def mlp_of(parameters: Parameters) -> Mlp:
    """Return the network with these parameters, which are copied; those of a training that diverged are refused."""
    widths = _sound_widths(parameters)
    if not widths:
        raise ForethoughtError("These arrays are no network: layers must fit each other and hold finite numbers.")
    panels = [_panels(parameters[f"weight{layer}"], parameters[f"bias{layer}"]) for layer in range(len(widths) - 1)]
    first = np.cumsum([0, *(part.size for part in panels[:-1])], dtype=np.int64)
    net = Mlp(np.array(widths, np.int64), first, np.concatenate([part.ravel() for part in panels]))
    for array in net:
        array.flags.writeable = False
    return net


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


def _panels(weight: Numbers, bias: Numbers) -> Numbers:
    """Return a layer as [panels, inputs + 1, LANES]."""
    inputs, outputs = weight.shape
    count = -(-outputs // LANES)
    table = np.zeros((inputs + 1, count * LANES), np.float32)
    table[0, :outputs], table[1:, :outputs] = bias, weight
    return table.reshape(inputs + 1, count, LANES).transpose(1, 0, 2)


def save_mlp(path: Path, net: Mlp, game: Game) -> None:
    """Write a network of this game as one safetensors file: its parameters, and in the header whose they are."""
    spec, facts, actions = game.spec or game.name, int(net.widths[0]), int(net.widths[-1])
    if (facts, actions) != (game.facts, game.actions):
        raise ForethoughtError(f"A network for {facts} facts and {actions} actions is none of {spec}.")
    about = {"game": game.name, "spec": spec, "facts": facts, "actions": actions, "hidden": net.hidden}
    write_atomically(path, to_bytes(parameters_of(net), {"format": FORMAT, "about": json.dumps(about)}))


def load_mlp(path: Path, game: Game) -> Mlp:
    """Read a network of this game; a damaged or foreign file is refused."""
    if not path.is_file():
        raise ForethoughtError(f"There is no network '{path}'; `forethought train GAME` makes one.")
    header, about, parameters = _read(path)
    if header.get("format") != FORMAT:
        raise ForethoughtError(f"{path} holds no network of this version; train it anew.")
    identity = {"game": game.name, "facts": game.facts, "actions": game.actions}
    if any(about.get(key) != value for key, value in identity.items()):
        raise ForethoughtError(f"{path} is a network of {about.get('spec')}, not of {game.spec or game.name}.")
    widths = _sound_widths(parameters)
    if widths != [game.facts, *widths[1:-1], game.actions] or widths[1:-1] != about.get("hidden"):
        raise ForethoughtError(f"{path} is damaged: its weights are not those its header tells of; train it anew.")
    return mlp_of(parameters)


def _read(path: Path) -> tuple[dict[str, str], dict[str, Any], Parameters]:
    """Return the header, what it tells about the network, and the parameters as they stand, not yet trusted."""
    try:
        with safe_open(path, framework="numpy") as file:
            header = file.metadata() or {}
            parameters = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dictionary)
        about = json.loads(header.get("about", "{}"))
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise ForethoughtError(f"{path} is not a network, or is damaged: {error}.") from error
    return header, about if isinstance(about, dict) else {}, parameters


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
