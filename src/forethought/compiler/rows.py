"""Copying in kernels, which have no memory to do it at once."""

from typing import Any

from forethought.compiler import inlined_kernel


@inlined_kernel
def copy_row(source: Any, target: Any) -> None:
    """Copy an array to another of its length."""
    for i in range(len(source)):
        target[i] = source[i]
