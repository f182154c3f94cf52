"""The functions that a rule calls.

Numba compiles a function together with those it calls only if they are jitted functions, and never finds such a closure
again in its cache. So a rule is rebuilt with every helper jitted.
"""

import types
from typing import Any

from numba import njit

from forethought.compiler.content import outer_values
from forethought.compiler.linking import LinkingCompiler
from forethought.compiler.rewriting import RuleCompiler
from forethought.errors import ForethoughtError

# A division by zero raises, as in Python. No wrappers: only machine code calls rules and helpers.
_OPTIONS = {"nogil": True, "error_model": "python", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
CHECKED = {**_OPTIONS, "boundscheck": True, "pipeline_class": RuleCompiler}
UNCHECKED = {**_OPTIONS, "pipeline_class": LinkingCompiler}

Options = dict[str, Any]
Jitted = dict[Any, Any]  # the helpers of a game, by the functions they were made of


def with_helpers(function: Any, options: Options, jitted: Jitted, callers: tuple[Any, ...] = ()) -> Any:
    """Return a copy of a function in which each function that it uses is jitted.

    The copy says that it stands in this module: that of a user's file has another name after each edit.
    """
    if function in callers:
        raise ForethoughtError(f"'{function.__name__}' calls itself; write a loop instead, rules cannot recurse.")

    def machine(value: Any) -> Any:
        if not isinstance(value, types.FunctionType):
            return value
        if value not in jitted:
            jitted[value] = njit(**options)(with_helpers(value, options, jitted, (*callers, function)))
        return jitted[value]

    code = function.__code__
    replaced = {name: machine(value) for name, value in outer_values(function)}
    cells = tuple(types.CellType(replaced[name]) for name in code.co_freevars)
    outside = {**function.__globals__, **replaced, "__name__": __name__}
    copy = types.FunctionType(code, outside, function.__name__, function.__defaults__, cells)
    copy.__module__, copy.__qualname__ = __name__, function.__qualname__
    return copy
