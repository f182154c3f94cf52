"""The linear algebra that kernels need: one layer of a network at the speed of the machine, without calling BLAS.

A layer is `max(bias + inputs @ weights, floor)`. Its columns are cut into panels of LANES; a panel stands in memory row
by row: LANES biases, then for each input its LANES weights. One call works out one panel, for ROWS rows of a batch. As
LLVM sees it a panel's row is a single value, which it spreads over as many registers as the machine needs: on AVX2 the
sums of two rows fill 8 of 16 registers, just enough to hide the latency of multiplying and adding. So sums never leave
the registers, and each weight that is loaded serves two rows.

The other way was BLAS, by its pointer in SciPy. A product of 20 rows with 128 x 128 ran at 42 % of the rate of a large
one, and runs at nearly all of it here (OpenBLAS on AMD Zen 3); one row took 15 times as long as here. BLAS also brings
threads of its own, and would make SciPy a need of all users. Here each number is summed in one order: a row's results
are the same, bit for bit, whatever batch it is in.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 32
ROWS = 2

Numbers = npt.NDArray[np.float32]

_VECTOR = ir.VectorType(ir.FloatType(), LANES)
_SAME_LANE = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)


class _Call:
    """One call while its instructions are written: the arguments, and the instructions that panels need."""

    def __init__(self, context: Any, builder: Any, kinds: Any, values: Any) -> None:
        self.builder = builder
        self.panel, self.inputs, self.outputs = (
            context.make_array(kind)(context, builder, value) for kind, value in zip(kinds[:3], values[:3], strict=True)
        )
        self.row, self.column = (context.cast(builder, values[i], kinds[i], types.intp) for i in (3, 4))
        self.floor = self.spread(context.cast(builder, values[5], kinds[5], types.float32))
        self.index = self.row.type

    def size(self, array: Any, axis: int) -> Any:
        return cgutils.unpack_tuple(self.builder, array.shape)[axis]

    def element(self, array: Any, row: Any, column: Any) -> Any:
        """Return the address of an element of a two-dimensional array."""
        before = self.builder.mul(row, self.size(array, 1))
        return self.builder.gep(array.data, [self.builder.add(before, column)])

    def panel_row(self, row: Any) -> Any:
        address = self.builder.gep(self.panel.data, [self.builder.mul(row, self.index(LANES))])
        return self.builder.load(self.builder.bitcast(address, _VECTOR.as_pointer()), align=4)

    def biases(self) -> Any:
        """Return a place for sums, which begin as the biases; LLVM makes registers of it."""
        place = cgutils.alloca_once(self.builder, _VECTOR)
        self.builder.store(self.panel_row(self.index(0)), place)
        return place

    def weights(self, number: Any) -> Any:
        return self.panel_row(self.builder.add(number, self.index(1)))

    def spread(self, number: Any) -> Any:
        """Return a vector that holds a number in all of its lanes."""
        empty = ir.Constant(_VECTOR, ir.Undefined)
        first = self.builder.insert_element(empty, number, ir.IntType(32)(0))
        return self.builder.shuffle_vector(first, empty, _SAME_LANE)

    def multiply_add(self, left: Any, right: Any, place: Any) -> None:
        """Add a product to the sums at a place, rounding once if the machine can."""
        kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.fmuladd.v{LANES}f32")
        self.builder.store(self.builder.call(function, [left, right, self.builder.load(place)]), place)

    def finish(self, place: Any, row: Any) -> None:
        """Write the sums of a row, or the floor where that is higher; what is not a number stays none."""
        sums = self.builder.load(place)
        lifted = self.builder.select(self.builder.fcmp_ordered("<", sums, self.floor), self.floor, sums)
        address = self.element(self.outputs, row, self.column)
        self.builder.store(lifted, self.builder.bitcast(address, _VECTOR.as_pointer()), align=4)


def _write_product(call: _Call) -> None:
    rows = [call.builder.add(call.row, call.index(i)) for i in range(ROWS)]
    places = [call.biases() for _ in rows]
    depth = call.builder.sub(call.builder.udiv(call.size(call.panel, 0), call.index(LANES)), call.index(1))
    with cgutils.for_range(call.builder, depth) as loop:
        weights = call.weights(loop.index)
        for row, place in zip(rows, places, strict=True):
            value = call.builder.load(call.element(call.inputs, row, loop.index))
            call.multiply_add(call.spread(value), weights, place)
    for row, place in zip(rows, places, strict=True):
        call.finish(place, row)


def _write_sum(call: _Call) -> None:
    place = call.biases()
    with cgutils.for_range(call.builder, call.size(call.inputs, 0)) as loop:
        number = call.builder.load(call.builder.gep(call.inputs.data, [loop.index]))
        call.builder.store(call.builder.fadd(call.builder.load(place), call.weights(number)), place)
    call.finish(place, call.row)


def _machine_code(write: Callable[[_Call], None]) -> Any:
    @intrinsic  # type: ignore[untyped-decorator]
    def on_panel(_context: Any, panel: Any, inputs: Any, outputs: Any, row: Any, column: Any, floor: Any) -> Any:
        if any(array.layout != "C" for array in (panel, inputs, outputs)):
            return None  # Numba then names the types that do not fit

        def generate(context: Any, builder: Any, call: Any, values: Any) -> Any:
            write(_Call(context, builder, call.args, values))
            return context.get_dummy_value()

        return types.void(panel, inputs, outputs, row, column, floor), generate

    return on_panel


def _multiply_slowly(panel: Numbers, inputs: Numbers, outputs: Numbers, row: int, column: int, floor: float) -> None:
    weights, rows = panel.reshape(-1, LANES), slice(row, row + ROWS)
    sums = weights[0] + inputs[rows, : len(weights) - 1] @ weights[1:]
    outputs[rows, column : column + LANES] = np.maximum(sums, floor)


def _sum_slowly(panel: Numbers, numbers: Any, outputs: Numbers, row: int, column: int, floor: float) -> None:
    weights = panel.reshape(-1, LANES)
    outputs[row, column : column + LANES] = np.maximum(weights[0] + weights[1 + numbers].sum(axis=0), floor)


# Both take (panel, inputs, outputs, row, column, floor) and write LANES outputs from `column` on. `multiply_panel` does
# so for ROWS rows from `row` on, and reads as many inputs from each of these rows as the panel has weights for.
# `sum_panel` does so for one row, whose inputs are the numbers of those that are one while all others are zero.
multiply_panel = _multiply_slowly if config.DISABLE_JIT else _machine_code(_write_product)
sum_panel = _sum_slowly if config.DISABLE_JIT else _machine_code(_write_sum)
