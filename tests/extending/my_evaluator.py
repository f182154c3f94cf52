"""An evaluator in one file: a backend that runs fully connected networks by NumPy.

FORETHOUGHT_PLUGINS=my_evaluator.py forethought match leduc 'net(run=demo,backend=numpy)' random
"""

import numpy as np

from forethought.arrays import Float32s, Int64s
from forethought.errors import ForethoughtError
from forethought.nets.backends import register_backend
from forethought.nets.evaluator import Evaluator
from forethought.nets.formats import NetworkWeights
from forethought.nets.mlp import MlpWeights
from forethought.nets.questions import Questions


@register_backend("numpy")
def run_by_numpy(weights: NetworkWeights) -> Evaluator:
    """Run a network by NumPy, if it is fully connected."""
    if not isinstance(weights, MlpWeights):
        raise ForethoughtError("The backend numpy runs fully connected networks only; use backend=compiled.")
    return NumpyEvaluator(weights)


class NumpyEvaluator:
    """Answers one question after another, so that no answer depends on what else is asked at the same time."""

    def __init__(self, weights: MlpWeights) -> None:
        arrays = weights.parameters
        self._layers = [(arrays[f"weight{number}"], arrays[f"bias{number}"]) for number in range(len(arrays) // 2)]
        self.facts, self.values = len(arrays["weight0"]), weights.values
        self.actions = len(self._layers[-1][1]) - weights.values

    def scratch(self, rows: int) -> None:
        """Return nothing: NumPy makes its memory as it goes."""

    def answer(self, questions: Questions, rows: int, scratch: None) -> None:
        for row in range(rows):
            outputs = self._outputs(questions.facts[row, : questions.known[row]])
            legal = questions.actions[row, : questions.counts[row]]
            if len(legal):
                chances = np.exp(outputs[legal] - outputs[legal].max())
                questions.policies[row, : len(legal)] = chances / chances.sum()
            if questions.values.shape[1]:
                questions.values[row] = np.tanh(outputs[self.actions :])

    def _outputs(self, facts: Int64s) -> Float32s:
        """Return the logits of all actions, then the values: what the last layer puts out where these facts hold."""
        (first, bias), *others = self._layers
        units: Float32s = first[facts].sum(axis=0) + bias
        for weight, bias in others:
            units = np.maximum(units, 0.0) @ weight + bias
        return units
