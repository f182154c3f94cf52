"""A network's policy and values in NumPy: dense one-hot inputs, doubles, one state at a time."""

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s


def outputs(parameters: dict[str, npt.NDArray[np.float32]], facts: list[int]) -> Float64s:
    layers = len(parameters) // 2
    values = np.zeros(parameters["weight0"].shape[0])
    values[facts] = 1.0
    for layer in range(layers):
        values = values @ parameters[f"weight{layer}"].astype(float) + parameters[f"bias{layer}"].astype(float)
        if layer < layers - 1:
            values = np.maximum(values, 0.0)
    return values


def policy(parameters: dict[str, npt.NDArray[np.float32]], facts: list[int], actions: list[int]) -> Float64s:
    """The probabilities of the legal actions, in their order."""
    legal = outputs(parameters, facts)[actions]
    weights = np.exp(legal - legal.max())
    return weights / weights.sum()


def values(parameters: dict[str, npt.NDArray[np.float32]], facts: list[int], columns: int) -> Float64s:
    """The values, which are the last outputs."""
    last = outputs(parameters, facts)
    return np.tanh(last[len(last) - columns :])
