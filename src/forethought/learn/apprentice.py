"""The apprentice: a network in torch that learns the policies of the expert and, if it has values, who won.

The loss is AlphaZero's: the squared error of the values, the divergence from the expert's policies (whose gradient is
that of the cross-entropy) and c times the sum of all squared weights.

What kind of network it is, a `Model` says. Its parameters stand in one long tensor of which they are views, so that a
step of the optimizer is a few operations however deep the network, and a checkpoint a few arrays.

The same start, batches and number of threads give the same weights, bit for bit. To that end what is multiplied stands
in memory of torch's own, always aligned alike: where an array begins may decide in which order a matrix product
is summed. Fully connected networks learn on one thread, as they are too small to gain from more.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from forethought.errors import ForethoughtError
from forethought.learn.losses import kl_divergence, value_error
from forethought.learn.models import Model
from forethought.learn.samples import Samples
from forethought.nets.formats import Parameters

# Adam's usual numbers: how slowly means of gradients and of squares forget, and what keeps it from dividing by zero
FADING, FADING_SQUARES, EPSILON = 0.9, 0.999, 1e-8

State = dict[str, np.ndarray]
PolicyLoss = Callable[[Tensor, Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]  # logits, actions, counts, targets


class Source(Protocol):
    """Whatever examples can be drawn from."""

    def batch(self, size: int, rng: np.random.Generator) -> Samples: ...


class LearningMeans(NamedTuple):
    """Means over the steps of a lesson, each measured before the step was taken."""

    loss: float  # divergence from the expert's policies, in nats
    entropy: float  # of the policies, in nats
    value_loss: float  # squared error of the values; 0 without
    prior_loss: float  # divergence of priors from the expert's current policies, in nats; 0 without


class Apprentice:
    """A network, and Adam to teach it."""

    def __init__(  # noqa: PLR0913 (each is a choice of the caller)
        self,
        model: Model,
        parameters: Parameters,
        learning_rate: float = 1e-3,
        weight_decay: float = 0.0,
        threads: int = 1,
        device: str = "cpu",
        *,
        averaged_steps: int = 0,
        policy_loss: PolicyLoss = kl_divergence,
    ) -> None:
        """Begin with these parameters. The weight decay is the c of the loss; `device` is cpu, cuda or auto.

        What plays is the moving average of the weights over about so many steps; 0: the weights themselves. The loss of
        the policies and their entropy are what `policy_loss` makes of logits, actions, counts and targets.
        """
        torch.set_num_threads(threads)
        self._model, self._decay, self.device = model, weight_decay, learning_device(device)
        self._policy_loss = policy_loss
        self._weights, trained = flat_views(parameters, model.trained, self.device)
        self._kept, kept = flat_views(parameters, model.kept, self.device)
        self._leaves = [part.requires_grad_() for part in trained.values()]
        self._named = trained | kept
        self._adam = Adam(self._weights, learning_rate)
        self._average, averages = flat_views(parameters, model.trained if averaged_steps else (), self.device)
        self._playing, self._averaged_steps = trained | kept | averages, averaged_steps

    def fit(self, memory: Source, steps: int, batch_size: int, rng: np.random.Generator) -> LearningMeans:
        """Take so many steps, each on a batch drawn from memory."""
        lessons = [self.step([memory.batch(batch_size, rng)]) for _ in range(steps)]
        return LearningMeans(*(math.fsum(measures) / steps for measures in zip(*lessons, strict=True)))

    def step(self, parts: Sequence[Samples]) -> LearningMeans:
        """Take one step on all rows of some parts: memory is needed for one part at a time."""
        rows, gradient, lessons = sum(part.rows for part in parts), torch.zeros_like(self._weights), []
        for part in parts:
            loss, means = self._losses(part)
            pieces = torch.autograd.grad(loss, self._leaves)
            gradient.add_(torch.cat([piece.flatten() for piece in pieces]), alpha=part.rows / rows)
            lessons.append([mean * part.rows / rows for mean in means])
        gradient.add_(self._weights, alpha=2.0 * self._decay)
        if not math.isfinite(gradient.sum()):  # a sum is finite only if all of it is
            raise ForethoughtError("Learning diverged: a gradient is not finite; lower learning.rate and train anew.")
        self._adam.step(gradient)
        if self._averaged_steps:  # at first the plain mean of all steps
            self._average.lerp_(self._weights, 1.0 / min(self._averaged_steps, int(self._adam.steps)))
        return LearningMeans(*(math.fsum(measures) for measures in zip(*lessons, strict=True)))

    def parameters(self) -> Parameters:
        """Return the network that plays, copied."""
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in self._playing.items()}

    def state(self) -> State:
        """Return all that further learning depends on, copied."""
        return {name: tensor.cpu().numpy().copy() for name, tensor in self._tensors().items()}

    def restore(self, state: State) -> None:
        """Become what the apprentice was that gave this state."""
        tensors = self._tensors()
        if {name: array.shape for name, array in state.items()} != {name: t.shape for name, t in tensors.items()}:
            raise ForethoughtError("This is the state of an apprentice with other layers; train anew, or restore them.")
        for name, tensor in tensors.items():
            tensor.copy_(torch.tensor(state[name]))

    def _tensors(self) -> dict[str, Tensor]:
        adam = {"mean": self._adam.mean, "mean_square": self._adam.mean_square, "steps": self._adam.steps}
        average = {"average": self._average} if self._averaged_steps else {}
        return {"weights": self._weights, "kept": self._kept} | average | adam

    def _losses(self, samples: Samples) -> tuple[Tensor, LearningMeans]:
        """Return the loss of some rows, and what it is made of."""
        actions, counts, targets, wanted, currents = (
            torch.from_numpy(array).to(self.device)
            for array in (samples.actions, samples.counts, samples.targets, samples.values, samples.currents)
        )
        outputs = self._model.forward(self._named, samples)
        loss, entropy = self._policy_loss(outputs.logits, actions.long(), counts, targets)
        values = outputs.values if wanted.shape[1] else outputs.values[:, :0]  # such rows teach policies alone
        error, prior_loss = value_error(values, wanted), torch.zeros(())
        if outputs.priors.shape[1]:
            prior_loss, _ = kl_divergence(outputs.priors, actions.long(), counts, currents)
        means = LearningMeans(loss.item(), entropy.item(), error.item(), prior_loss.item())
        return loss + error + prior_loss, means


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


def learning_device(wanted: str) -> torch.device:
    """Return where to learn: on CUDA if it is wanted and there is one, otherwise on the CPU."""
    return torch.device("cuda" if wanted != "cpu" and torch.cuda.is_available() else "cpu")


def flat_views(
    parameters: Parameters, names: Sequence[str], device: torch.device | None = None
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return parameters copied to one long tensor, and views of it by their names."""
    arrays = [parameters[name] for name in names]
    whole = torch.cat([torch.empty(0), *(torch.tensor(array).flatten() for array in arrays)]).to(device)
    parts = torch.split(whole, [array.size for array in arrays])
    return whole, {name: part.view(array.shape) for name, part, array in zip(names, parts, arrays, strict=True)}
