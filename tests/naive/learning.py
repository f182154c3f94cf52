"""Learning in NumPy doubles: one row at a time, gradients by hand, Adam by the letter of the paper."""

import numpy as np
import numpy.typing as npt

from forethought.learn.samples import Samples

Reals = npt.NDArray[np.float64]
Network = dict[str, Reals]


def policy(logits: Reals) -> Reals:
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def divergence(targets: Reals, chosen: Reals) -> float:
    return sum(float(t * (np.log(t) - np.log(p))) for t, p in zip(targets, chosen, strict=True) if t > 0)


def entropy(chosen: Reals) -> float:
    return -float((chosen * np.log(chosen)).sum())


def row_loss(logits: Reals, actions: tuple[int, ...], targets: tuple[float, ...]) -> tuple[float, float, Reals]:
    """The loss of one row, its entropy, and the gradient for all logits: p - t for targets that sum to one."""
    chosen, wanted = policy(logits[list(actions)]), np.array(targets)
    gradient = np.zeros(len(logits))
    gradient[list(actions)] = chosen * wanted.sum() - wanted
    return divergence(wanted, chosen), entropy(chosen), gradient


def loss(network: Network, samples: Samples) -> tuple[float, float, Network]:
    """The mean loss of a batch, its mean entropy, and the gradient for every parameter by back-propagation."""
    total, uncertainty = 0.0, 0.0
    gradients = {name: np.zeros_like(array) for name, array in network.items()}
    for place in range(samples.rows):
        facts, actions, targets = samples.row(place)
        inputs = activations(network, facts)
        one, other, upward = row_loss(inputs.pop(), actions, targets)
        total, uncertainty = total + one, uncertainty + other
        for layer in reversed(range(len(inputs))):
            gradients[f"weight{layer}"] += np.outer(inputs[layer], upward) / samples.rows
            gradients[f"bias{layer}"] += upward / samples.rows
            upward = (network[f"weight{layer}"] @ upward) * (inputs[layer] > 0)
    return total / samples.rows, uncertainty / samples.rows, gradients


def activations(network: Network, facts: tuple[int, ...]) -> list[Reals]:
    """What goes into each layer, and last the logits."""
    values = np.zeros(len(network["weight0"]))
    values[list(facts)] = 1.0
    all_values = [values]
    for layer in range(len(network) // 2):
        values = all_values[-1] @ network[f"weight{layer}"] + network[f"bias{layer}"]
        all_values.append(np.maximum(values, 0.0))
    return [*all_values[:-1], values]


def adam(network: Network, batches: list[Samples], rate: float) -> Network:
    """The network after one step on each batch."""
    network = dict(network)
    mean = {name: np.zeros_like(array) for name, array in network.items()}
    square = {name: np.zeros_like(array) for name, array in network.items()}
    for step, samples in enumerate(batches, start=1):
        _, _, gradients = loss(network, samples)
        for name, gradient in gradients.items():
            mean[name] = 0.9 * mean[name] + 0.1 * gradient
            square[name] = 0.999 * square[name] + 0.001 * gradient**2
            corrected, spread = mean[name] / (1 - 0.9**step), np.sqrt(square[name] / (1 - 0.999**step))
            network[name] = network[name] - rate * corrected / (spread + 1e-8)
    return network
