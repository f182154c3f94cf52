"""What machine code is made of, written down: equal descriptions mean equal machine code.

A function is described by its code, the values it takes from outside itself, and the functions it calls, however deep;
not by comments, docstrings, line numbers or where its file stands. Rules and kernels are kept on disk under a digest of
their descriptions, so an edit recompiles what calls the edited code and nothing else.
"""

import dis
import functools
import hashlib
import inspect
import sys
import types
from collections.abc import Iterator
from functools import singledispatch
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.types import Dispatcher as DispatcherType
from numba.core.types import Type
from numba.core.typing import Signature
from numba.extending import _Intrinsic

from forethought.errors import ForethoughtError

# Their versions are part of the name of the cache's directory: what comes from them is described by its name alone.
VERSIONED = sys.stdlib_module_names | {"numba", "numpy", "llvmlite"}

# What stands in a class besides its methods and values.
_ABOUT_A_CLASS = {"__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__", "__dict__"}
_ABOUT_A_CLASS |= {"__doc__", "__firstlineno__", "__module__", "__qualname__", "__static_attributes__", "__weakref__"}
_ABOUT_A_CLASS |= {"__slotnames__"}  # which pickling adds
_LOAD_GLOBAL, _EXTENDED_ARG = dis.opmap["LOAD_GLOBAL"], dis.opmap["EXTENDED_ARG"]
_CALLING = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR


def digest_of(text: str) -> str:
    """Return a digest short enough for the name of a file or a symbol."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def outer_values(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """List the names a function takes from outside itself, with their values."""
    code = function.__code__
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents
    used = {inner.co_names[operand >> 1] for inner in _codes(code) for operand in _operands(inner, _LOAD_GLOBAL)}
    for name in sorted(used & function.__globals__.keys()):
        yield name, function.__globals__[name]


class Description:
    """A description being written. It also collects what decides which implementations generic functions have.

    Nothing is remembered from one description to the next: the numbers of a module may have changed meanwhile.
    """

    def __init__(self) -> None:
        self.named_tuples: dict[type, str] = {}
        self.generic: dict[Any, None] = {}  # in the order met
        self._compiled: dict[Dispatcher, str] = {}
        self._containing: list[Any] = []

    def of(self, value: Any) -> str:
        """Describe a value. One that contains itself, as a class does in its methods, is there given by its depth."""
        for depth, containing in enumerate(reversed(self._containing)):
            if containing is value:
                return f"again:{depth}"
        self._containing.append(value)
        text = describe(value, self)
        self._containing.pop()
        return text

    @property
    def functions(self) -> list[Any]:
        """The functions of all kernels met so far."""
        return [compiled.py_func for compiled in self._compiled]

    def of_items(self, items: dict[str, Any]) -> str:
        """Describe values with their names."""
        return ", ".join(f"{name}={self.of(item)}" for name, item in items.items())

    def of_compiled(self, value: Dispatcher) -> str:
        """Describe what is compiled, a kernel of ours or another jitted function, by a digest: many may call it."""
        if value not in self._compiled:
            self._compiled[value] = ""
            outside, self._containing = self._containing, []
            function = value.py_func
            text = f"{full_name(function)} {self.of(value.targetoptions)} {self.of(function)}"
            self._compiled[value], self._containing = digest_of(text), outside
        if not self._compiled[value]:
            raise ForethoughtError(
                f"The kernel '{value.__name__}' calls itself, by others maybe; write a loop instead."
            )
        return f"compiled:{self._compiled[value]}"


@singledispatch
def describe(value: Any, description: Description) -> str:
    """Describe a value of no kind below: by its type, its text and its attributes, which the text may leave out."""
    kind, text = type(value), repr(value)
    attributes = {} if _is_versioned(kind) else getattr(value, "__dict__", {})
    wrapped = description.of(value.__wrapped__) if hasattr(value, "__wrapped__") else ""
    return f"{description.of(kind)}:{'' if ' at 0x' in text else text}{description.of_items(attributes)}{wrapped}"


@describe.register(int | float | complex | str | bytes | None | np.generic | np.dtype | types.BuiltinFunctionType)
def _(value: Any, _description: Description) -> str:
    return f"{type(value).__name__}:{value!r}"


@describe.register
def _(value: np.ndarray, _description: Description) -> str:
    return f"array({value.dtype.str}, {value.shape}, {hashlib.sha256(value.tobytes()).hexdigest()})"


@describe.register(set | frozenset)
def _(value: Any, description: Description) -> str:
    return f"set({sorted(map(description.of, value))})"


@describe.register(tuple | list)
def _(value: Any, description: Description) -> str:
    kind = description.of(type(value)) if hasattr(value, "_fields") else type(value).__name__
    return f"{kind}({', '.join(map(description.of, value))})"


@describe.register
def _(value: dict, description: Description) -> str:  # type: ignore[type-arg]
    return f"dict({', '.join(map(description.of, value.items()))})"


@describe.register
def _(value: functools.partial, description: Description) -> str:  # type: ignore[type-arg]
    return f"partial{description.of((value.func, value.args, value.keywords))}"


@describe.register
def _(value: types.ModuleType, _description: Description) -> str:
    return f"module:{value.__name__}"


@describe.register
def _(value: types.FunctionType, description: Description) -> str:
    if _is_versioned(value):
        return full_name(value)
    used = dict(_used_values(value))
    defaults = description.of((value.__defaults__, value.__kwdefaults__))
    return f"function({description.of(value.__code__)}, {defaults}, {description.of_items(used)})"


@describe.register
def _(value: types.CodeType, description: Description) -> str:
    """Describe code by its instructions and what they name; a docstring is a constant that none of them uses."""
    places = sorted(set().union(*(_operands(value, operation) for operation in dis.hasconst)))
    constants = [(place, description.of(value.co_consts[place])) for place in places]
    names = value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars
    counts = value.co_argcount, value.co_kwonlyargcount, value.co_flags & _CALLING
    return f"{value.co_code.hex()} {constants} {names} {counts} {value.co_exceptiontable.hex()}"


@describe.register
def _(value: type, description: Description) -> str:
    if _is_versioned(value):
        return full_name(value)
    if issubclass(value, tuple) and hasattr(value, "_fields"):
        return description.named_tuples.setdefault(value, f"{full_name(value)}{value._fields}")
    made_of = {name: item for name, item in vars(value).items() if name not in _ABOUT_A_CLASS}
    return f"class({description.of(value.__bases__)}, {description.of_items(made_of)})"


@describe.register
def _(value: Dispatcher, description: Description) -> str:
    return description.of_compiled(value)


@describe.register
def _(value: _Intrinsic, description: Description) -> str:
    return f"intrinsic({description.of(value._defn)})"


@describe.register
def _(value: Type, description: Description) -> str:
    """Describe one of Numba's types by what makes it equal to another: names leave out the fields of named tuples."""
    key = value.key
    return f"{type(value).__name__}:{key if isinstance(key, str) else description.of(key)}"


