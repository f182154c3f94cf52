"""Files that travel with jobs: a network, a policy, the source of a user's game."""

import contextlib
import hashlib
from functools import cached_property
from pathlib import Path

from forethought.errors import ForethoughtError
from forethought.files import write_atomically

KEPT_FILES = 256  # that arrived here; those used longest ago are deleted


class CarriedFile:
    """A file that is sent by its content.

    Where a job is sent to another process, the file is written to a directory there, named by a digest of the content:
    no path of one machine means anything on another. The content is read once, so jobs that share this are sent the
    same, whatever happens to the file later.
    """

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        """Carry a file; the content is read when it is first needed, if it is not given."""
        self._path = path
        if content is not None:
            self.content = content

    @cached_property
    def content(self) -> bytes:
        try:
            return self._path.read_bytes()
        except OSError as error:
            raise ForethoughtError(f"{self._path} cannot be read: {error.strerror}.") from error

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def path(self) -> Path:
        """Where the file is on this machine."""
        return self._path

    def __reduce__(self) -> "tuple[type[ArrivedFile], tuple[str, bytes]]":
        return ArrivedFile, (self._path.name, self.content)


class ArrivedFile(CarriedFile):
    """A file that was sent here."""

    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(Path(name), content)

    @property
    def path(self) -> Path:
        kept = arrivals() / self.digest / self._path.name
        _keep(kept, self.content)
        return kept


def arrivals() -> Path:
    """Return the directory of files that were sent to this machine."""
    from forethought.compiler.storage import cache_root  # noqa: PLC0415 (imports Numba)

    return cache_root() / "arrived"


def _keep(path: Path, content: bytes) -> None:
    """Write a file where its content says, unless it is there, and delete the oldest files."""
    if path.is_file() and path.stat().st_size == len(content):
        path.touch()
        return
    write_atomically(path, content)
    for old in sorted(arrivals().glob("*/*"), key=_last_use)[:-KEPT_FILES]:
        with contextlib.suppress(OSError):  # another process was quicker, or needs the directory
            old.unlink()
            old.parent.rmdir()


def _last_use(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
