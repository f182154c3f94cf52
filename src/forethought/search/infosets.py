"""Information sets by number: a hash of the facts of the player to move, and an index from hashes to rows.

The index is open addressing on 64-bit keys. Two different lists of facts get the same key with a probability of about
rows^2 / 2^65: one in 10^7 for a million information sets. Tests compare keys with the lists themselves.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Int64s
from forethought.compiler import inlined_kernel, kernel

NO_ROW = -1


class Index(NamedTuple):
    """Keys and their rows; a key of 0 marks a free place. At most three quarters of the places are used.

    A key and its row are adjacent in memory, so that a lookup in a large index misses the cache once. "Row" may be the
    number of a row, or the offset at which it begins.
    """

    slots: npt.NDArray[np.uint64]  # [capacity, 2] key and row; the capacity is a power of two
    used: npt.NDArray[np.int64]  # [1] number of rows


KEY, ROW = 0, 1


def make_index(rows: int) -> Index:
    """Return an empty index with room for `rows` rows."""
    capacity = 1 << max(4, int(4 * rows / 3).bit_length())
    return Index(np.zeros((capacity, 2), np.uint64), np.zeros(1, np.int64))


def grown(index: Index) -> Index:
    """Return an index with the same rows and twice the room."""
    larger = Index(np.zeros((2 * len(index.slots), 2), np.uint64), np.zeros(1, np.int64))
    copy_index(index, larger)
    return larger


@inlined_kernel
def room(index: Index) -> int:
    """Return the number of rows that an index has room for."""
    return len(index.slots) // 4 * 3


@inlined_kernel
def key_of(facts: Int64s, count: int) -> Any:
    """Hash a list of facts to a key that is never 0."""
    key = np.uint64(0x9E3779B97F4A7C15)
    for i in range(count):
        key = (key ^ np.uint64(facts[i] + 1)) * np.uint64(0xBF58476D1CE4E5B9)
    key ^= key >> np.uint64(31)
    key *= np.uint64(0x94D049BB133111EB)
    key ^= key >> np.uint64(29)
    return key if key != np.uint64(0) else np.uint64(1)


@inlined_kernel
def find_row(index: Index, key: Any) -> int:
    """Return the row of a key, or NO_ROW."""
    mask = np.uint64(len(index.slots) - 1)
    place = key & mask
    while index.slots[place, KEY] != np.uint64(0):
        if index.slots[place, KEY] == key:
            return np.int64(index.slots[place, ROW])  # type: ignore[return-value]
        place = (place + np.uint64(1)) & mask
    return NO_ROW


@kernel
def add_row(index: Index, key: Any) -> int:
    """Give a new key the next row, and return it; the caller guarantees capacity."""
    row = index.used[0]
    add_key(index, key, row)
    return row  # type: ignore[no-any-return]


@inlined_kernel
def add_key(index: Index, key: Any, row: Any) -> None:
    """Add a key with its row; the caller guarantees capacity."""
    index.used[0] += 1
    place_key(index, key, row)


@inlined_kernel
def place_key(index: Index, key: Any, row: Any) -> None:
    mask = np.uint64(len(index.slots) - 1)
    place = key & mask
    while index.slots[place, KEY] != np.uint64(0):
        place = (place + np.uint64(1)) & mask
    index.slots[place, KEY] = key
    index.slots[place, ROW] = row


@kernel
def copy_index(old: Index, new: Index) -> None:
    for place in range(len(old.slots)):
        if old.slots[place, KEY] != np.uint64(0):
            place_key(new, old.slots[place, KEY], old.slots[place, ROW])
    new.used[0] = old.used[0]


@kernel
def index_facts(facts: Int64s, offsets: Int64s, index: Index) -> None:
    """Add one row for each list of facts; list r goes from offset r to offset r + 1."""
    for row in range(len(offsets) - 1):
        add_row(index, key_of(facts[offsets[row] :], offsets[row + 1] - offsets[row]))
