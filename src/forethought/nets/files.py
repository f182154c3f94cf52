"""Networks on the disk: safetensors files whose header tells what kind of network they hold, and of which game."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes

from forethought.errors import ForethoughtError
from forethought.files import write_atomically
from forethought.game import Game

Arrays = dict[str, npt.NDArray[np.float32]]
About = dict[str, Any]


def write_network(path: Path, arrays: Arrays, kind: str, about: Mapping[str, Any]) -> None:
    """Write a network as one file: its arrays, and in the header of what kind it is and what it is about."""
    write_atomically(path, to_bytes(arrays, {"format": kind, "about": json.dumps(about)}))


def format_of(path: Path) -> str | None:
    """Return what kind of network a file says it holds; None if it says nothing, or is none."""
    try:
        with safe_open(path, framework="numpy") as file:
            return (file.metadata() or {}).get("format")
    except (SafetensorError, OSError):
        return None


def read_network(path: Path, kind: str, game: Game, identity: Mapping[str, Any]) -> tuple[About, Arrays]:
    """Return what a network of this kind and game is about, and its arrays as they stand, not yet trusted.

    A missing, damaged or foreign file is refused; `identity` is what the header must say about a network of the game.
    """
    if not path.is_file():
        raise ForethoughtError(f"There is no network '{path}'; `forethought train GAME` makes one.")
    header, about, arrays = _read(path)
    if header.get("format") != kind:
        raise ForethoughtError(
            f"{path} holds '{header.get('format')}', not '{kind}'; net and az play networks, linear and biased play "
            "patterns, and what is of another version must be trained anew."
        )
    if any(about.get(key) != value for key, value in identity.items()):
        raise ForethoughtError(f"{path} is a network of {about.get('spec')}, not of {game.spec or game.name}.")
    return about, arrays


def damaged(path: Path) -> ForethoughtError:
    """Return the complaint about a file whose arrays are not sound."""
    return ForethoughtError(f"{path} is damaged: its weights are not those its header tells of; train it anew.")


def _read(path: Path) -> tuple[dict[str, str], About, Arrays]:
    try:
        with safe_open(path, framework="numpy") as file:
            header = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dictionary)
        about = json.loads(header.get("about", "{}"))
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise ForethoughtError(f"{path} is not a network, or is damaged: {error}.") from error
    return header, about if isinstance(about, dict) else {}, arrays
