"""Runs of TSPG made by hand: a few patterns with weights that one can reckon with."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from forethought.games import load
from forethought.learn.algorithms.tspg import TspgConfiguration
from forethought.learn.run import Run
from forethought.patterns.model import OBJECTIVES, PatternModel, save_model
from forethought.patterns.text import from_text

Weights = Mapping[str, Sequence[float]]  # by objective; those of double and tspg as offsets

ROW_OF_OWN, ROW_OF_OTHERS = "to f@1,0 f@2,0", "to e@1,0 e@2,0"


def model_of(texts: Sequence[str], weights: Weights) -> PatternModel:
    """Return a model in which both players have the same patterns and weights; what is not given is 0."""
    patterns = tuple(from_text(text) for text in texts)
    arrays = {name: np.array(weights.get(name, [0.0] * len(texts))) for name in OBJECTIVES}
    return PatternModel((patterns, patterns), {name: (array, array) for name, array in arrays.items()})


def make_run(directory: Path, spec: str, models: Mapping[int, PatternModel]) -> str:
    """Write a run that has the weights of some iterations; return its name as players take it."""
    with Run.create(directory, TspgConfiguration(game=spec, seed=1)) as run:
        for iteration, model in models.items():
            save_model(run.weights_file(iteration), model, load(spec, compiled=False))
    return str(directory)
