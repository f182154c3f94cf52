"""From logits to a policy, in kernels."""

import numpy as np

from forethought.arrays import Float32s, Float64s, Int64s
from forethought.compiler import kernel


@kernel
def softmax(logits: Float32s, actions: Int64s, count: int, policy: Float64s) -> None:
    """Write the softmax of the logits of the given actions."""
    highest = -np.inf
    for i in range(count):
        highest = max(highest, logits[actions[i]])
    total = 0.0
    for i in range(count):
        policy[i] = np.exp(np.float64(logits[actions[i]]) - highest)
        total += policy[i]
    for i in range(count):
        policy[i] /= total
