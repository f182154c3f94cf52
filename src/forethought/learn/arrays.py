"""Arrays on the disk with a few words about them, as a safetensors file that knows when it is damaged."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as of_bytes
from safetensors.numpy import save as to_bytes

from forethought.arrays import Array
from forethought.errors import ForethoughtError

FORMAT = "forethought arrays 1"


class Kept(NamedTuple):
    """Arrays by name, and plain JSON about them."""

    arrays: dict[str, Array]
    about: dict[str, Any]


def arrays_to_bytes(arrays: Mapping[str, Array], about: Mapping[str, Any]) -> bytes:
    """Return a safetensors file; its header holds the words and a digest of everything."""
    packed = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    words = json.dumps(about)
    return to_bytes(packed, {"format": FORMAT, "about": words, "sha256": _digest(packed, words)})


def read_arrays(path: Path) -> Kept:
    """Read a file; a damaged one is refused, whichever byte it is."""
    try:
        content = path.read_bytes()
        header = _metadata(content)
        arrays, words = of_bytes(content), str(header.get("about"))
        if header.get("format") != FORMAT or header.get("sha256") != _digest(arrays, words):
            raise ForethoughtError(f"{path} is damaged: its content is not what its digest tells of.")
        return Kept(arrays, json.loads(words))
    except OSError as error:
        raise ForethoughtError(f"{path} cannot be read: {error.strerror}.") from error
    except (SafetensorError, ValueError, TypeError, KeyError) as error:
        raise ForethoughtError(f"{path} is damaged: {error}.") from error


def _metadata(content: bytes) -> dict[str, Any]:
    """Return the words of the header: safetensors begins with its header's length, then JSON."""
    length = int.from_bytes(content[:8], "little")
    return dict(json.loads(content[8 : 8 + length])["__metadata__"])


def _digest(arrays: Mapping[str, Array], words: str) -> str:
    state = hashlib.sha256(words.encode())
    for name in sorted(arrays):
        array = arrays[name]
        state.update(f"\0{name}\0{array.dtype.str}\0{array.shape}\0".encode())
        state.update(array.tobytes())
    return state.hexdigest()
