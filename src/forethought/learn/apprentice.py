"""The apprentice: a network in torch that learns the policies of the expert.

Its parameters are those of `nets/mlp.py`. They stand in one long tensor of which the layers are views, so that a step
of the optimizer is a few operations however deep the network, and a checkpoint a few arrays.

The same start and the same batches give the same weights, bit for bit. To that end torch runs on one thread (batches
are too small to gain from more), and what is multiplied stands in memory of torch's own, which is always aligned alike:
where an array begins may decide in which order a matrix product is summed.
"""

import math
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from forethought.errors import ForethoughtError
from forethought.learn.losses import kl_divergence
from forethought.learn.memory import Memory
from forethought.learn.samples import Samples
from forethought.nets.mlp import Parameters

# Adam's usual numbers: how slowly means of gradients and of squares forget, and what keeps it from dividing by zero
FADING, FADING_SQUARES, EPSILON = 0.9, 0.999, 1e-8

State = dict[str, np.ndarray]


class Lesson(NamedTuple):
    """Means over the steps of a lesson, each measured before the step was taken; in nats."""

    loss: float
    entropy: float


class Apprentice:
    """A network, and Adam to teach it."""

    def __init__(self, parameters: Parameters, learning_rate: float = 1e-3) -> None:
        torch.set_num_threads(1)
        self._names = [f"{part}{layer}" for layer in range(len(parameters) // 2) for part in ("weight", "bias")]
        arrays = [parameters[name] for name in self._names]
        self._weights = torch.cat([torch.tensor(array).flatten() for array in arrays])
        parts = torch.split(self._weights, [array.size for array in arrays])
        self._layers = [part.view(array.shape).requires_grad_() for part, array in zip(parts, arrays, strict=True)]
        self._adam = Adam(self._weights, learning_rate)

    def fit(self, memory: Memory, steps: int, batch_size: int, rng: np.random.Generator) -> Lesson:
        """Take so many steps, each on a batch drawn from memory."""
        lessons = [self._step(memory.batch(batch_size, rng)) for _ in range(steps)]
        return Lesson(*(math.fsum(measures) / steps for measures in zip(*lessons, strict=True)))

    def parameters(self) -> Parameters:
        """Return the network as it is now, copied."""
        return {name: layer.detach().numpy().copy() for name, layer in zip(self._names, self._layers, strict=True)}

    def state(self) -> State:
        """Return all that further learning depends on, copied."""
        return {name: tensor.numpy().copy() for name, tensor in self._tensors().items()}

    def restore(self, state: State) -> None:
        """Become what the apprentice was that gave this state."""
        tensors = self._tensors()
        if {name: array.shape for name, array in state.items()} != {name: t.shape for name, t in tensors.items()}:
            raise ForethoughtError("This is the state of an apprentice with other layers; train anew, or restore them.")
        for name, tensor in tensors.items():
            tensor.copy_(torch.tensor(state[name]))

    def _tensors(self) -> dict[str, Tensor]:
        adam = self._adam
        return {"weights": self._weights, "mean": adam.mean, "mean_square": adam.mean_square, "steps": adam.steps}

    def _step(self, samples: Samples) -> Lesson:
        actions, counts = torch.from_numpy(samples.actions).long(), torch.from_numpy(samples.counts)
        logits = logits_of(self._layers, samples)
        loss, entropy = kl_divergence(logits, actions, counts, torch.from_numpy(samples.targets))
        gradient = torch.cat([part.flatten() for part in torch.autograd.grad(loss, self._layers)])
        if not math.isfinite(gradient.sum()):  # a sum is finite only if all of it is
            raise ForethoughtError("Learning diverged: a gradient is not finite; lower learning.rate and train anew.")
        self._adam.step(gradient)
        return Lesson(loss.item(), entropy.item())


class Adam:
    """Adam (Kingma and Ba, 2015) for one tensor. For small networks torch's own takes longer to call than to work."""

    def __init__(self, weights: Tensor, learning_rate: float) -> None:
        self.weights = weights
        self.rate = learning_rate
        self.mean = torch.zeros_like(weights)
        self.mean_square = torch.zeros_like(weights)
        self.steps = torch.zeros(1, dtype=torch.int64)

    def step(self, gradient: Tensor) -> None:
        """Move the weights against a gradient; both means begin at zero, and what that takes from them is made up."""
        self.steps += 1
        steps = int(self.steps)
        self.mean.lerp_(gradient, 1.0 - FADING)
        self.mean_square.mul_(FADING_SQUARES).addcmul_(gradient, gradient, value=1.0 - FADING_SQUARES)
        spread = (self.mean_square / (1.0 - FADING_SQUARES**steps)).sqrt_().add_(EPSILON)
        self.weights.addcdiv_(self.mean, spread, value=-self.rate / (1.0 - FADING**steps))


def logits_of(layers: list[Tensor], samples: Samples) -> Tensor:
    """Return the network's outputs [rows, actions]; `layers` is weight, bias, weight, bias and so on."""
    outputs = torch.addmm(layers[1], one_hot(samples, len(layers[0])), layers[0])
    for weight, bias in zip(layers[2::2], layers[3::2], strict=True):
        outputs = torch.addmm(bias, functional.relu(outputs), weight)
    return outputs


def one_hot(samples: Samples, facts: int) -> Tensor:
    """Return the inputs [rows, facts]. Multiplying their zeros is faster than torch's sums of a few rows of weights."""
    rows, places = np.nonzero(np.arange(samples.facts.shape[1]) < samples.known[:, None])
    inputs = torch.zeros(samples.rows, facts)
    inputs.numpy()[rows, samples.facts[rows, places]] = 1.0
    return inputs
