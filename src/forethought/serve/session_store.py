"""Sessions on the disk: one small file each, written after every move, so that a restart loses nothing."""

import logging
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from forethought.files import write_atomically
from forethought.serve.live_game import LiveGame
from forethought.serve.schemas.play import SeriesSchema
from forethought.serve.schemas.requests import Number, SavedGameSchema
from forethought.serve.schemas.thought import ThoughtSchema

DIRECTORY = ".sessions"  # below the directory of runs
_FILE = re.compile(r"([A-Za-z0-9_-]{16,64})\.json")


class StoredGameSchema(SavedGameSchema):
    """The file of a session: the saved game and what clients never see."""

    owner: str
    links: dict[str, Number | None]  # seats of guests by their ids; null for spectators
    series: SeriesSchema | None
    next: str | None
    thoughts: list[ThoughtSchema]  # of bots
    seed: Number
    undos: Number
    bots_remember_from: Number
    over: bool


class StoredSession(NamedTuple):
    """A session on the disk."""

    id: str
    changed: float  # when the file was written
    game: StoredGameSchema


class SessionStore:
    """The directory of sessions. File names come from the server, never from a client."""

    def __init__(self, runs: Path) -> None:
        self.directory = runs / DIRECTORY

    def save(self, id: str, content: bytes) -> None:
        with suppress(OSError):  # writing reports what is wrong
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)  # the files hold seeds and hidden hands
        write_atomically(self.directory / f"{id}.json", content)

    def remove(self, id: str) -> None:
        (self.directory / f"{id}.json").unlink(missing_ok=True)

    def all(self) -> Iterator[StoredSession]:
        """Yield every session that can be read; the log names the files that cannot."""
        paths = sorted(self.directory.iterdir()) if self.directory.is_dir() else []
        for path in paths:
            if named := _FILE.fullmatch(path.name):
                try:
                    game, changed = StoredGameSchema.model_validate_json(path.read_bytes()), path.stat().st_mtime
                except (OSError, ValidationError):
                    logging.getLogger(__name__).warning("%s is damaged: that saved game is skipped.", path)
                else:
                    yield StoredSession(named[1], changed, game)


def stored_content(live: LiveGame) -> bytes:
    """Return the file of a session, with all that is hidden: for the disk only."""
    stored = StoredGameSchema(
        forethought=1,
        game=live.spec,
        seats=list(live.seats),
        actions=live.actions,
        resigned=live.resigned,
        start=live.start,
        owner=live.owner,
        links={link: viewpoint.seat for link, viewpoint in live.links.items()},
        series=live.series,
        next=live.next,
        thoughts=list(live.thoughts.values()),
        seed=live.seed,
        undos=live.undos,
        bots_remember_from=live.bots_remember_from,
        over=live.over,
    )
    return stored.model_dump_json().encode()
