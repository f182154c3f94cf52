"""Kernels: the hot loops of the package, compiled once for all games."""

from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np
from numba import config
from numba.core.registry import CPUDispatcher
from numba.core.types import unliteral

from forethought.compiler.announce import announcer
from forethought.compiler.caches import KernelCache, LinkedCache
from forethought.compiler.failures import take_failure
from forethought.compiler.linking import LinkingCompiler
from forethought.compiler.rules import explained, game_among

# Without Numba's runtime a kernel cannot allocate, which none should, and counts no references, which made handing
# tuples of arrays from kernel to kernel cost three times as much as the work (measured on `solve/unroll.py`).
KERNEL_OPTIONS = {"nogil": True, "error_model": "numpy", "nopython": True, "no_cfunc_wrapper": True, "_nrt": False}

Function = TypeVar("Function", bound=Callable[..., Any])


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A kernel as Python calls it. Other kernels call `inner`, which is compiled apart and linked into theirs."""

    def __init__(self, py_func: Callable[..., Any], locals: Any = None, targetoptions: Any = None) -> None:
        super().__init__(py_func, locals, targetoptions)
        self._cache = KernelCache(self)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel. A rule that fails ends it: what the kernel was writing is then of no use."""
        try:
            return super().__call__(*arguments)
        except Exception as error:
            failure, game = take_failure(), game_among(arguments)
            if failure is None or game is None:
                raise
            raise explained(game, failure) from error

    @cached_property
    def inner(self) -> CPUDispatcher:
        """The kernel as other kernels call it."""
        options = {**self.targetoptions, "no_cpython_wrapper": True}
        inner = CPUDispatcher(self.py_func, targetoptions=options, pipeline_class=LinkingCompiler)
        inner._cache = LinkedCache(inner)
        return inner

    def compile(self, signature: Any) -> Any:
        with announcer.waiting():
            return super().compile(signature)

    def get_call_template(self, arguments: Any, keywords: Any) -> Any:
        """Say how a kernel that is being compiled calls this one.

        Numba knows the numbers among the arguments, such as what a loop counts from, and would compile for each.
        """
        return self.inner.get_call_template(tuple(map(unliteral, arguments)), keywords)

    def get_overload(self, signature: Any) -> Any:
        return self.inner.get_overload(signature)


def kernel(function: Function) -> Function:
    """Compile a function to machine code when first called: without the GIL, kept on disk, once for all games.

    With NUMBA_DISABLE_JIT=1 it stays Python, for breakpoints; unsigned numbers then wrap silently, as in machine code.
    """
    return _compiled(function, inline=False)


def inlined_kernel(function: Function) -> Function:
    """Compile a function as `kernel` does, and copy it into every kernel that calls it.

    For steps of a hot loop that take tuples of many arrays: handing these over costs more than the step itself.
    """
    return _compiled(function, inline=True)


def _compiled(function: Function, inline: bool) -> Function:
    if not config.DISABLE_JIT:
        return Kernel(function, targetoptions={**KERNEL_OPTIONS, "forceinline": inline})

    @wraps(function)
    def interpreted_kernel(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return interpreted_kernel  # type: ignore[return-value]
