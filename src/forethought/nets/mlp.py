"""Fully connected networks: from the facts of a position to a logit for each action and, optionally, values.

The input is the one-hot vector of the facts, so the first layer is its bias plus a sum of weight rows. Hidden layers
are followed by ReLU. The last layer outputs a logit for each action, then the values (`values.py`). Answers are the
softmax of the logits of the legal actions, and the tanh of the values.

Files and learners use *parameters*, a dictionary of arrays: `weight0` [inputs, outputs], `bias0` [outputs], `weight1`
and so on. Kernels use an `Mlp`, which has the same numbers in the order in which they are read.

What learned with hidden information may have two more parts. A second head, `prior.weight` and `prior.bias`, is another
last layer for the policy with which a search begins (regret minimisers play the average of their policies, and go on
from the current one). A *critic*, `critic.weight0` and so on, is a network of its own: its inputs are the facts of all
players, those of the player to move first, and its output is what that player is expected to win.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float32s, Int64s
from forethought.compiler import inlined_kernel, kernel
from forethought.compiler.blas import LANES, ROWS, multiply_panel, panels_of, sum_panel
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.nets.evaluator import answer
from forethought.nets.formats import Parameters, network_content, network_format
from forethought.nets.questions import Questions
from forethought.nets.softmax import softmax
from forethought.tensors import Content, Tensors, write_tensors

FORMAT = "forethought mlp 2"

# A game's size is the number of weights a linear policy would have, facts x actions. Small (leduc 90, tic-tac-toe 162),
# medium (goofspiel(6) 336, liars_dice(1) 403), large (liars_dice(2) 1,525, goofspiel(13) 2,730).
SMALL, MIDDLING = 200, 1000
LAST_SCALE = 0.01
PRIOR, CRITIC = "prior.", "critic."  # how the arrays of further parts are named in a file


class MlpScratch(NamedTuple):
    """Outputs of the units for one batch: layers read from one array and write to the other, alternately."""

    here: Float32s  # [rows, units]
    there: Float32s  # [rows, units]


class Mlp(NamedTuple):
    """A network for kernels; of the same Numba types for every depth and size. Its arrays are read-only.

    A layer's columns are stored in panels of LANES, padded with zeros (see `compiler/blas.py`). A panel has a row of
    biases, then a row of weights for each input.
    """

    widths: Int64s  # [layers + 1] facts, hidden units of each layer, actions and values
    first: Int64s  # [layers] where a layer's panels begin
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

    def scratch(self, rows: int) -> MlpScratch:
        """Return the memory for batches of up to `rows` rows; whole tiles and panels are written."""
        shape = (-(-rows // ROWS) * ROWS, -(-int(self.widths[1:].max()) // LANES) * LANES)
        return MlpScratch(np.zeros(shape, np.float32), np.zeros(shape, np.float32))

    def answer(self, questions: Questions, rows: int, scratch: MlpScratch) -> None:
        answer(self, questions, rows, scratch)


def is_small(game: Game) -> bool:
    """Whether a game is of the size of Leduc."""
    return game.facts * game.actions <= SMALL


def default_hidden(game: Game) -> tuple[int, ...]:
    """Return the hidden layers that suit a game's size."""
    if is_small(game):
        return (128,)
    return (128, 64) if game.facts * game.actions <= MIDDLING else (128, 128, 64)


def make_mlp(facts: int, actions: int, hidden: tuple[int, ...], rng: np.random.Generator, values: int = 0) -> Mlp:
    """Return a new network: He's initialisation, and a small last layer so that play begins near uniform."""
    widths = (facts, *hidden, actions + values)
    if any(width < 1 for width in widths):
        raise ForethoughtError(f"Every layer of a network needs at least one unit; the widths are {widths}.")
    parameters: Parameters = {}
    for layer, shape in enumerate(pairwise(widths)):
        scale = np.sqrt(2.0 / shape[0]) if layer < len(hidden) else LAST_SCALE
        parameters[f"weight{layer}"] = rng.normal(0.0, scale, shape).astype(np.float32)
        parameters[f"bias{layer}"] = np.zeros(shape[1], np.float32)
    return mlp_of(parameters, values)


def mlp_of(parameters: Parameters, values: int = 0) -> Mlp:
    """Return the network with these parameters, which are copied; parameters that are not finite are refused."""
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


