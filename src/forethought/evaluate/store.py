"""Where rounds are kept as they are played: a file of JSON lines that only ever grows.

A line names everything that decided its round, so a match finds its own again, whatever else was kept since: the code
(a digest of forethought's sources), the game and the players (files they name, by digest), the seed and the number.
Each line is one write to a file opened for appending: processes that write at once do not mix their lines. A line that
a crash cut short is ended by the next opening, read as nothing, and its round played again. A file that does not begin
with such a line is refused: it is something else, which must not be written to.
"""

import errno
import hashlib
import json
import os
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from forethought.errors import ForethoughtError
from forethought.evaluate.rounds import Contest, Round
from forethought.games import files_of
from forethought.sources import package_digest

SYNC_SECONDS = 1.0  # a power cut loses no more than this; a crash of the process loses nothing that was finished

OPENING = b'{"code": "'  # of every line


class Store:
    """An open store. Rounds may be appended from several threads and processes."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            size = os.fstat(self._file).st_size
            self._refuse_other_files(size)
            self._end_torn_line(size)
        except OSError as error:
            raise self._mistake(error) from error
        self._synced, self._lock = time.monotonic(), threading.Lock()

    def rounds_of(self, contest: Contest) -> dict[int, Round]:
        """Return the rounds of this contest that were played before, by number."""
        start, found = line_start(contest).encode(), {}
        with self.path.open("rb") as lines:
            for line in lines:
                played = read_round(line, contest.game.players) if line.startswith(start) else None
                if played is not None:
                    found[played.number] = played
        return found

    def append(self, start: str, played: Round) -> None:
        """Keep a round of the contest whose lines start so; it survives the process from here on."""
        line = f'{start}"round": {played.number}, "returns": {json.dumps(played.returns)}}}\n'.encode()
        try:
            if os.write(self._file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            with self._lock:
                if time.monotonic() - self._synced > SYNC_SECONDS:
                    self._sync()
        except OSError as error:
            raise self._mistake(error) from error

    def _sync(self) -> None:
        try:
            os.fsync(self._file)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # no disk behind it: /dev/null, a pipe
                raise
        self._synced = time.monotonic()

    def _refuse_other_files(self, size: int) -> None:
        """Refuse a file that does not begin as a store does, before anything is written to it."""
        if not OPENING.startswith(os.pread(self._file, min(size, len(OPENING)), 0)):
            os.close(self._file)
            raise ForethoughtError(f"{self.path} is damaged, or no store of matches; name another with --store.")

    def _end_torn_line(self, size: int) -> None:
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            os.write(self._file, b"\n")

    def _mistake(self, error: OSError) -> ForethoughtError:
        return ForethoughtError(
            f"The store {self.path} cannot be written: {error.strerror}; name another with --store."
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            self._sync()
        finally:
            os.close(self._file)


def line_start(contest: Contest) -> str:
    """Return what every line of a contest begins with: all that decides its rounds."""
    game = contest.game.spec or contest.game.name
    named = {
        "game": (game, files_of(game)),
        "a": (contest.a.name, contest.a.settings.files()),
        "b": (contest.b.name, contest.b.settings.files()),
    }
    identity = {role: identity_of(spec, files) for role, (spec, files) in named.items()}
    return json.dumps({"code": package_digest(), **identity, "seed": contest.seed})[:-1] + ", "


def read_round(line: bytes, players: int) -> Round | None:
    """Return the round a line tells; None if the line is damaged."""
    try:
        record = json.loads(line)
        number, games = int(record["round"]), record["returns"]
        returns = tuple(tuple(float(value) for value in game) for game in games)
    except (ValueError, KeyError, TypeError):
        return None
    whole = len(returns) == players and all(len(game) == players for game in returns)
    return Round(number, returns) if whole else None


def identity_of(spec: str, files: Iterable[Path]) -> str:
    """Return what a game or player is: its string, and the files that decide what it means, by digest."""
    return spec + "".join(f"#{_file_digest(file)}" for file in files)


def _file_digest(path: Path) -> str:
    """Digest a file: after an edit or more training, it is another game or player."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise ForethoughtError(f"{path} cannot be read: {error.strerror}.") from error
