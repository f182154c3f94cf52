"""Jobs as bytes: the same value again, its large parts apart and once."""

import numpy as np

from forethought.runtime.serialization import LARGE_BYTES, deserialize, serialize


def test_large_parts_stand_apart_and_once() -> None:
    weights, source, small = np.arange(LARGE_BYTES // 8, dtype=np.float64), b"x" * LARGE_BYTES, np.arange(3)
    content, parts = serialize({"weights": weights, "again": [weights, small], "source": source})
    assert [part is kept for part, kept in zip(parts, (weights, source), strict=True)] == [True, True]
    assert len(content) < 1_000
    back = deserialize(content, parts)
    assert back["weights"] is back["again"][0] is weights
    assert back["source"] is source
    assert np.array_equal(back["again"][1], small)


def test_what_is_read_only_in_shared_memory_can_be_written_again() -> None:
    """Numba compiles a kernel anew for arrays that are read-only."""
    weights = np.asfortranarray(np.random.default_rng(1).random((200, 100)))
    content, parts = serialize(weights)
    parts[0].flags.writeable = False
    back = deserialize(content, parts)
    assert np.array_equal(back, weights)
    assert back.flags.writeable
    assert back.flags.f_contiguous


def test_arrays_of_objects_and_small_ones_stay_inside() -> None:
    value = [np.array([None] * LARGE_BYTES, object), b"x" * (LARGE_BYTES - 1)]
    content, parts = serialize(value)
    assert parts == []
    assert deserialize(content, [])[1] == value[1]
