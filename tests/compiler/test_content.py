"""Descriptions: equal for what compiles to the same machine code, in every process; different for anything else."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import forethought
from forethought.compiler import inlined_kernel, kernel
from forethought.compiler.content import Description
from forethought.errors import ForethoughtError
from tests.compiler import numbers

PACKAGE = Path(forethought.__file__).parent
# Describes all kernels of the package but those of folders that need more than NumPy.
ALL_KERNELS = """
import importlib, pkgutil
import forethought
from numba.core.dispatcher import Dispatcher
from forethought.compiler.content import Description
for folder in ("nets", "patterns", "search", "solve"):
    package = importlib.import_module(f"forethought.{folder}")
    for module in pkgutil.walk_packages(package.__path__, f"forethought.{folder}."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Dispatcher):
                print(module.name, name, Description().of(value))
"""
# Functions made by another have the same names. This one is so long that LLVM leaves it a function of its own.
SAME_NAMES = """
import sys
from forethought.compiler import kernel

def adding(number):
    @kernel
    def add(x):
LONG_BODY
        return x + number

    @kernel
    def four_times(x):
        return add(x) + add(2 * x) + add(3 * x) + add(4 * x)

    return four_times

print(*(adding(int(number))(0) for number in sys.argv[1:]))
""".replace("LONG_BODY", "\n".join(f"        if x % {n} == 1: x = x // {n} + {n} * (x - {n})" for n in range(2, 40)))


def text(value: object) -> str:
    return Description().of(value)


def python(program: str, *arguments: str, **settings: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), **settings}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_two_processes_describe_every_kernel_alike() -> None:
    first, second = (python(ALL_KERNELS, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first == second
    assert len(set(first.splitlines())) > 100


@pytest.mark.slow
def test_functions_of_equal_names_are_not_mixed_up_when_they_meet_in_one_process(tmp_path: Path) -> None:
    cache = {"FORETHOUGHT_CACHE": str(tmp_path)}
    assert python(SAME_NAMES, "1", **cache) == "4\n"
    assert python(SAME_NAMES, "2", **cache) == "8\n"
    assert python(SAME_NAMES, "3", "2", "1", **cache) == "12 8 4\n"


def make(body: str, **names: object) -> object:
    """Make a function of these lines, as a file of its own would."""
    exec(compile(f"def function(x):\n{body}", "file.py", "exec"), names)  # noqa: S102
    return names["function"]


def test_what_is_written_about_code_is_left_out() -> None:
    plain = make("    'one'\n    return x + 1")
    assert text(make("    'two'\n\n    # three\n    return x + 1")) == text(plain)
    assert text(make("    'one'\n    return x + 2")) != text(plain)
    assert text(make("    'one'\n    return x - 1")) != text(plain)
    assert text(make("    'one'\n    return 'one'")) != text(make("    'two'\n    return 'two'"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 2),
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        (np.float32(1.0), np.float64(1.0)),
        (np.arange(3), np.arange(3.0)),
        (np.arange(2000), np.arange(2000)[::-1]),
        ((1, 2), [1, 2]),
        ({1: 2}, {2: 1}),
        (np.dtype([("a", "i1"), ("b", "i4")]), np.dtype([("a", "i1"), ("b", "i4")], align=True)),
        (NamedTuple("Pair", [("a", int), ("b", int)]), NamedTuple("Pair", [("b", int), ("a", int)])),
        (make("    return x + 1"), make("    return x + 2")),
        (make("    return f(x)", f=make("    return x + 1")), make("    return f(x)", f=make("    return x + 2"))),
    ],
)
def test_values_that_a_function_uses_are_in_its_description(one: object, other: object) -> None:
    assert text(make("    return value", value=one)) != text(make("    return value", value=other))
    assert text(make("    return x", value=one)) == text(make("    return x", value=other))
    assert text(make("    return x.value", value=one)) == text(make("    return x.value", value=other))


def test_so_is_what_it_takes_from_a_module(monkeypatch) -> None:
    uses, does_not = make("    return numbers.ONE", numbers=numbers), make("    return numbers.TWO", numbers=numbers)
    before = text(uses), text(does_not)
    monkeypatch.setattr(numbers, "ONE", 11)
    assert text(uses) != before[0]
    assert text(does_not) == before[1]


def test_kernels_that_call_themselves_are_refused() -> None:
    with pytest.raises(ForethoughtError, match="'factorial' calls itself"):
        factorial(3)
    with pytest.raises(ForethoughtError, match="'ping' calls itself, by others maybe"):
        ping(3)


@kernel
def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)


@kernel
def ping(n: int) -> int:
    return pong(n)


@inlined_kernel
def pong(n: int) -> int:
    return ping(n)
