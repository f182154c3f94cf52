"""Fig. 4: how widely the weights of ce and of tspg are spread, as kernel density estimates."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forethought.arrays import Float64s
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.patterns.model import CE, TSPG, load_model
from forethought.runs import weights_of

POINTS = 401
TAIL = 3.0  # bandwidths beyond the outermost weight


@dataclass(frozen=True)
class WeightDensity:
    """The weights of one policy, those of all runs and both players together."""

    policy: str
    at: list[float]
    density: list[float]
    deviation: float
    largest: float  # by absolute value
    weights: int  # how many


def weight_densities(game: Game, runs: Sequence[str]) -> list[WeightDensity]:
    """Estimate the densities of the weights that ce and tspg play with, at the same points."""
    models = [load_model(weights_of(run), game) for run in runs]
    totals = {name: np.concatenate([own for model in models for own in model.total(name)]) for name in (CE, TSPG)}
    if any(len(weights) < 2 or weights.std() == 0.0 for weights in totals.values()):
        raise ForethoughtError(f"The weights of {', '.join(runs)} are all alike; train on for more games.")
    reach = max(np.abs(weights).max() + TAIL * bandwidth(weights) for weights in totals.values())
    at = np.linspace(-reach, reach, POINTS)
    return [
        WeightDensity(
            name,
            at.tolist(),
            gaussian_density(weights, at).tolist(),
            float(weights.std()),
            float(np.abs(weights).max()),
            len(weights),
        )
        for name, weights in totals.items()
    ]


def bandwidth(values: Float64s) -> float:
    """Return Scott's choice of how far a kernel reaches: the spread, less with more values."""
    return float(values.std(ddof=1)) / math.pow(len(values), 0.2)


def gaussian_density(values: Float64s, at: Float64s) -> Float64s:
    """Estimate the density of values at some points, by a normal curve around each value."""
    width = bandwidth(values)
    away = (at[:, None] - values[None, :]) / width
    density: Float64s = np.exp(-0.5 * away * away).sum(axis=1) / (len(values) * width * math.sqrt(2.0 * math.pi))
    return density
