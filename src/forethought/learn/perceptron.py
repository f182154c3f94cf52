"""Fully connected networks that learn, with the passes forward and backward written out.

The first layer, whose inputs are facts, is a sum of weight rows (`one_hot.py`); the others are products of matrices.
The kernels of a loss give the gradient of the outputs (see `policy_gradient.py`), so nothing is left for an automatic
differentiation to do, and nothing is allocated from step to step. Weights and gradients stand each in one long tensor
of torch's own, of which the layers' are views: see `apprentice.py` why.
"""

import math

import torch
from torch import Tensor

from forethought.arrays import Float32s
from forethought.errors import ForethoughtError
from forethought.learn.apprentice import Adam, flat_views
from forethought.learn.one_hot import add_slopes, make_one_hot_rows, sum_weights
from forethought.nets.formats import Parameters


class Perceptron:
    """A network, and Adam to teach it on batches of up to so many rows."""

    def __init__(self, parameters: Parameters, rows: int) -> None:
        """Begin with these parameters: `weight0`, `bias0`, `weight1` and so on."""
        names = tuple(parameters)
        self.weights, self._named = flat_views(parameters, names)
        self._gradient, self._slopes = flat_views(parameters, names)
        self._layers = len(names) // 2
        widths = [len(parameters["weight0"]), *(len(parameters[f"bias{layer}"]) for layer in range(self._layers))]
        self._outputs = [torch.zeros(rows, width) for width in widths[1:]]  # of each layer
        self._backs = [torch.zeros(rows, width) for width in widths[1:]]  # the loss's gradient by them
        self._adam = Adam(self.weights, 0.0)
        # what is written and read outside torch: inputs, outputs, and the gradient of the outputs
        self.inputs = make_one_hot_rows(rows, widths[0])
        self.outputs, self.slopes = self._outputs[-1].numpy(), self._backs[-1].numpy()

    def forward(self, rows: int) -> None:
        """Compute the outputs of the first rows of the inputs."""
        for layer in range(self._layers):
            weight, bias = self._named[f"weight{layer}"], self._named[f"bias{layer}"]
            there = self._outputs[layer][:rows]
            if layer == 0:
                sum_weights(self.inputs, rows, weight.numpy(), bias.numpy(), there.numpy())
            else:
                torch.addmm(bias, self._outputs[layer - 1][:rows], weight, out=there)
            if layer < self._layers - 1:
                there.relu_()

    def backward(self, rows: int) -> Tensor:
        """Return the loss's gradient, from that of the outputs of the first rows; `forward` comes before it."""
        for layer in range(self._layers - 1, 0, -1):
            here, back = self._outputs[layer - 1][:rows], self._backs[layer][:rows]
            torch.mm(here.T, back, out=self._slopes[f"weight{layer}"])
            torch.sum(back, 0, out=self._slopes[f"bias{layer}"])
            below = self._backs[layer - 1][:rows]
            torch.mm(back, self._named[f"weight{layer}"].T, out=below)
            torch.ops.aten.threshold_backward.grad_input(below, here, 0.0, grad_input=below)
        back = self._backs[0][:rows]
        add_slopes(self.inputs, rows, back.numpy(), self._slopes["weight0"].numpy())
        torch.sum(back, 0, out=self._slopes["bias0"])
        return self._gradient

    def step(self, rows: int, rate: float, max_gradient_norm: float = math.inf) -> None:
        """Take a step against the gradient, which is first shortened to a length."""
        gradient = self.backward(rows)
        length = float(gradient.norm())
        if not math.isfinite(length):
            raise ForethoughtError("Learning diverged: a gradient is not finite; lower learning.rate and train anew.")
        if length > max_gradient_norm:
            gradient.mul_(max_gradient_norm / length)
        self._adam.rate = rate
        self._adam.step(gradient)

    def parameters(self) -> Parameters:
        """Return the network as it is now, copied."""
        return {name: tensor.numpy().copy() for name, tensor in self._named.items()}

    def state(self) -> dict[str, Float32s]:
        """Return all that further learning depends on, copied."""
        return {name: tensor.numpy().copy() for name, tensor in self._tensors().items()}

    def restore(self, state: dict[str, Float32s]) -> None:
        """Become what the network was that gave this state."""
        for name, tensor in self._tensors().items():
            tensor.copy_(torch.tensor(state[name]))

    def _tensors(self) -> dict[str, Tensor]:
        adam = self._adam
        return {"weights": self.weights, "mean": adam.mean, "mean_square": adam.mean_square, "steps": adam.steps}
