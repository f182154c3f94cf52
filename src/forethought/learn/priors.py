"""What a network with two heads learns from: averages of a long memory, and priors of the last iteration alone.

The average of a regret minimiser's policies is what converges, so it is learned from all iterations, the later ones
counting more. The policy that it goes on from is the last one: older ones would only slow it down.
"""

import numpy as np

from forethought.learn.memory import Memory
from forethought.learn.samples import Samples, joined


class AveragesAndPriors:
    """Draws from a memory what the first head learns, and from the last iteration what the second one does.

    A target of zeros adds nothing to a loss: each row teaches one head.
    """

    def __init__(self, memory: Memory, latest: Samples) -> None:
        self._memory, self._latest = memory, latest

    def batch(self, size: int, rng: np.random.Generator) -> Samples:
        """Return so many rows for each head, drawn with replacement: averages linearly, priors uniformly."""
        averages = self._memory.linear_batch(size, rng)
        priors = self._latest.chosen(rng.integers(self._latest.rows, size=size))
        averages.currents[:] = 0.0  # the rows are copies
        priors.targets[:] = 0.0
        return joined([averages, priors])
