"""The networks of AlphaGo, AlphaGo Zero and AlphaZero here: a residual tower on a board, a perceptron without one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from forethought.game import Game
from forethought.learn.sections import LAYERS, LearningSettings, layers_of
from forethought.nets.convolution import layout_of
from forethought.nets.formats import Parameters
from forethought.nets.mlp import make_mlp, parameters_of
from forethought.nets.tower import Shape, make_tower
from forethought.nets.values import value_columns
from forethought.settings import Settings, setting

if TYPE_CHECKING:
    from forethought.learn.models import Model

TOWER_CELLS = 16  # on smaller boards there is little for convolutions to share
TOWER, MLP = "tower", "mlp"


@dataclass(frozen=True, kw_only=True)
class BoardNetwork(Settings):
    """What the apprentice is made of."""

    kind: str = setting(
        "the kind of network; auto: a tower where the game has a board of 16 cells or more",
        "auto",
        words=("auto", TOWER, MLP),
    )
    blocks: int = setting("residual blocks of a tower", 4, low=1, high=100)
    filters: int = setting("filters of each convolution of a tower", 32, low=1, high=1024)
    value_units: int = setting("hidden units of a tower's value head", 64, low=1, high=4096)
    hidden: str = setting("hidden layers of an mlp", "256-256", example="256-256", pattern=LAYERS)


@dataclass(frozen=True, kw_only=True)
class BoardLearning(LearningSettings):
    """How such a network learns."""

    threads: int = setting(
        "threads of torch, on which the last bits of weights depend; 0: as many as workers", 0, low=0
    )


def network_kind(game: Game, chosen: BoardNetwork) -> str:
    """Return which kind of network a game gets."""
    board = game.board
    if chosen.kind == TOWER and board is None:
        raise game.mistake("it declares no board, and a tower needs one; use network.kind=mlp")
    suited = MLP if board is None or board.cells < TOWER_CELLS else TOWER
    return suited if chosen.kind == "auto" else chosen.kind


def torch_threads(kind: str, chosen: int, workers: int) -> int:
    """Return with how many threads a kind of network learns; a perceptron is too small to gain from more than one."""
    return 1 if kind == MLP else chosen or workers


def new_board_network(game: Game, chosen: BoardNetwork, rng: np.random.Generator) -> "tuple[Model, Parameters]":
    """Return the kind of network to train, with a policy and values, and where it begins."""
    from forethought.learn.models import MlpModel, TowerModel  # noqa: PLC0415 (torch)

    values = value_columns(game)
    if network_kind(game, chosen) == MLP:
        hidden = layers_of(chosen.hidden)
        first = make_mlp(game.facts, game.actions, hidden, rng, values)
        return MlpModel(len(hidden) + 1, values), parameters_of(first)
    shape = Shape(chosen.blocks, chosen.filters, chosen.value_units, game.actions, values, layout_of(game))
    return TowerModel(shape), make_tower(shape, rng)
