"""Solved policies that were saved beside the runs (`forethought solve leduc --save runs/leduc.policy`)."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.players.tabular import PolicySettings
from forethought.runs import policies_saved
from forethought.solve.policies import FORMAT
from forethought.tensors import read_tensors

MOST_BYTES = 256 << 20  # of a file that is looked into
MOST_FILES = 64


def policies_of(game: Game) -> list[tuple[str, PolicySettings]]:
    """Return the saved policies of a game, by name; what is damaged or of another game is passed over."""
    found = []
    for file in policies_saved()[:MOST_FILES]:
        about = _about(file)
        if (about.get("game"), about.get("facts")) == (game.name, game.facts):
            found.append((file.name, PolicySettings(file=file.name)))
    return found


def _about(file: Path) -> dict[str, Any]:
    try:
        status = file.stat()
    except OSError:  # it was deleted meanwhile
        return {}
    return _read_about(file, status.st_mtime_ns, status.st_size) if status.st_size <= MOST_BYTES else {}


@lru_cache(maxsize=MOST_FILES)
def _read_about(file: Path, _changed: int, _size: int) -> dict[str, Any]:
    """Read what a file says of itself, once for each state of the file."""
    try:
        return read_tensors(file, FORMAT).about
    except ForethoughtError:
        return {}
