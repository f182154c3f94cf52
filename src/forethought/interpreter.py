"""Run rules as ordinary Python, for debugging and as the reference that machine code must equal.

A rule receives its record as a `RecordView`. Reading gives plain Python numbers; writing checks that the value fits the
field; every index is checked. Machine code checks none of this, so mistakes are found here first.
"""

import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Memory = npt.NDArray[np.uint8]


class Field(NamedTuple):
    """Where a field lies in the record and what numbers it holds; shape and strides count numbers, not bytes."""

    name: str
    kind: str
    code: str
    begin: int
    end: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@cache
def _fields(layout: np.dtype[Any]) -> tuple[Field, ...]:
    fields = []
    for name, (dtype, offset, *_) in (layout.fields or {}).items():
        base, shape = dtype.subdtype or (dtype, ())
        strides = tuple(int(np.prod(shape[i + 1 :])) for i in range(len(shape)))
        fields.append(Field(name, base.name, base.char, offset, offset + dtype.itemsize, tuple(shape), strides))
    return tuple(fields)


class RecordView:
    """One record of a game, its fields as attributes."""

    __slots__ = ("_arrays", "_scalars")

    def __init__(self, layout: np.dtype[Any], memory: Memory) -> None:
        bytes_ = memory.data
        arrays, scalars = {}, {}
        for field in _fields(layout):
            cells = bytes_[field.begin : field.end].cast(field.code)  # type: ignore[call-overload]
            if field.shape:
                arrays[field.name] = ArrayView(cells, field, 0, field.shape, field.strides)
            else:
                scalars[field.name] = (cells, field)
        object.__setattr__(self, "_arrays", arrays)
        object.__setattr__(self, "_scalars", scalars)

    def __getattr__(self, name: str) -> Any:
        if name in self._scalars:
            return self._scalars[name][0][0]
        if name in self._arrays:
            return self._arrays[name]
        raise AttributeError(f"the record has no field '{name}'; it has {', '.join([*self._scalars, *self._arrays])}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._scalars:
            cells, field = self._scalars[name]
            _write(cells, field, 0, value)
            return
        getattr(self, name)  # complains if there is no such field
        raise TypeError(f"the field '{name}' is an array: assign to its elements, s.{name}[i] = ...")

    def __str__(self) -> str:
        return "  ".join(f"{name}={_plain(getattr(self, name))}" for name in [*self._scalars, *self._arrays])


class ArrayView:
    """An array field, or a part of one; every index is checked, and none may be negative."""

    __slots__ = ("_cells", "_field", "_shape", "_start", "_strides")

    def __init__(self, cells: Any, field: Field, start: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
        self._cells, self._field, self._start, self._shape, self._strides = cells, field, start, shape, strides

    def _place(self, index: Any) -> int:
        """Return where the one number lies that plain indices name; -1 for all else. The common case, quickly."""
        parts = index if type(index) is tuple else (index,)
        if len(parts) != len(self._shape):
            return -1
        place = self._start
        for part, size, stride in zip(parts, self._shape, self._strides, strict=True):
            if type(part) is not int or not 0 <= part < size:
                return -1
            place += part * stride
        return place

    def _select(self, index: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """Return start, shape and strides of the part that an index or a slice names."""
        parts = index if isinstance(index, tuple) else (index,)
        if len(parts) > len(self._shape):
            raise IndexError(f"the field '{self._field.name}' has {len(self._shape)} dimensions, not {len(parts)}")
        start, shape, strides = self._start, [], []
        for part, size, stride in zip(parts, self._shape, self._strides, strict=False):
            if isinstance(part, slice):
                steps = range(size)[part]
                start += steps.start * stride
                shape.append(len(steps))
                strides.append(steps.step * stride)
            elif 0 <= part < size:
                start += int(part) * stride
            else:
                raise IndexError(f"index {part} of the field '{self._field.name}' is not in 0..{size - 1}")
        rest = len(parts)
        return start, (*shape, *self._shape[rest:]), (*strides, *self._strides[rest:])

    def __getitem__(self, index: Any) -> Any:
        place = self._place(index)
        if place >= 0:
            return self._cells[place]
        start, shape, strides = self._select(index)
        return ArrayView(self._cells, self._field, start, shape, strides) if shape else self._cells[start]

    def __setitem__(self, index: Any, value: Any) -> None:
        place = self._place(index)
        if place >= 0:
            _write(self._cells, self._field, place, value)
            return
        start, shape, strides = self._select(index)
        if not shape:
            _write(self._cells, self._field, start, value)
            return
        part = ArrayView(self._cells, self._field, start, shape, strides)
        for i in range(shape[0]):
            part[i] = value[i] if hasattr(value, "__getitem__") else value

    def __len__(self) -> int:
        return self._shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))


def _write(cells: Any, field: Field, place: int, value: Any) -> None:
    try:
        cells[place] = value
    except (ValueError, TypeError):
        message = f"the field '{field.name}' ({field.kind}) cannot hold {value!r}{_fraction(value)}"
        raise OverflowError(message) from None


def _fraction(value: Any) -> str:
    return ", a fraction: use //, which divides whole numbers" if isinstance(value, float) else ""


def place_of(rules: Mapping[str, Callable[..., Any]], error: BaseException) -> str:
    """Name the rule that raised an error, and the deepest line in its own file; nothing if no rule did."""
    names = {rule.__code__: name for name, rule in rules.items()}
    rule = file = ""
    line = 0
    for frame, number in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if code in names:
            rule, file, line = names[code], code.co_filename, number
        elif rule and code.co_filename == file:
            line = number
    return f"{Path(file).name}, line {line}, in the rule '{rule}': " if rule else ""


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, ArrayView) else value


class Out:
    """The array a rule writes its answer to, with every index checked."""

    __slots__ = ("_cells",)

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._cells = array.data

    def _checked(self, index: int) -> int:
        if 0 <= index < len(self._cells):
            return index
        raise IndexError(f"place {index} of the answer is not in 0..{len(self._cells) - 1}: the game declares no more")

    def __getitem__(self, index: int) -> Any:
        return self._cells[self._checked(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        try:
            self._cells[self._checked(index)] = value
        except TypeError:
            wanted = "a whole number, or any number for chance and returns, is wanted"
            raise TypeError(f"{wanted}, not {value!r}{_fraction(value)}") from None


class Interpreter:
    """Runs rules on one record layout. The view of the record last used is kept: rules are asked in series."""

    def __init__(self, layout: np.dtype[Any]) -> None:
        self._layout = layout
        self._memory: Memory | None = None
        self._view: RecordView | None = None

    def view(self, memory: Memory) -> RecordView:
        if memory is not self._memory or self._view is None:
            self._memory, self._view = memory, RecordView(self._layout, memory)
        return self._view

    def wrap(self, rule: Callable[..., Any], answers: bool) -> Callable[..., Any]:
        """Make a rule take raw memory and arrays, as its machine code does.

        `answers` says whether the rule returns a number; a rule that returns one where none is wanted, or none where
        one is, would not compile, so it is refused here too.
        """

        def run(memory: Memory, *arguments: Any) -> Any:
            try:
                result = rule(self.view(memory), *(Out(a) if isinstance(a, np.ndarray) else a for a in arguments))
            except SystemExit as end:  # would end the program as if all were well
                raise RuntimeError("a rule cannot exit").with_traceback(end.__traceback__) from end
            if answers == (result is not None) and not isinstance(result, float):
                return int(result) if answers else None
            wanted = "a whole number" if answers else "nothing"
            raise TypeError(f"the rule '{rule.__name__}' must return {wanted}, not {result!r}")

        return run
