"""Networks inside kernels: policies and values of a batch of states, from their facts; no torch, and no allocation.

A row's policy and values are the same, bit for bit, whatever else is in the batch.
"""

from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float32s, Float64s, Int64s
from forethought.compiler import kernel
from forethought.compiler.blas import LANES, ROWS, multiply_panel, sum_panel
from forethought.nets.mlp import Mlp


class MlpScratch(NamedTuple):
    """What one batch's units put out: a layer is read from one array and written to the other, by turns."""

    here: Float32s  # [rows, units]
    there: Float32s  # [rows, units]


def make_mlp_scratch(net: Mlp, rows: int) -> MlpScratch:
    """Return the memory for batches of up to so many rows; whole tiles and whole panels are written."""
    shape = (-(-rows // ROWS) * ROWS, -(-int(net.widths[1:].max()) // LANES) * LANES)
    return MlpScratch(np.zeros(shape, np.float32), np.zeros(shape, np.float32))


@kernel
def evaluate(
    net: Mlp,
    rows: int,
    facts: Int64s,
    known: Int64s,
    actions: Int64s,
    counts: Int64s,
    scratch: MlpScratch,
    policy: Float64s,
    values: Float64s,
) -> None:
    """Write to each row of `policy` the probabilities of its legal actions, in their order, and to `values` its values.

    Row r knows facts[r, :known[r]] and may choose among actions[r, :counts[r]]; what lies beyond is neither read nor
    written. `values` has a column for each value of the network, or none: then no values are worked out.
    """
    inputs, outputs = scratch.there, scratch.here
    read_facts(net, rows, facts, known, outputs)
    for layer in range(1, len(net.first)):
        inputs, outputs = outputs, inputs
        multiply(net, layer, rows, inputs, outputs)
    for row in range(rows):
        softmax(outputs[row], actions[row], counts[row], policy[row])
        for column in range(values.shape[1]):
            values[row, column] = np.tanh(np.float64(outputs[row, net.actions + column]))


@kernel
def read_facts(net: Mlp, rows: int, facts: Int64s, known: Int64s, outputs: Float32s) -> None:
    """Work out the first layer: an input that is no fact of the row is zero and costs nothing."""
    size, floor, start = (net.widths[0] + 1) * LANES, floor_of(net, 0), 0
    for column in range(0, net.widths[1], LANES):
        panel = net.panels[start : start + size]
        for row in range(rows):
            sum_panel(panel, facts[row][: known[row]], outputs, row, column, floor)
        start += size


@kernel
def multiply(net: Mlp, layer: int, rows: int, inputs: Float32s, outputs: Float32s) -> None:
    """Work out a later layer. With an odd number of rows, one more that nobody reads is worked out as well."""
    size, floor, start = (net.widths[layer] + 1) * LANES, floor_of(net, layer), net.first[layer]
    for column in range(0, net.widths[layer + 1], LANES):
        panel = net.panels[start : start + size]
        for row in range(0, rows, ROWS):
            multiply_panel(panel, inputs, outputs, row, column, floor)
        start += size


@kernel
def floor_of(net: Mlp, layer: int) -> Any:
    """Return the least output of a layer: 0 for a hidden one (this is ReLU), none for the last."""
    return 0.0 if layer + 1 < len(net.first) else -np.inf


@kernel
def softmax(logits: Float32s, actions: Int64s, count: int, policy: Float64s) -> None:
    """Write the probabilities of the actions, which are proportional to the exponentials of their logits."""
    highest = -np.inf
    for i in range(count):
        highest = max(highest, logits[actions[i]])
    total = 0.0
    for i in range(count):
        policy[i] = np.exp(np.float64(logits[actions[i]]) - highest)
        total += policy[i]
    for i in range(count):
        policy[i] /= total
