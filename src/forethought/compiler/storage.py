"""Where machine code is kept on disk.

Each piece is a file of its own, named by a digest of all that it is made of (`content.py`), in a directory named by
what made it. So pieces are never stale and never in each other's way: versions of the sources, processes and worktrees
share them. A damaged or unwritable cache costs time, never correctness.

These are Numba's own pickles of object code. They are code, not data: the directory belongs to the user and nothing in
it ever comes from elsewhere.
"""

import contextlib
import hashlib
import io
import os
import pickle
import platform
import secrets
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy
import platformdirs
from numba.core.serialize import NumbaPickler

from forethought.compiler.content import digest_of

MOST_BYTES = 2**30
SUFFIX = ".code"

_CHECKSUM_BYTES = hashlib.sha256().digest_size
# Numba's settings of the environment that change the machine code of the same function.
_SETTINGS = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "DISABLE_INTEL_SVML", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE")


def cache_root() -> Path:
    """Return the directory all machine code is under: $FORETHOUGHT_CACHE, or the user's cache directory."""
    return Path(os.environ.get("FORETHOUGHT_CACHE") or platformdirs.user_cache_dir("forethought"))


def cache_directory() -> Path:
    """Return the directory of the machine code that this Python, NumPy, Numba and LLVM make."""
    return cache_root() / _toolchain()


@cache
def _toolchain() -> str:
    versions = f"python{platform.python_version()}-numba{numba.__version__}"
    settings = [getattr(numba.config, name) for name in _SETTINGS]
    return f"{versions}-{digest_of(f'{numpy.__version__} {llvmlite.__version__} {settings}')[:8]}"


@dataclass(frozen=True)
class Entry:
    """One piece of machine code on disk.

    Classes that its types name are kept as their places in `classes`: a class of a script, say, has no other name that
    the next process would know.
    """

    name: str
    digest: str
    classes: tuple[type, ...] = ()

    @property
    def path(self) -> Path:
        return cache_directory() / f"{self.name}-{self.digest}{SUFFIX}"

    def read(self) -> Any:
        """Return what was written here; None if nothing was or it is damaged."""
        try:
            stored = self.path.read_bytes()
        except OSError:
            return None
        checksum, content = stored[:_CHECKSUM_BYTES], stored[_CHECKSUM_BYTES:]
        if hashlib.sha256(content).digest() != checksum:
            return None
        with contextlib.suppress(OSError):  # a cache that may only be read serves as well
            os.utime(self.path)  # what is used is kept
        return _Reader(io.BytesIO(content), self.classes).load()

    def write(self, payload: Any) -> None:
        """Keep a payload, if the disk allows it.

        Other processes see all of the file or none. After a power cut it may be damaged, which is noticed: waiting for
        the disk would take a tenth of the time of compiling.
        """
        content = io.BytesIO()
        _Writer(content, self.classes).dump(payload)
        _prune_once()
        unfinished = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}")
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(hashlib.sha256(content.getvalue()).digest() + content.getvalue())
            unfinished.replace(self.path)

    def forget(self) -> None:
        """Delete what cannot be used."""
        with contextlib.suppress(OSError):
            self.path.unlink()


class _Writer(NumbaPickler):  # type: ignore[misc]
    def __init__(self, file: io.BytesIO, classes: tuple[type, ...]) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._places = {kept: place for place, kept in enumerate(classes)}

    def persistent_id(self, value: Any) -> int | None:
        return self._places.get(value) if isinstance(value, type) else None


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, classes: tuple[type, ...]) -> None:
        super().__init__(file)
        self._classes = classes

    def persistent_load(self, place: int) -> type:
        return self._classes[place]


@cache
def _prune_once() -> None:
    """Make room, once per process, before it adds something."""
    prune(MOST_BYTES)


def prune(most_bytes: int) -> None:
    """Delete the files used longest ago, of all versions, until the others have at most this size."""
    used = []
    for path in cache_root().rglob("*"):
        with contextlib.suppress(OSError):  # another process may be pruning
            if path.is_file():
                used.append((path.stat().st_mtime, path.stat().st_size, path))
    for _, size, path in sorted(used, reverse=True):
        most_bytes -= size
        if most_bytes < 0:
            with contextlib.suppress(OSError):
                path.unlink()