@dataclass(frozen=True)
class MlpWeights:
    """The content of a perceptron's file."""

    parameters: Parameters
    values: int = 0
    prior_head: Parameters = field(default_factory=dict)  # `weight` and `bias` of another last layer; empty: none
    critic_parameters: Parameters = field(default_factory=dict)  # empty: none

    def compiled(self) -> Mlp:
        return mlp_of(self.parameters, self.values)

    @property
    def prior(self) -> "MlpWeights":
        """The network whose policy searches begin with: the second head, if there is one."""
        last = len(self.parameters) // 2 - 1
        return MlpWeights(self.parameters | {f"{name}{last}": array for name, array in self.prior_head.items()})

    @property
    def critic(self) -> Mlp | None:
        """The network that expects what the player to move wins, if there is one."""
        return mlp_of(self.critic_parameters) if self.critic_parameters else None

    def save(self, path: Path, game: Game) -> None:
        """Write the network as a file of this game."""
        write_tensors(path, *self.content(game))

    def content(self, game: Game) -> Content:
        """Return what a file holds: the parameters, and in the header the sizes and the game."""
        net = self.compiled()
        sizes = {"facts": net.facts, "actions": net.actions, "values": net.values, "hidden": net.hidden}
        parts = {PRIOR: self.prior_head, CRITIC: self.critic_parameters}
        more = {prefix + name: array for prefix, part in parts.items() for name, array in part.items()}
        return network_content(FORMAT, self.parameters | more, game, sizes)


def save_mlp(path: Path, net: Mlp, game: Game) -> None:
    """Write a network for kernels as a file of this game."""
    MlpWeights(parameters_of(net), net.values).save(path, game)


@network_format(FORMAT)
def read_mlp(file: Tensors, game: Game) -> MlpWeights:
    """Read a perceptron; other arrays are refused."""
    prior, critic = (_part(file.arrays, prefix) for prefix in (PRIOR, CRITIC))
    own = {name: array for name, array in file.arrays.items() if not name.startswith((PRIOR, CRITIC))}
    widths = _sound_widths(own)
    values = widths[-1] - game.actions if widths else -1
    described = (game.facts, file.about.get("hidden"), file.about.get("values"))
    if values < 0 or (widths[0], widths[1:-1], values) != described:
        raise file.damaged()
    found = MlpWeights(own, values, prior, critic)
    if prior and _sound_widths(found.prior.parameters) != [*widths[:-1], game.actions]:
        raise file.damaged()
    critic_widths = _sound_widths(critic)
    if critic and (not critic_widths or (critic_widths[0], critic_widths[-1]) != (game.facts * game.players, 1)):
        raise file.damaged()
    return found


def _part(arrays: Parameters, prefix: str) -> Parameters:
    """Return the arrays whose names begin so, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _sound_widths(parameters: Parameters) -> list[int]:
    """Return the widths of all layers if the parameters are consistent and finite; otherwise an empty list."""
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


# Kernels: no allocation; the answer of a row is the same, bit for bit, in every batch.


@answer.register(Mlp)
@kernel
def answer_by_mlp(net: Mlp, questions: Questions, rows: int, scratch: MlpScratch) -> None:
    """Answer the first `rows` questions; without columns for values, none are computed."""
    propagate(net, questions.facts, questions.known, rows, scratch)
    outputs = scratch.here
    for row in range(rows):
        softmax(outputs[row], questions.actions[row], questions.counts[row], questions.policies[row])
        for column in range(questions.values.shape[1]):
            questions.values[row, column] = np.tanh(np.float64(outputs[row, net.actions + column]))


@inlined_kernel
def propagate(net: Mlp, facts: Int64s, known: Int64s, rows: int, scratch: MlpScratch) -> None:
    """Compute the outputs of the last layer, which are then in `scratch.here`, for inputs given by their facts."""
    inputs, outputs = scratch.there, scratch.here
    if len(net.first) % 2 == 0:
        inputs, outputs = outputs, inputs
    read_facts(net, rows, facts, known, outputs)
    for layer in range(1, len(net.first)):
        inputs, outputs = outputs, inputs
        multiply(net, layer, rows, inputs, outputs)


@kernel
def read_facts(net: Mlp, rows: int, facts: Int64s, known: Int64s, outputs: Float32s) -> None:
    """Compute the first layer: inputs that are not facts of the row are zero and cost nothing."""
    size, floor, start = (net.widths[0] + 1) * LANES, floor_of(net, 0), 0
    for column in range(0, net.widths[1], LANES):
        panel = net.panels[start : start + size]
        for row in range(rows):
            sum_panel(panel, facts[row][: known[row]], outputs, row, column, floor)
        start += size


@kernel
def multiply(net: Mlp, layer: int, rows: int, inputs: Float32s, outputs: Float32s) -> None:
    """Compute a later layer; with an odd number of rows, one more, which is not read."""
    size, floor, start = (net.widths[layer] + 1) * LANES, floor_of(net, layer), net.first[layer]
    for column in range(0, net.widths[layer + 1], LANES):
        panel = net.panels[start : start + size]
        for row in range(0, rows, ROWS):
            multiply_panel(panel, inputs, outputs, row, column, floor)
        start += size


@kernel
def floor_of(net: Mlp, layer: int) -> Any:
    """Return the lowest output of a layer: 0 for a hidden one (ReLU), minus infinity for the last."""
    return 0.0 if layer + 1 < len(net.first) else -np.inf
