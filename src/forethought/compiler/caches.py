"""Numba's way to the machine code on disk: a cache for each kernel and for each rule."""

import itertools
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar

from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher

from forethought.compiler.announce import announcer
from forethought.compiler.content import Description, digest_of, full_name
from forethought.compiler.dispatched import implementations
from forethought.compiler.linking import restored_result
from forethought.compiler.storage import Entry, cache_directory
from forethought.errors import ForethoughtError

_compilations: list[str] = []
_may_compile = ContextVar("may compile", default=True)


class NotCompiledError(ForethoughtError):
    """Something is not on the disk, where only what is compiled already was wanted."""


@contextmanager
def only_compiled() -> Iterator[None]:
    """Compile nothing in this thread for a while: what is not on the disk raises NotCompiledError."""
    before = _may_compile.set(False)
    try:
        yield
    finally:
        _may_compile.reset(before)


def _number_functions_apart() -> None:
    """Let no two processes give their functions the same numbers.

    Code loaded from the disk is found by the names of its symbols, which consist of a function's name, its types and a
    number that Numba counts from 1 in each process. Where code of several processes meets, a kernel would call another
    function of the same name and number: a different closure, say, or an older version.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


_number_functions_apart()
if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=_number_functions_apart)


def compilations() -> tuple[str, ...]:
    """Return the full names of the kernels and rules that this process compiled, having found none on disk."""
    return tuple(_compilations)


class _MachineCodeCache(_Cache):  # type: ignore[misc]
    """What Numba asks of a cache, for one function of Python."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._missed: dict[Any, Entry] = {}

    def describe(self, description: Description) -> str:
        """Describe what the machine code is made of besides its types."""
        raise NotImplementedError

    def miss(self, description: Description) -> None:
        """Do what must be done before the function is compiled."""
        raise NotImplementedError

    def fetch(self, entry: Entry, target_context: Any) -> CompileResult | None:
        """Return what was kept, usable in this process; None if nothing was."""
        payload = entry.read()
        return None if payload is None else self.restore(target_context, *payload)

    def restore(self, target_context: Any, *payload: Any) -> CompileResult:
        """Make what was kept usable in this process."""
        return CompileResult._rebuild(target_context, *payload)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return what is on the disk. Numba's own cache imports all its implementations first; only compiling does."""
        description = Description()
        entry = self._entry(signature, target_context.codegen().magic_tuple(), description)
        try:
            result = self.fetch(entry, target_context)
            if result is not None:
                announcer.finish([self._function, *description.functions])
                return result
        except Exception:  # another program may have written there, so anything may fail; compile again
            entry.forget()
        if not _may_compile.get():
            raise NotCompiledError(f"{full_name(self._function)} is not compiled.")
        self._missed[signature] = entry
        self.miss(description)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        entry = self._missed.pop(signature)
        _compilations.append(full_name(self._function))
        announcer.finish([self._function])
        if not result.library.has_dynamic_globals:  # addresses, which mean nothing to another process
            entry.write(result._replace(type_annotation="")._reduce())
        for environment in result._find_referenced_environments():  # of this function and those linked into it
            result.library.codegen.set_env(environment.env_name, environment)

    def _entry(self, signature: Any, machine: Any, description: Description) -> Entry:
        text = f"{self.describe(description)} {description.of(signature)}"
        text += f" {implementations(description)} {machine}"
        return Entry(self._function.__name__, digest_of(text), tuple(description.named_tuples))

    @property
    def cache_path(self) -> str:
        return str(cache_directory())

    def enable(self) -> None:
        """Do nothing: it is always enabled."""

    def disable(self) -> None:
        """Do nothing: it is always enabled."""

    def flush(self) -> None:
        """Do nothing: no entry is ever stale."""


class KernelCache(_MachineCodeCache):
    """Keeps a kernel under what it and all it calls are made of."""

    def __init__(self, kernel: Dispatcher) -> None:
        super().__init__(kernel.py_func)
        self._kernel = kernel

    def describe(self, description: Description) -> str:
        return description.of(self._kernel)

    def miss(self, description: Description) -> None:
        announcer.expect(description.functions)


class LinkedCache(KernelCache):
    """Keeps a kernel as it is called by others."""

    def restore(self, target_context: Any, *payload: Any) -> CompileResult:
        return restored_result(target_context, *payload)


class RuleCache(_MachineCodeCache):
    """Keeps a rule under what it was written as, and what makes its machine code of that.

    A game is made many times in a process, and Numba never unloads machine code: equal rules share what was loaded.
    """

    _loaded: ClassVar[dict[Path, CompileResult]] = {}

    def __init__(self, rule: Callable[..., Any], made_of: Any, on_miss: Callable[[], None]) -> None:
        super().__init__(rule)
        self._made_of, self._on_miss = made_of, on_miss

    def describe(self, description: Description) -> str:
        return description.of(self._made_of)

    def fetch(self, entry: Entry, target_context: Any) -> CompileResult | None:
        if entry.path not in self._loaded:
            result = super().fetch(entry, target_context)
            if result is None:
                return None
            self._loaded[entry.path] = result
        return self._loaded[entry.path]

    def miss(self, _description: Description) -> None:
        self._on_miss()
