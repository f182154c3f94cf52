"""Kinds of networks as the apprentice sees them: which of their numbers are learned, and what they make of samples."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from forethought.game import Game
from forethought.learn import tower
from forethought.learn.samples import Samples
from forethought.nets.formats import NetworkWeights, Parameters
from forethought.nets.mlp import MlpWeights, save_mlp
from forethought.nets.tower import Shape, TowerWeights, parameter_shapes, save_tower

AVERAGES = (".mean", ".variance")  # of batch norm


class Model(Protocol):
    """A kind of network of certain sizes. It holds no numbers itself: the apprentice does, by their names."""

    @property
    def trained(self) -> tuple[str, ...]:
        """The parameters that gradients move, in an order that never changes."""

    @property
    def kept(self) -> tuple[str, ...]:
        """The parameters that learning moves otherwise, such as the running averages of batch normalisation."""

    def forward(self, tensors: Mapping[str, Tensor], samples: Samples) -> tuple[Tensor, Tensor]:
        """Return logits [rows, actions] and values [rows, values] for a step of learning.

        Values are what the network says when it plays: between -1 and 1, of any number, none included. What is kept is
        brought up to date in place.
        """

    def weights(self, parameters: Parameters) -> NetworkWeights:
        """Return the network for backends."""

    def save(self, path: Path, parameters: Parameters, game: Game) -> None:
        """Write the network for players."""


@dataclass(frozen=True)
class MlpModel:
    """The fully connected networks of `nets/mlp.py`."""

    layers: int  # the last one included
    values: int = 0

    @property
    def trained(self) -> tuple[str, ...]:
        return tuple(f"{part}{layer}" for layer in range(self.layers) for part in ("weight", "bias"))

    @property
    def kept(self) -> tuple[str, ...]:
        return ()

    def forward(self, tensors: Mapping[str, Tensor], samples: Samples) -> tuple[Tensor, Tensor]:
        outputs = torch.addmm(
            tensors["bias0"], one_hot(samples, len(tensors["weight0"]), tensors["weight0"].device), tensors["weight0"]
        )
        for layer in range(1, self.layers):
            outputs = torch.addmm(tensors[f"bias{layer}"], functional.relu(outputs), tensors[f"weight{layer}"])
        actions = outputs.shape[1] - self.values
        return outputs[:, :actions], torch.tanh(outputs[:, actions:])

    def weights(self, parameters: Parameters) -> MlpWeights:
        return MlpWeights(parameters, self.values)

    def save(self, path: Path, parameters: Parameters, game: Game) -> None:
        save_mlp(path, self.weights(parameters).compiled(), game)


@dataclass(frozen=True)
class TowerModel:
    """The residual towers of `nets/tower.py`."""

    shape: Shape

    @property
    def trained(self) -> tuple[str, ...]:
        return tuple(name for name in parameter_shapes(self.shape) if not name.endswith(AVERAGES))

    @property
    def kept(self) -> tuple[str, ...]:
        return tuple(name for name in parameter_shapes(self.shape) if name.endswith(AVERAGES))

    def forward(self, tensors: Mapping[str, Tensor], samples: Samples) -> tuple[Tensor, Tensor]:
        layout = self.shape.layout
        return tower.forward(
            dict(tensors), layout, one_hot(samples, layout.facts, next(iter(tensors.values())).device), training=True
        )

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
