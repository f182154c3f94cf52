"""What a rule is made of: its code, the values it closes over, and the functions it calls, however deep.

Numba compiles a function together with those it calls only if they are jitted functions, and never finds such a
closure again in its cache. So `prepared` rebuilds a rule with every helper jitted, named by a digest of the whole.
"""

import hashlib
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from forethought.errors import ForethoughtError

OPTIONS = {"nogil": True, "error_model": "numpy"}
# A helper is only ever called by machine code: it needs no doors for Python and C.
HELPER_OPTIONS = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

Jitted = dict[Any, Any]  # the helpers of a game, by the functions they were made of


def prepared(rule: Callable[..., Any], salt: str, jitted: Jitted) -> tuple[Callable[..., Any], str]:
    """Return the rule with its helpers jitted, under a name no other rule has, and its digest."""
    digest = _short_digest(f"{salt}|{describe(rule)}|{_file_digest(rule)}")
    return _rebuilt(rule, digest, jitted, ()), digest


def describe(value: Any) -> str:
    """Write down a value so that equal descriptions mean equal machine code."""
    if isinstance(value, types.FunctionType):
        code = value.__code__
        used = ", ".join(f"{name}={describe(item)}" for name, item in _dependencies(value) if item is not value)
        return f"function({_describe_code(code)}, {value.__defaults__}, {used})"
    if isinstance(value, np.ndarray):
        return f"array({value.dtype.str}, {value.shape}, {hashlib.sha256(value.tobytes()).hexdigest()})"
    if isinstance(value, set | frozenset):
        return f"set({sorted(map(describe, value))})"
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}({', '.join(map(describe, value))})"
    return f"{type(value).__name__}:{value!r}"


def _describe_code(code: types.CodeType) -> str:
    constants = [_describe_code(c) if isinstance(c, types.CodeType) else describe(c) for c in code.co_consts]
    return f"{code.co_code.hex()} {constants} {code.co_names} {code.co_varnames} {code.co_freevars}"


def _file_digest(function: Callable[..., Any]) -> str:
    """Digest the file a function stands in, if there is one (there is none in a notebook)."""
    try:
        return hashlib.sha256(Path(function.__code__.co_filename).read_bytes()).hexdigest()
    except OSError:
        return ""


def _dependencies(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """List the names a function takes from outside itself, with their values."""
    code = function.__code__
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents
    for name in sorted(_names(code)):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _names(code: types.CodeType) -> set[str]:
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _short_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _rebuilt(function: Any, digest: str, jitted: Jitted, callers: tuple[Any, ...]) -> Any:
    """Return a copy of the function in which each function it uses is jitted, with its digest in its name.

    Symbols of machine code loaded from the disk are found by name: equal names would call another game's function.
    """
    if function in callers:
        raise ForethoughtError(f"'{function.__name__}' calls itself; write a loop instead, rules cannot recurse.")

    def machine(value: Any) -> Any:
        if not isinstance(value, types.FunctionType):
            return value
        if value not in jitted:
            helper = _rebuilt(value, _short_digest(describe(value)), jitted, (*callers, function))
            jitted[value] = njit(**HELPER_OPTIONS)(helper)
        return jitted[value]

    code = function.__code__
    replaced = {name: machine(value) for name, value in _dependencies(function)}
    cells = tuple(types.CellType(replaced[name]) for name in code.co_freevars)
    copy = types.FunctionType(
        code, {**function.__globals__, **replaced}, function.__name__, function.__defaults__, cells
    )
    copy.__module__ = function.__module__
    copy.__qualname__ = f"{function.__name__}_{digest}"
    return copy
