"""Kernels that call kernels: what is linked in behaves as if called, compiled just now or loaded from the disk."""

import os
import subprocess
import sys
from pathlib import Path

import forethought

PACKAGE = Path(forethought.__file__).parent
PROGRAM = """
import sys
import numpy as np
from forethought.compiler import compilations, inlined_kernel, kernel

@kernel
def half_of(x):
    print("half of", x)
    if x > 6:
        raise ValueError("too large")
    return x / 2.0

@inlined_kernel
def fill(numbers, first):
    for i in range(first, len(numbers)):
        numbers[i] = half_of(i)

@kernel
def fill_all(numbers):
    first = 0  # a loop would let Numba compile `fill` for 0 and for any number
    while first < len(numbers):
        fill(numbers, first)
        first += 4

numbers = np.zeros(4)
fill_all(numbers)
print(numbers.tolist(), half_of(6))
try:
    fill_all(np.zeros(8))
except ValueError as error:
    print(error)
print(sorted(name.split(".")[-1] for name in compilations()))
"""
EXPECTED = [f"half of {i}" for i in range(4)] + ["half of 6", "[0.0, 0.5, 1.0, 1.5] 3.0"]
EXPECTED += [f"half of {i}" for i in range(8)] + ["too large"]


def run(cache: Path) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "FORETHOUGHT_CACHE": str(cache)}
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()


def test_what_is_linked_in_prints_and_raises_and_is_compiled_once_for_a_type(tmp_path: Path) -> None:
    # `half_of` twice: Python calls it too, which takes another wrapper.
    assert run(tmp_path) == [*EXPECTED, "['fill', 'fill_all', 'half_of', 'half_of']"]
    assert run(tmp_path) == [*EXPECTED, "[]"]
