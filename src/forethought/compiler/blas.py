"""The linear algebra that kernels need: layers of networks at the speed of the machine, without calling BLAS.

A layer is `max(bias + inputs @ weights, floor)`. Its columns are cut into panels of LANES; a panel stands in memory row
by row: LANES biases, then for each input its LANES weights. One call works out one panel, for ROWS rows of a batch. As
LLVM sees it a panel's row is a single value, which it spreads over as many registers as the machine needs: on AVX2 the
sums of four rows fill 8 of 16 registers, just enough to hide the latency of multiplying and adding. So sums never leave
the registers, and each weight that is loaded serves four rows. Of 2 x 32, 4 x 16 and 6 x 16 sums the first is a tenth
slower on batches, and the last, hardly faster, wastes work on small ones.

The other way was BLAS, by its pointer in SciPy. A product of 20 rows with 128 x 128 ran at 42 % of the rate of a large
one, and runs at nearly all of it here (OpenBLAS on AMD Zen 3); one row took 15 times as long as here. BLAS also brings
threads of its own, and would make SciPy a need of all users. Here each number is summed in one order: a row's results
are the same, bit for bit, whatever batch it is in.

Convolutions also need small matrices of fixed numbers applied to rows of an array (`combination`). LLVM would not find
by itself that such loops can work on many columns at once, as it cannot know that the rows do not overlap.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from forethought.arrays import Float32s

LANES = 16
ROWS = 4

Matrix = Sequence[Sequence[float]]
Call = TypeVar("Call", bound="_Call")

_VECTOR = ir.VectorType(ir.FloatType(), LANES)
_SAME_LANE = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)


def panels_of(weight: npt.NDArray[Any], bias: npt.NDArray[Any]) -> Float32s:
    """Return a layer's weights [inputs, outputs] and biases [outputs] as [panels, inputs + 1, LANES]."""
    inputs, outputs = weight.shape
    count = -(-outputs // LANES)
    table = np.zeros((inputs + 1, count * LANES), np.float32)
    table[0, :outputs], table[1:, :outputs] = bias, weight
    return table.reshape(inputs + 1, count, LANES).transpose(1, 0, 2)


def _same(number: float) -> Any:
    """Return a constant vector with a number in all of its lanes."""
    return ir.Constant(_VECTOR, [float(np.float32(number))] * LANES)


class _Call:
    """One call while its instructions are written: the arguments, and the instructions that all calls need."""

    def __init__(self, context: Any, builder: Any, kinds: Any, values: Any) -> None:
        self.context, self.builder, self.kinds, self.values = context, builder, kinds, values
        self.index = context.get_value_type(types.intp)

    def array(self, argument: int) -> Any:
        return self.context.make_array(self.kinds[argument])(self.context, self.builder, self.values[argument])

    def number(self, argument: int, kind: Any = types.intp) -> Any:
        return self.context.cast(self.builder, self.values[argument], self.kinds[argument], kind)

    def size(self, array: Any, axis: int) -> Any:
        return cgutils.unpack_tuple(self.builder, array.shape)[axis]

    def element(self, array: Any, row: Any, column: Any) -> Any:
        """Return the address of an element of a two-dimensional array."""
        before = self.builder.mul(row, self.size(array, 1))
        return self.builder.gep(array.data, [self.builder.add(before, column)])

    def load(self, address: Any) -> Any:
        return self.builder.load(self.builder.bitcast(address, _VECTOR.as_pointer()), align=4)

    def store(self, vector: Any, address: Any) -> None:
        self.builder.store(vector, self.builder.bitcast(address, _VECTOR.as_pointer()), align=4)

    def spread(self, number: Any) -> Any:
        """Return a vector that holds a number in all of its lanes."""
        empty = ir.Constant(_VECTOR, ir.Undefined)
        first = self.builder.insert_element(empty, number, ir.IntType(32)(0))
        return self.builder.shuffle_vector(first, empty, _SAME_LANE)

    def multiply_add(self, left: Any, right: Any, sums: Any) -> Any:
        """Return sums with a product added, rounding once if the machine can."""
        kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.fmuladd.v{LANES}f32")
        return self.builder.call(function, [left, right, sums])

    def lift(self, sums: Any, floor: Any) -> Any:
        """Return the sums, or the floor where that is higher; what is not a number stays none."""
        return self.builder.select(self.builder.fcmp_ordered("<", sums, floor), floor, sums)


class _PanelCall(_Call):
    """A call on (panel, inputs, outputs, row, column, floor)."""

    def __init__(self, context: Any, builder: Any, kinds: Any, values: Any) -> None:
        super().__init__(context, builder, kinds, values)
        self.panel, self.inputs, self.outputs = (self.array(argument) for argument in range(3))
        self.row, self.column = self.number(3), self.number(4)
        self.floor = self.spread(self.number(5, types.float32))

    def panel_row(self, row: Any) -> Any:
        return self.load(self.builder.gep(self.panel.data, [self.builder.mul(row, self.index(LANES))]))

    def biases(self) -> Any:
        """Return a place for sums, which begin as the biases; LLVM makes registers of it."""
        place = cgutils.alloca_once(self.builder, _VECTOR)
        self.builder.store(self.panel_row(self.index(0)), place)
        return place

    def weights(self, number: Any) -> Any:
        return self.panel_row(self.builder.add(number, self.index(1)))

    def finish(self, place: Any, row: Any) -> None:
        """Write the sums of a row."""
        self.store(self.lift(self.builder.load(place), self.floor), self.element(self.outputs, row, self.column))


def _write_product(call: _PanelCall) -> None:
    rows = [call.builder.add(call.row, call.index(i)) for i in range(ROWS)]
    places = [call.biases() for _ in rows]
    depth = call.builder.sub(call.builder.udiv(call.size(call.panel, 0), call.index(LANES)), call.index(1))
    with cgutils.for_range(call.builder, depth) as loop:
        weights = call.weights(loop.index)
        for row, place in zip(rows, places, strict=True):
            value = call.builder.load(call.element(call.inputs, row, loop.index))
            sums = call.multiply_add(call.spread(value), weights, call.builder.load(place))
            call.builder.store(sums, place)
    for row, place in zip(rows, places, strict=True):
        call.finish(place, row)


def _write_sum(call: _PanelCall) -> None:
    place = call.biases()
    with cgutils.for_range(call.builder, call.size(call.inputs, 0)) as loop:
        number = call.builder.load(call.builder.gep(call.inputs.data, [loop.index]))
        call.builder.store(call.builder.fadd(call.builder.load(place), call.weights(number)), place)
    call.finish(place, call.row)


class _CombinationCall(_Call):
    """A call on (inputs, first, outputs, place, and two more): rows of one array become rows of another."""

    def __init__(self, context: Any, builder: Any, kinds: Any, values: Any) -> None:
        super().__init__(context, builder, kinds, values)
        self.inputs, self.first, self.outputs, self.place = self.array(0), self.number(1), self.array(2), self.number(3)

    @contextmanager
    def columns(self, count: int, step: Any) -> Iterator[tuple[Any, list[Any]]]:
        """Write a loop over all columns, LANES at a time; give the column and what the input rows hold there."""
        with cgutils.for_range(self.builder, self.builder.udiv(self.size(self.inputs, 1), self.index(LANES))) as loop:
            column = self.builder.mul(loop.index, self.index(LANES))
            rows = [self.builder.add(self.first, self.builder.mul(step, self.index(i))) for i in range(count)]
            yield column, [self.load(self.element(self.inputs, row, column)) for row in rows]

    def combined(self, factors: Sequence[float], vectors: list[Any]) -> Any:
        """Return a sum of vectors, each times a fixed factor; those times zero are left out."""
        terms = [(_same(factor), vector) for factor, vector in zip(factors, vectors, strict=True) if factor != 0.0]
        sums = self.builder.fmul(*terms[0])
        for factor, vector in terms[1:]:
            sums = self.multiply_add(factor, vector, sums)
        return sums


def _write_combination(matrix: Matrix, call: _CombinationCall) -> None:
    step, stride = call.number(4), call.number(5)
    with call.columns(len(matrix[0]), step) as (column, vectors):
        for i, factors in enumerate(matrix):
            row = call.builder.add(call.place, call.builder.mul(stride, call.index(i)))
            call.store(call.combined(factors, vectors), call.element(call.outputs, row, column))


def _write_last_combination(matrix: Matrix, call: _CombinationCall) -> None:
    count, adds, zeros = call.number(4), call.number(5, types.boolean), _same(0.0)
    with call.columns(len(matrix[0]), call.index(1)) as (column, vectors):
        for i, factors in enumerate(matrix):
            with call.builder.if_then(call.builder.icmp_signed("<", call.index(i), count)):
                address = call.element(call.outputs, call.builder.add(call.place, call.index(i)), column)
                before = call.builder.select(adds, call.load(address), zeros)
                sums = call.builder.fadd(call.combined(factors, vectors), before)
                call.store(call.lift(sums, zeros), address)


def _machine_code(kind_of_call: type[Call], write: Callable[[Call], None]) -> Any:
    @intrinsic  # type: ignore[untyped-decorator]
    def written(_context: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
        kinds = (a, b, c, d, e, f)
        if any(isinstance(kind, types.Array) and kind.layout != "C" for kind in kinds):
            return None  # Numba then names the types that do not fit

        def generate(context: Any, builder: Any, call: Any, values: Any) -> Any:
            write(kind_of_call(context, builder, call.args, values))
            return context.get_dummy_value()

        return types.void(*kinds), generate

    return written


def _multiply_slowly(panel: Float32s, inputs: Float32s, outputs: Float32s, row: int, column: int, floor: float) -> None:
    weights, rows = panel.reshape(-1, LANES), slice(row, row + ROWS)
    sums = weights[0] + inputs[rows, : len(weights) - 1] @ weights[1:]
    outputs[rows, column : column + LANES] = np.maximum(sums, floor)


def _sum_slowly(panel: Float32s, numbers: Any, outputs: Float32s, row: int, column: int, floor: float) -> None:
    weights = panel.reshape(-1, LANES)
    outputs[row, column : column + LANES] = np.maximum(weights[0] + weights[1 + numbers].sum(axis=0), floor)


# Both take (panel, inputs, outputs, row, column, floor) and write LANES outputs from `column` on. `multiply_panel` does
# so for ROWS rows from `row` on, and reads as many inputs from each of these rows as the panel has weights for.
# `sum_panel` does so for one row, whose inputs are the numbers of those that are one while all others are zero.
multiply_panel = _multiply_slowly if config.DISABLE_JIT else _machine_code(_PanelCall, _write_product)
sum_panel = _sum_slowly if config.DISABLE_JIT else _machine_code(_PanelCall, _write_sum)


def combination(matrix: Matrix) -> Any:
    """Return what applies a fixed matrix to rows of an array, for a kernel to call.

    It takes (inputs, first, outputs, place, step, stride). The inputs' rows first, first + step and so on, as many as
    the matrix has columns, give the outputs' rows place, place + stride and so on, as many as the matrix has rows. Both
    arrays are of the same width, a multiple of LANES.
    """
    factors = np.array(matrix, np.float32)
    height, width = factors.shape

    def combine_slowly(inputs: Float32s, first: int, outputs: Float32s, place: int, step: int, stride: int) -> None:
        outputs[place + stride * np.arange(height)] = factors @ inputs[first + step * np.arange(width)]

    return (
        combine_slowly if config.DISABLE_JIT else _machine_code(_CombinationCall, partial(_write_combination, matrix))
    )


def last_combination(matrix: Matrix) -> Any:
    """Return what applies a fixed matrix to rows of an array as the last step of a layer, for a kernel to call.

    It takes (inputs, first, outputs, place, count, adds). The inputs' rows from `first` on give the outputs' rows from
    `place` on, of which only `count` are written. Where `adds`, what stood there is added. Below zero becomes zero.
    """
    factors = np.array(matrix, np.float32)

    def combine_slowly(inputs: Float32s, first: int, outputs: Float32s, place: int, count: int, adds: bool) -> None:
        sums, rows = factors[:count] @ inputs[first : first + factors.shape[1]], slice(place, place + count)
        outputs[rows] = np.maximum(sums + outputs[rows] if adds else sums, 0.0)

    write = partial(_write_last_combination, matrix)
    return combine_slowly if config.DISABLE_JIT else _machine_code(_CombinationCall, write)