@describe.register
def _(value: DispatcherType, description: Description) -> str:
    return f"type:{description.of(value.dispatcher)}"


@describe.register
def _(value: Signature, description: Description) -> str:
    return description.of((value.return_type, value.args))


def full_name(value: Any) -> str:
    """Return where a function or class is found."""
    return f"{value.__module__}.{value.__qualname__}"


def _is_versioned(value: Any) -> bool:
    """Does a function, a class or a module come from a library whose version is in the cache's directory?"""
    return (
        str(value.__name__ if isinstance(value, types.ModuleType) else value.__module__).partition(".")[0] in VERSIONED
    )


def _used_values(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """List what a function takes from outside itself, and from its modules whatever has a name that it uses."""
    names = set().union(*(code.co_names for code in _codes(function.__code__)))
    pending, seen = list(outer_values(function)), set()
    while pending:
        name, value = pending.pop()
        yield name, value
        if isinstance(value, types.ModuleType) and value not in seen and not _is_versioned(value):
            seen.add(value)
            held = vars(value)
            pending += [(f"{name}.{inner}", held[inner]) for inner in sorted(names & held.keys())]


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """List a function's code and that of the functions defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _operands(code: types.CodeType, operation: int) -> Iterator[int]:
    """Find the operands of all instructions of one kind; an instruction is two bytes, its kind and its operand."""
    kinds, operands = code.co_code[::2], code.co_code[1::2]
    place = kinds.find(operation)
    while place >= 0:
        operand, before = operands[place], place - 1
        while before >= 0 and kinds[before] == _EXTENDED_ARG:  # higher bytes stand before
            operand += operands[before] << 8 * (place - before)
            before -= 1
        yield operand
        place = kinds.find(operation, place + 1)
