"""Run rules as ordinary Python, for debugging and as the reference that machine code must equal.

A rule receives its record as a `RecordView`. Reading gives plain Python numbers; writing checks that the value fits the
field; every index is checked. Machine code checks none of this, so mistakes are found here first.
"""

import struct
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Memory = npt.NDArray[np.uint8]

# Standard sizes rather than native ones: a record has the same layout on every machine.
_CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f4": "f", "f8": "d", "b1": "?"}


class Field(NamedTuple):
    """Where a field lies in the record and how its numbers are written."""

    name: str
    kind: str
    codec: struct.Struct
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def write(self, memory: Memory, offset: int, value: Any) -> None:
        try:
            self.codec.pack_into(memory, offset, value)
        except (struct.error, OverflowError, TypeError):
            raise OverflowError(f"the field '{self.name}' ({self.kind}) cannot hold {value!r}") from None


@cache
def _fields(layout: np.dtype[Any]) -> dict[str, Field]:
    fields = {}
    for name, (dtype, offset, *_) in (layout.fields or {}).items():
        base, shape = dtype.subdtype or (dtype, ())
        strides = tuple(base.itemsize * int(np.prod(shape[i + 1 :])) for i in range(len(shape)))
        codec = struct.Struct("=" + _CODES[base.str[1:]])
        fields[name] = Field(name, base.name, codec, offset, tuple(shape), strides)
    return fields


class RecordView:
    """One record of a game, its fields as attributes."""

    __slots__ = ("_fields", "_memory")

    def __init__(self, layout: np.dtype[Any], memory: Memory) -> None:
        object.__setattr__(self, "_fields", _fields(layout))
        object.__setattr__(self, "_memory", memory)

    def _field(self, name: str) -> Field:
        field: Field | None = self._fields.get(name)
        if field is None:
            raise AttributeError(f"the record has no field '{name}'; it has {', '.join(self._fields)}")
        return field

    def __getattr__(self, name: str) -> Any:
        field = self._field(name)
        if field.shape:
            return ArrayView(self._memory, field, field.offset, field.shape, field.strides)
        return field.codec.unpack_from(self._memory, field.offset)[0]

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._field(name)
        if field.shape:
            raise TypeError(f"the field '{name}' is an array: assign to its elements, s.{name}[i] = ...")
        field.write(self._memory, field.offset, value)

    def __str__(self) -> str:
        return "  ".join(f"{name}={_plain(getattr(self, name))}" for name in self._fields)


class ArrayView:
    """An array field, or a part of one; every index is checked."""

    __slots__ = ("_field", "_memory", "_offset", "_shape", "_strides")

    def __init__(self, memory: Memory, field: Field, offset: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
        self._memory, self._field, self._offset, self._shape, self._strides = memory, field, offset, shape, strides

    def _select(self, index: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """Return offset, shape and strides of the part that an index or a slice names."""
        parts = index if isinstance(index, tuple) else (index,)
        if len(parts) > len(self._shape):
            raise IndexError(f"the field '{self._field.name}' has {len(self._shape)} dimensions, not {len(parts)}")
        offset, shape, strides = self._offset, [], []
        for part, size, stride in zip(parts, self._shape, self._strides, strict=False):
            if isinstance(part, slice):
                steps = range(size)[part]
                offset += steps.start * stride
                shape.append(len(steps))
                strides.append(steps.step * stride)
            elif 0 <= part < size:
                offset += int(part) * stride
            else:
                raise IndexError(f"index {part} of the field '{self._field.name}' is not in 0..{size - 1}")
        rest = len(parts)
        return offset, (*shape, *self._shape[rest:]), (*strides, *self._strides[rest:])

    def __getitem__(self, index: Any) -> Any:
        offset, shape, strides = self._select(index)
        if shape:
            return ArrayView(self._memory, self._field, offset, shape, strides)
        return self._field.codec.unpack_from(self._memory, offset)[0]

    def __setitem__(self, index: Any, value: Any) -> None:
        offset, shape, strides = self._select(index)
        if not shape:
            self._field.write(self._memory, offset, value)
            return
        part = ArrayView(self._memory, self._field, offset, shape, strides)
        for i in range(shape[0]):
            part[i] = value[i] if hasattr(value, "__getitem__") else value

    def __len__(self) -> int:
        return self._shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, ArrayView) else value


class Out:
    """The array a rule writes its answer to, with every index checked."""

    __slots__ = ("_array",)

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array

    def _checked(self, index: int) -> int:
        if not 0 <= index < len(self._array):
            raise IndexError(f"place {index} of the answer is not in 0..{len(self._array) - 1}: does the game declare enough?")
        return index

    def __getitem__(self, index: int) -> Any:
        return self._array[self._checked(index)].item()

    def __setitem__(self, index: int, value: Any) -> None:
        if self._array.dtype.kind == "i" and isinstance(value, float):
            raise TypeError(f"a whole number is wanted, not {value!r}")
        self._array[self._checked(index)] = value


def interpreted(rule: Callable[..., Any], layout: np.dtype[Any], answers: bool) -> Callable[..., Any]:
    """Wrap a rule so that it takes raw memory and arrays, as its machine-code twin does.

    `answers` says whether the rule returns a number; a rule that returns one where none is wanted, or none where one
    is, would not compile, so it is refused here too.
    """

    def run(memory: Memory, *arguments: Any) -> Any:
        result = rule(RecordView(layout, memory), *(Out(a) if isinstance(a, np.ndarray) else a for a in arguments))
        if answers != (result is not None):
            wanted = "a whole number" if answers else "nothing"
            raise TypeError(f"the rule '{rule.__name__}' must return {wanted}, not {result!r}")
        if not answers:
            return None
        if isinstance(result, float):
            raise TypeError(f"the rule '{rule.__name__}' must return a whole number, not {result!r}")
        return int(result)

    return run
