"""Writing a file so that a crash leaves either the old one or the new one, never half of either."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from forethought.errors import ForethoughtError


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all."""
    write_parts_atomically(path, (content,))


def write_parts_atomically(path: Path, parts: Iterable[bytes]) -> None:
    """Write to a temporary file beside the target, sync it to the disk, then rename it into place."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            os.fchmod(descriptor, 0o644)  # temporary files are for their owner only
            with os.fdopen(descriptor, "wb") as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)  # Ctrl-C may come just after it was renamed
            raise
        _sync_directory(path.parent)
    except OSError as error:
        raise ForethoughtError(f"{path} cannot be written: {error.strerror}.") from error


def check_can_write(path: Path, what: str) -> None:
    """Complain before the work for a file is done if it cannot be written; directories that are missing can be made."""
    there = next(directory for directory in path.absolute().parents if directory.exists())
    if path.is_dir() or not there.is_dir() or not os.access(there, os.W_OK):
        raise ForethoughtError(f"The {what} {path} cannot be written; name a file in a directory that is yours.")


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
