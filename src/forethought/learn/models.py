"""Kinds of networks as the apprentice sees them: which of their numbers are learned, and what they make of samples."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from forethought.game import Game
from forethought.learn import tower
from forethought.learn.samples import Samples
from forethought.nets.formats import NetworkWeights, Parameters
from forethought.nets.mlp import PRIOR, MlpWeights
from forethought.nets.tower import Shape, TowerWeights, parameter_shapes, save_tower

AVERAGES = (".mean", ".variance")  # of batch norm
PRIOR_HEAD = (f"{PRIOR}weight", f"{PRIOR}bias")


class Outputs(NamedTuple):
    """What a network says of samples."""

    logits: Tensor  # [rows, actions]
    values: Tensor  # [rows, values] as in play: between -1 and 1, of any number, none included
    priors: Tensor  # [rows, actions] logits of the policy that searches begin with; no columns without a second head


class Model(Protocol):
    """A kind of network of certain sizes. It holds no numbers itself: the apprentice does, by their names."""

    @property
    def trained(self) -> tuple[str, ...]:
        """The parameters that gradients move, in an order that never changes."""

    @property
    def kept(self) -> tuple[str, ...]:
        """The parameters that learning moves otherwise, such as the running averages of batch normalisation."""

    def forward(self, tensors: Mapping[str, Tensor], samples: Samples) -> Outputs:
        """Return what the network says, for a step of learning. What is kept is brought up to date in place."""

    def with_fixed_averages(self) -> "Model":
        """Return the network as it plays: what is kept does not move, and rows do not depend on each other."""

    def weights(self, parameters: Parameters) -> NetworkWeights:
        """Return the network for backends."""

    def save(self, path: Path, parameters: Parameters, game: Game) -> None:
        """Write the network for players."""


@dataclass(frozen=True)
class MlpModel:
    """The fully connected networks of `nets/mlp.py`."""

    layers: int  # the last one included
    values: int = 0
    has_prior: bool = False  # a second head
    critic: Parameters = field(default_factory=dict)  # learned elsewhere, and kept; empty: none

    @property
    def trained(self) -> tuple[str, ...]:
        own = tuple(f"{part}{layer}" for layer in range(self.layers) for part in ("weight", "bias"))
        return own + (PRIOR_HEAD if self.has_prior else ())

    @property
    def kept(self) -> tuple[str, ...]:
        return ()

    def forward(self, tensors: Mapping[str, Tensor], samples: Samples) -> Outputs:
        features = one_hot(samples, len(tensors["weight0"]), tensors["weight0"].device)
        for layer in range(self.layers - 1):
            features = functional.relu(torch.addmm(tensors[f"bias{layer}"], features, tensors[f"weight{layer}"]))
        last = self.layers - 1
        outputs = torch.addmm(tensors[f"bias{last}"], features, tensors[f"weight{last}"])
        actions = outputs.shape[1] - self.values
        priors = outputs[:, :0]
        if self.has_prior:
            weight, bias = (tensors[name] for name in PRIOR_HEAD)
            priors = torch.addmm(bias, features, weight)
        return Outputs(outputs[:, :actions], torch.tanh(outputs[:, actions:]), priors)

    def with_fixed_averages(self) -> "MlpModel":
        return self

    def weights(self, parameters: Parameters) -> MlpWeights:
        own = {name: array for name, array in parameters.items() if name not in PRIOR_HEAD}
        head = {name.removeprefix(PRIOR): parameters[name] for name in PRIOR_HEAD if self.has_prior}
        return MlpWeights(own, self.values, head, self.critic)

    def save(self, path: Path, parameters: Parameters, game: Game) -> None:
        self.weights(parameters).save(path, game)


@dataclass(frozen=True)
class TowerModel:
    """The residual towers of `nets/tower.py`."""

    shape: Shape
    moves_averages: bool = True  # those of batch norm, towards each batch that is learned from

    @property
    def trained(self) -> tuple[str, ...]:
        return tuple(name for name in parameter_shapes(self.shape) if not name.endswith(AVERAGES))

    @property
    def kept(self) -> tuple[str, ...]:
        return tuple(name for name in parameter_shapes(self.shape) if name.endswith(AVERAGES))

    def forward(self, tensors: Mapping[str, Tensor], samples: Samples) -> Outputs:
        layout = self.shape.layout
        inputs = one_hot(samples, layout.facts, next(iter(tensors.values())).device)
        logits, values = tower.forward(dict(tensors), layout, inputs, training=self.moves_averages)
        return Outputs(logits, values, logits[:, :0])

    def with_fixed_averages(self) -> "TowerModel":
        return replace(self, moves_averages=False)

    def weights(self, parameters: Parameters) -> TowerWeights:
        return TowerWeights(parameters, self.shape)

    def save(self, path: Path, parameters: Parameters, game: Game) -> None:
        save_tower(path, parameters, self.shape, game)


def one_hot(samples: Samples, facts: int, device: torch.device) -> Tensor:
    """Return the inputs [rows, facts]. Multiplying their zeros is faster than torch's sums of a few rows of weights."""
    rows, places = np.nonzero(np.arange(samples.facts.shape[1]) < samples.known[:, None])
    inputs = torch.zeros(samples.rows, facts)
    inputs.numpy()[rows, samples.facts[rows, places]] = 1.0
    return inputs.to(device)
