"""Tables on the disk: one small file each, written whole after every move, so that a restart loses nothing."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from forethought.errors import ForethoughtError
from forethought.files import write_atomically
from forethought.serve.live_game import FORMAT, Table

DIRECTORY = ".tables"  # below the directory of runs
_FILE = re.compile(r"([A-Za-z0-9_-]{16,64})\.json")


class Kept(NamedTuple):
    """A table as it is on the disk."""

    id: str
    owner: str
    game: str
    seats: tuple[str, ...]
    seed: int
    actions: tuple[int, ...]
    resigned: int | None
    over: bool
    changed: float  # when it was written


class Store:
    """The directory of tables. Names of files come from here, never from a client."""

    def __init__(self, runs: Path) -> None:
        self.directory = runs / DIRECTORY

    def save(self, id: str, content: bytes) -> None:
        with suppress(OSError):  # writing will say what is wrong
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)  # seeds and hands are nobody else's business
        write_atomically(self.directory / f"{id}.json", content)

    def remove(self, id: str) -> None:
        (self.directory / f"{id}.json").unlink(missing_ok=True)

    def all(self) -> Iterator[Kept]:
        """Yield every table that can be read; a damaged file is passed over."""
        if self.directory.is_dir():
            for path in sorted(self.directory.iterdir()):
                named = _FILE.fullmatch(path.name)
                kept = _read(path, named[1]) if named else None
                if kept is not None:
                    yield kept


def content_of(table: Table) -> bytes:
    """Write down a table with all that is secret in it: for the disk only."""
    return json.dumps(
        {
            "forethought": FORMAT,
            "owner": table.owner,
            "game": table.spec,
            "seats": table.seats,
            "seed": table.seed,
            "actions": [entry.action for entry in table.entries],
            "resigned": table.resigned,
            "over": table.over,
        }
    ).encode()


def _read(path: Path, id: str) -> Kept | None:
    try:
        about: dict[str, Any] = json.loads(path.read_bytes())
        if about["forethought"] != FORMAT:
            return None
        return Kept(
            id,
            str(about["owner"]),
            str(about["game"]),
            tuple(map(str, about["seats"])),
            int(about["seed"]),
            tuple(map(int, about["actions"])),
            None if about["resigned"] is None else int(about["resigned"]),
            bool(about["over"]),
            path.stat().st_mtime,
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError, ForethoughtError):
        return None
