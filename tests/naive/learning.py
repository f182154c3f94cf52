"""Learning in NumPy doubles: one row at a time, gradients by hand, Adam by the letter of the paper."""

import numpy as np

from forethought.arrays import Float64s
from forethought.learn.samples import Samples

Network = dict[str, Float64s]


def policy(logits: Float64s) -> Float64s:
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def divergence(targets: Float64s, chosen: Float64s) -> float:
    return sum(float(t * (np.log(t) - np.log(p))) for t, p in zip(targets, chosen, strict=True) if t > 0)


def entropy(chosen: Float64s) -> float:
    return -float((chosen * np.log(chosen)).sum())


def row_loss(logits: Float64s, actions: tuple[int, ...], targets: tuple[float, ...]) -> tuple[float, float, Float64s]:
    """The loss of one row, its entropy, and the gradient for all logits: p - t for targets that sum to one."""
    chosen, wanted = policy(logits[list(actions)]), np.array(targets)
    gradient = np.zeros(len(logits))
    gradient[list(actions)] = chosen * wanted.sum() - wanted
    return divergence(wanted, chosen), entropy(chosen), gradient


def row_error(outputs: Float64s, targets: Float64s) -> tuple[float, Float64s]:
    """The squared error of one row of values, and the gradient for the outputs that tanh makes values of."""
    values = np.tanh(outputs)
    error = sum(float(v - z) ** 2 for v, z in zip(values, targets, strict=True)) / max(1, len(targets))
    return error, 2 * (values - targets) * (1 - values**2) / max(1, len(targets))


def loss(network: Network, samples: Samples) -> tuple[float, float, float, Network]:
    """The mean divergence of a batch, its mean entropy, the mean error of its values, and the gradient of divergence
    and error for every parameter, by back-propagation."""
    total, uncertainty, mistake = 0.0, 0.0, 0.0
    gradients = {name: np.zeros_like(array) for name, array in network.items()}
    for place in range(samples.rows):
        facts, actions, targets = samples.row(place)
        inputs = activations(network, facts)
        outputs, values = inputs.pop(), samples.values[place].astype(float)
        split = len(outputs) - len(values)
        one, other, of_policy = row_loss(outputs[:split], actions, targets)
        error, of_values = row_error(outputs[split:], values)
        total, uncertainty, mistake = total + one, uncertainty + other, mistake + error
        upward = np.concatenate([of_policy, of_values])
        for layer in reversed(range(len(inputs))):
            gradients[f"weight{layer}"] += np.outer(inputs[layer], upward) / samples.rows
            gradients[f"bias{layer}"] += upward / samples.rows
            upward = (network[f"weight{layer}"] @ upward) * (inputs[layer] > 0)
    return total / samples.rows, uncertainty / samples.rows, mistake / samples.rows, gradients


def activations(network: Network, facts: tuple[int, ...]) -> list[Float64s]:
    """What goes into each layer, and last the outputs."""
    values = np.zeros(len(network["weight0"]))
    values[list(facts)] = 1.0
    all_values = [values]
    for layer in range(len(network) // 2):
        values = all_values[-1] @ network[f"weight{layer}"] + network[f"bias{layer}"]
        all_values.append(np.maximum(values, 0.0))
    return [*all_values[:-1], values]


def adam(network: Network, batches: list[Samples], rate: float, decay: float = 0.0) -> Network:
    """The network after one step on each batch; `decay` times the sum of all squares is part of the loss."""
    network = dict(network)
    mean = {name: np.zeros_like(array) for name, array in network.items()}
    square = {name: np.zeros_like(array) for name, array in network.items()}
    for step, samples in enumerate(batches, start=1):
        *_, gradients = loss(network, samples)
        for name, slope in gradients.items():
            gradient = slope + 2 * decay * network[name]
            mean[name] = 0.9 * mean[name] + 0.1 * gradient
            square[name] = 0.999 * square[name] + 0.001 * gradient**2
            corrected, spread = mean[name] / (1 - 0.9**step), np.sqrt(square[name] / (1 - 0.999**step))
            network[name] = network[name] - rate * corrected / (spread + 1e-8)
    return network
