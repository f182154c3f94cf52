"""The files of a run that learning goes on from: checkpoints and games, arrays with a few words about them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from forethought.arrays import Array
from forethought.tensors import Format, read_tensors, tensors_to_bytes

ARRAYS = Format("forethought arrays 1", "file of a run", "`forethought train GAME` makes a new run")


def arrays_to_bytes(arrays: Mapping[str, Array], about: Mapping[str, Any]) -> bytes:
    """Return the content of a file."""
    return tensors_to_bytes(ARRAYS, arrays, about)


def read_arrays(path: Path) -> tuple[dict[str, Array], dict[str, Any]]:
    """Return the arrays of a file and what is said about them; a damaged file is refused."""
    file = read_tensors(path, ARRAYS)
    return file.arrays, file.about
