"""A residual tower in NumPy: dense planes, doubles, every square summed by itself, one state at a time."""

import numpy as np

from forethought.nets.convolution import Layout
from forethought.nets.tower import EPSILON, Shape, parameter_shapes

Parameters = dict[str, np.ndarray]


def random_parameters(shape: Shape, seed: int) -> Parameters:
    """Parameters of a tower that says something definite everywhere, as after a long training."""
    rng = np.random.default_rng(seed)
    parameters = {}
    for name, size in parameter_shapes(shape).items():
        part = name.rsplit(".", 1)[1]
        if part == "weight":
            array = rng.normal(0.0, np.sqrt(2 / (np.prod(size[1:]) if len(size) > 2 else size[0])), size)
        elif part in {"scale", "variance"}:
            array = rng.uniform(0.4, 1.2, size)
        else:
            array = rng.normal(0.0, 0.3, size)
        parameters[name] = array.astype(np.float32)
    return parameters


def planes(layout: Layout, facts: list[int]) -> np.ndarray:
    """The input [planes, height, width] of a state."""
    result = np.zeros((layout.inputs, layout.height * layout.width))
    for fact in facts:
        plane, cell = divmod(fact, layout.cells)
        if plane < layout.planes:
            result[plane, layout.squares[cell]] = 1.0
        else:
            result[layout.planes + fact - layout.planes * layout.cells, layout.squares] = 1.0
    if layout.cells < layout.height * layout.width:
        result[-1, layout.squares] = 1.0
    return result.reshape(-1, layout.height, layout.width)


def convolution(inputs: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Sum, for each square and filter, the products with what is around the square; beyond the edge is nothing."""
    margin = weight.shape[2] // 2
    padded = np.pad(np.asarray(inputs, float), ((0, 0), (margin, margin), (margin, margin)))
    outputs = np.zeros((len(weight), *inputs.shape[1:]))
    for y, x in np.ndindex(inputs.shape[1:]):
        patch = padded[:, y : y + weight.shape[2], x : x + weight.shape[3]]
        outputs[:, y, x] = (weight.astype(float) * patch).sum(axis=(1, 2, 3))
    return outputs


def evaluate(
    parameters: Parameters, shape: Shape, facts: list[int], actions: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """The probabilities of the legal actions, in their order, and the values."""
    p = {name: array.astype(float) for name, array in parameters.items()}

    def normalised(name: str, inputs: np.ndarray) -> np.ndarray:
        mean, variance, scale, offset = (
            p[f"{name}.{part}"][:, None, None] for part in ("mean", "variance", "scale", "offset")
        )
        return (convolution(inputs, p[f"{name}.weight"]) - mean) / np.sqrt(variance + EPSILON) * scale + offset

    features = np.maximum(normalised("input", planes(shape.layout, facts)), 0.0)
    for block in range(shape.blocks):
        inner = np.maximum(normalised(f"block{block}.first", features), 0.0)
        features = np.maximum(normalised(f"block{block}.second", inner) + features, 0.0)
    policy, value = (np.maximum(normalised(name, features), 0.0).ravel() for name in ("policy", "value"))
    logits = (policy @ p["policy.logits.weight"] + p["policy.logits.bias"])[actions]
    hidden = np.maximum(value @ p["value.hidden.weight"] + p["value.hidden.bias"], 0.0)
    weights = np.exp(logits - logits.max())
    return weights / weights.sum(), np.tanh(hidden @ p["value.values.weight"] + p["value.values.bias"])
