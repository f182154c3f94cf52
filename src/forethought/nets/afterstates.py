"""A network that values afterstates: positions right after somebody's action, from the view of who acted.

One hidden layer of sigmoid units, as in TD-Gammon, on the one-hot vector of the facts. The value is a tanh, in units of
the most that can be won.
"""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float32s, Int64s
from forethought.compiler import kernel
from forethought.game import Game
from forethought.tensors import Format, read_tensors, write_tensors

FORMAT = Format(
    "forethought afterstates 1",
    "network of afterstates",
    "`forethought train GAME --algorithm td-lambda` makes one",
    "networks of afterstates are played by td",
)


class AfterstateNetwork(NamedTuple):
    """The weights, for kernels and in files; gradients and traces have the same shapes."""

    hidden_weights: Float32s  # [facts, hidden]
    hidden_biases: Float32s  # [hidden]
    output_weights: Float32s  # [hidden]
    output_bias: Float32s  # [1]


def suits_afterstates(game: Game) -> bool:
    """Whether afterstates can be valued: two players of opposed interests, where nothing is hidden."""
    return not game.hidden and game.players == 2 and game.zero_sum


def new_network(facts: int, hidden: int, rng: np.random.Generator) -> AfterstateNetwork:
    """Return a network with small random weights, whose values are all near zero."""
    first = rng.uniform(-0.1, 0.1, (facts, hidden)).astype(np.float32)
    last = rng.uniform(-0.1, 0.1, hidden).astype(np.float32)
    return AfterstateNetwork(first, np.zeros(hidden, np.float32), last, np.zeros(1, np.float32))


def save_network(path: Path, network: AfterstateNetwork, game: Game) -> None:
    about = {"game": game.name, "spec": game.spec or game.name, "facts": game.facts}
    write_tensors(path, FORMAT, network._asdict(), about)


def load_network(path: Path, game: Game) -> AfterstateNetwork:
    """Read a network of this game; a damaged or foreign file is refused."""
    if not suits_afterstates(game):
        raise game.mistake("afterstates are valued in games of two players and opposed interests without secrets")
    file = read_tensors(path, FORMAT)
    file.check_about(game.spec or game.name, game=game.name, facts=game.facts)
    if set(file.arrays) != set(AfterstateNetwork._fields):
        raise file.damaged()
    network = AfterstateNetwork(**file.arrays)
    hidden = network.hidden_biases.shape
    shapes = AfterstateNetwork((game.facts, *hidden), hidden, hidden, (1,))  # type: ignore[arg-type]
    sound = (array.dtype == np.float32 and np.isfinite(array).all() for array in network)
    if len(hidden) != 1 or any(a.shape != shape for a, shape in zip(network, shapes, strict=True)) or not all(sound):
        raise file.damaged()
    return network


@kernel
def value_of(network: AfterstateNetwork, facts: Int64s, known: int, hidden: Float32s) -> float:
    """Return the value of an afterstate, and leave the outputs of the hidden units in `hidden`."""
    units = len(hidden)
    for j in range(units):
        hidden[j] = network.hidden_biases[j]
    for i in range(known):
        row = network.hidden_weights[facts[i]]
        for j in range(units):
            hidden[j] += row[j]
    total = network.output_bias[0]
    for j in range(units):
        hidden[j] = np.float32(1.0) / (np.float32(1.0) + np.exp(-hidden[j]))
        total += network.output_weights[j] * hidden[j]
    return math.tanh(total)
