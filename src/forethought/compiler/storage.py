"""Where machine code is kept on disk, and what makes it stale.

Numba's own cache looks only at the file of the function itself, so it serves stale code after an edit to a function it
calls in another file. Here everything lives in a directory named after a digest of all the package's sources and the
versions that shaped the code; rules are further keyed by their own content (see `digest.py`). A damaged or unwritable
cache costs time, never correctness.

These are Numba's own pickles of object code. They are code, not data: the directory belongs to the user and nothing in
it ever comes from elsewhere.
"""

import contextlib
import hashlib
import os
import platform
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy
import platformdirs
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from forethought.compiler.announce import compiling

KEPT_VERSIONS = 8


def cache_root() -> Path:
    """Return the directory all versions share: $FORETHOUGHT_CACHE, or the user's cache directory."""
    return Path(os.environ.get("FORETHOUGHT_CACHE") or platformdirs.user_cache_dir("forethought"))


@cache
def package_digest() -> str:
    """Digest the package's sources and whatever else decides what the machine code looks like."""
    package = Path(__file__).parents[1]
    state = hashlib.sha256(f"{numba.__version__} {numpy.__version__} {platform.python_version()}".encode())
    for path in sorted(package.rglob("*.py")):
        state.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return state.hexdigest()[:16]


package_digest()  # now, as the sources are loaded: later they may have been edited


@cache
def cache_directory() -> Path:
    """Return this version's directory; forget the oldest of many versions when a new one begins."""
    directory = cache_root() / package_digest()
    if not directory.exists():
        with contextlib.suppress(OSError):
            directory.mkdir(parents=True)
            versions = [path for path in directory.parent.iterdir() if path.is_dir()]
            for old in sorted(versions, key=lambda path: path.stat().st_mtime)[:-KEPT_VERSIONS]:
                shutil.rmtree(old, ignore_errors=True)
    return directory


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Puts machine code into this version's directory."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(cache_directory())

    def get_source_stamp(self) -> str:
        return package_digest()

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_Locator":
        return cls(function, file)


class _Storage(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class _MachineCodeCache(FunctionCache):  # type: ignore[misc]
    """Numba's function cache in our directory; a file that cannot be read or written is passed over."""

    _impl_class = _Storage

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(signature, target_context)
        except Exception:  # a damaged file may fail in any way; forget it and compile anew
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        with contextlib.suppress(OSError):
            super().save_overload(signature, result)


class RuleCache(_MachineCodeCache):
    """Keyed by the content of the rule, so that no edit anywhere can leave it stale."""

    def __init__(self, function: Callable[..., Any], digest: str, on_miss: Callable[[], None]) -> None:
        super().__init__(function)
        self._digest = digest
        self._on_miss = on_miss

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return signature, codegen.magic_tuple(), self._digest

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        found = super().load_overload(signature, target_context)
        if found is None:
            self._on_miss()
        return found


class KernelCache(_MachineCodeCache):
    """Keyed by place and signature: a kernel is the package's own, whose digest names the directory."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._waiting = contextlib.ExitStack()

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        found = super().load_overload(signature, target_context)
        if found is None:
            self._waiting.enter_context(compiling(f"the kernel '{self._py_func.__name__}'"))
        return found

    def save_overload(self, signature: Any, result: Any) -> None:
        self._waiting.close()
        super().save_overload(signature, result)
