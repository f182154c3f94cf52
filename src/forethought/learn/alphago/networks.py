"""Where the networks begin: new, or as another run has left them."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.learn.alphago.settings import AlphaGoNetwork
from forethought.learn.board_networks import new_board_network
from forethought.nets.formats import FORMATS, IMITATION, REINFORCED, VALUE, NetworkWeights, Parameters, load_weights
from forethought.nets.mlp import MlpWeights, make_mlp, parameters_of
from forethought.nets.tower import TowerWeights, make_tower
from forethought.nets.values import value_columns
from forethought.patterns.model import ROLLOUT, PatternModel, load_model
from forethought.runs import weights_of
from forethought.tensors import PARTS, read_tensors

if TYPE_CHECKING:
    from forethought.learn.models import Model

NETWORKS = (IMITATION, REINFORCED, VALUE)
NewNetwork = Callable[[np.random.Generator], Parameters]


class Beginning(NamedTuple):
    """The kind of the networks, how a new one is made, and those there are: the one that imitates always is."""

    model: "Model"
    new: NewNetwork
    networks: Mapping[str, Parameters]
    rollout: PatternModel | None = None  # the policy of roll-outs


def beginning(game: Game, chosen: AlphaGoNetwork, rng: np.random.Generator) -> Beginning:
    """Return the networks to begin with: a new one, or those of another run."""
    if not chosen.start:
        model, parameters = new_board_network(game, chosen, rng)
        return Beginning(model, lambda rng: new_board_network(game, chosen, rng)[1], {IMITATION: parameters})
    path = weights_of(chosen.start)
    found = {name: load_weights(path, game, name) for name in _names_in(path)}
    if IMITATION not in found:
        raise ForethoughtError(f"{chosen.start} has no policy network; start with another run.")
    networks = {name: weights.parameters for name, weights in found.items()}
    rollout = load_model(path, game) if ROLLOUT in _parts_of(path) else None
    return Beginning(*_kind_of(found[IMITATION], game, chosen.start), networks, rollout)


def _names_in(path: Path) -> list[str]:
    """Return the networks that a file has; one that is a network itself is a policy."""
    return [name for name in NETWORKS if name in _parts_of(path)]


def _parts_of(path: Path) -> Collection[str]:
    file = read_tensors(path, PARTS, *(known.format for _, known in FORMATS))
    parts: Collection[str] = file.about.get("parts", {}) if file.format == PARTS else [IMITATION]
    return parts


def has_value_network(run: str) -> bool:
    """Whether a run has come so far that it has a value network: a search needs one."""
    try:
        return VALUE in _names_in(weights_of(run))
    except ForethoughtError:  # it has no weights yet
        return False


def _kind_of(weights: NetworkWeights, game: Game, run: str) -> "tuple[Model, NewNetwork]":
    """Return what a network of another run is learned on as; it must have values as well as a policy."""
    from forethought.learn.models import MlpModel, TowerModel  # noqa: PLC0415 (torch)

    if isinstance(weights, TowerWeights):
        return TowerModel(weights.shape), lambda rng: make_tower(weights.shape, rng)
    if not isinstance(weights, MlpWeights) or weights.values != value_columns(game):
        raise ForethoughtError(f"The network of {run} is of another kind; start with a run of alphago or alphazero.")
    values, layers = weights.values, len(weights.parameters) // 2
    hidden = tuple(len(weights.parameters[f"bias{layer}"]) for layer in range(layers - 1))
    return MlpModel(layers, values), lambda rng: parameters_of(make_mlp(game.facts, game.actions, hidden, rng, values))
