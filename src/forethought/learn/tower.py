"""The forward pass of residual towers in torch, for learning; `nets/tower.py` has the same network for playing."""

import torch
from torch import Tensor
from torch.nn import functional

from forethought.nets.backends.pytorch import planes_of
from forethought.nets.convolution import Layout
from forethought.nets.tower import EPSILON

MOMENTUM = 0.1  # how much of the running averages a batch replaces


def forward(parameters: dict[str, Tensor], layout: Layout, facts: Tensor, training: bool) -> tuple[Tensor, Tensor]:
    """Return logits [rows, actions] and values [rows, values] for one-hot facts [rows, facts].

    In training, batch norm takes the batch's means and variances, and the running averages among the parameters move
    towards them; otherwise it takes the running averages.
    """

    def normalised(name: str, outputs: Tensor) -> Tensor:
        outputs = functional.conv2d(outputs, parameters[f"{name}.weight"], padding="same")
        mean, variance, scale, offset = (
            parameters[f"{name}.{part}"] for part in ("mean", "variance", "scale", "offset")
        )
        return functional.batch_norm(outputs, mean, variance, scale, offset, training, MOMENTUM, EPSILON)

    def connected(name: str, outputs: Tensor) -> Tensor:
        return torch.addmm(parameters[f"{name}.bias"], outputs, parameters[f"{name}.weight"])

    features = functional.relu(normalised("input", planes_of(layout, facts)))
    for block in range(sum(name.endswith(".second.weight") for name in parameters)):
        inner = functional.relu(normalised(f"block{block}.first", features))
        features = functional.relu(normalised(f"block{block}.second", inner) + features)
    policy, value = (functional.relu(normalised(name, features)).flatten(1) for name in ("policy", "value"))
    hidden = functional.relu(connected("value.hidden", value))
    return connected("policy.logits", policy), torch.tanh(connected("value.values", hidden))
