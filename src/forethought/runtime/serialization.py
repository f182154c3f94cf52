"""Tasks, jobs and results as bytes, for executors whose workers are other processes.

Large arrays and contents of files stand apart from the bytes of a job, so that an executor can send once what many
jobs share. These are pickles: they are exchanged between processes of one user that run the same sources, and are
never read from a file.
"""

import io
import pickle
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

LARGE_BYTES = 65_536

LargePart = bytes | np.ndarray[Any, Any]


class Serialized(NamedTuple):
    """A value as bytes, and its large parts in the order in which the bytes name them."""

    content: bytes
    parts: list[LargePart]


def serialize(value: Any) -> Serialized:
    """Return a value as bytes with its large parts apart."""
    buffer = io.BytesIO()
    pickler = _Pickler(buffer)
    pickler.dump(value)
    return Serialized(buffer.getvalue(), pickler.parts)


def deserialize(content: bytes, parts: Sequence[LargePart]) -> Any:
    """Undo `serialize`. Arrays that are read-only, as in shared memory, are copied: kernels are compiled for others."""
    unpickler = _Unpickler(io.BytesIO(content))
    unpickler.parts = parts
    return unpickler.load()


class _Pickler(pickle.Pickler):
    def __init__(self, buffer: io.BytesIO) -> None:
        super().__init__(buffer, protocol=pickle.HIGHEST_PROTOCOL)
        self.parts: list[LargePart] = []
        self._places: dict[int, int] = {}

    def persistent_id(self, obj: Any) -> int | None:
        if not _is_large(obj):
            return None
        if id(obj) not in self._places:
            self._places[id(obj)] = len(self.parts)
            self.parts.append(obj)
        return self._places[id(obj)]


class _Unpickler(pickle.Unpickler):
    parts: Sequence[LargePart]

    def persistent_load(self, pid: int) -> LargePart:
        part = self.parts[pid]
        return part if isinstance(part, bytes) or part.flags.writeable else part.copy(order="K")


def _is_large(value: Any) -> bool:
    if type(value) is bytes:
        return len(value) >= LARGE_BYTES
    return type(value) is np.ndarray and value.nbytes >= LARGE_BYTES and not value.dtype.hasobject
