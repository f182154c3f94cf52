"""Thresholding (Ganzfried, Sandholm and Waugh, 2012): improbable actions are not played.

What a network or a search leaves to bad actions is often noise: exploration, an entropy bonus, the uniform play that a
search began with.
"""

from dataclasses import dataclass

import numpy as np

from forethought.arrays import Float64s
from forethought.settings import Settings, setting


@dataclass(frozen=True, kw_only=True)
class ThresholdSettings(Settings):
    """What players take whose improbable actions may be noise."""

    threshold: float = setting(
        "actions less probable than this share of the most probable one are not played; with 1, greedy play",
        0.0,
        low=0.0,
        high=1.0,
    )


def thresholded(policy: Float64s, threshold: float) -> Float64s:
    """Return a policy without actions that are less probable than a share of the most probable one.

    What is left keeps its proportions: with a threshold of 0 all of it, with 1 the most probable actions alone.
    """
    if threshold == 0.0:
        return policy
    kept: Float64s = np.where(policy >= threshold * policy.max(), policy, 0.0)
    kept /= kept.sum()
    return kept
