"""Networks whose policies are far from uniform, and small runs of AlphaGo."""

from pathlib import Path
from typing import Any

import numpy as np

import forethought as ft
from forethought.learn.alphago.settings import AlphaGoConfiguration
from forethought.learn.alphago.stage import Pipeline
from forethought.learn.board_networks import BoardNetwork, new_board_network
from forethought.learn.configuration import configuration_of
from forethought.learn.run import Run
from forethought.nets.formats import NetworkWeights, Parameters
from tests.learn.trainings import new_run

TOWER = BoardNetwork(kind="tower", blocks=1, filters=4, value_units=4)
MLP = BoardNetwork(kind="mlp", hidden="16-16")
SMALL: dict[str, Any] = {
    "algorithm": "alphago",
    "games": 12,
    "workers": 1,
    "network.kind": "mlp",
    "network.hidden": "16-16",
    "expert.iterations": 2,
    "expert.player": "uct:20",
    "expert.opening_plies": 1,
    "imitation.iterations": 2,
    "imitation.batch": 16,
    "imitation.held_out": 0.3,
    "rollout.iterations": 1,
    "policy_gradient.iterations": 2,
    "policy_gradient.batch": 5,
    "policy_gradient.pool_every": 2,
    "policy_gradient.rate": 0.01,
    "value.iterations": 2,
    "value.positions": 60,
    "value.steps": 4,
    "value.held_out": 0.2,
    "evaluation.games": 4,
    "evaluation.every": 100,
}
STAGES = ("expert", "imitation", "rollout", "policy_gradient", "value")


def only(*stages: str) -> dict[str, int]:
    """Leave all other stages out."""
    return {f"{stage}.iterations": 0 for stage in STAGES if stage not in stages}


def small_run(directory: Path, game: str = "tic_tac_toe", seed: int = 3, **settings: Any) -> Run:
    return new_run(directory, game, seed, **(SMALL | settings))


def pipeline_of(game: ft.Game, **settings: Any) -> Pipeline:
    """What stages share, with networks that are far from uniform."""
    configuration = configuration_of(SMALL | {"game": str(game.spec or game.name), "seed": 3} | settings)
    assert isinstance(configuration, AlphaGoConfiguration)
    return Pipeline(game, configuration)


def random_networks(game: ft.Game, count: int, seed: int = 1) -> list[NetworkWeights]:
    """Networks of both kinds in turn, where there is a board."""
    rng, kinds = np.random.default_rng(seed), [MLP, TOWER] if game.board is not None else [MLP]
    found = []
    for number in range(count):
        model, parameters = new_board_network(game, kinds[number % len(kinds)], rng)
        found.append(model.weights(shaken(parameters, rng)))
    return found


def shaken(parameters: Parameters, rng: np.random.Generator, scale: float = 0.3) -> Parameters:
    """Parameters with noise, so that policies are far from uniform."""
    return {
        name: array if name.endswith(".variance") else (array + rng.normal(0.0, scale, array.shape)).astype(np.float32)
        for name, array in parameters.items()
    }
