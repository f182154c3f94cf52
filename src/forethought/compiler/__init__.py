"""Rules to machine code. The only folder that knows Numba.

Each rule is compiled alone, by `cfunc`, with its record as a bare pointer. Seen from outside, the pointer is a
`voidptr`, so the rules of *every* game have the same types, travel to kernels in one `Table`, and each kernel is
compiled once for all games. Against kernels specialised to a game the pointer call costs 5-10 %; arrays as arguments
would cost 2-4 times as much, for reference counting.
"""

import ctypes
import dataclasses
from collections.abc import Callable
from ctypes import addressof, c_char
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import config, from_dtype, types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.core.types import WrapperAddressProtocol
from numba.core.typing import signature
from numba.extending import intrinsic, typeof_impl

from forethought.compiler.announce import announcer
from forethought.compiler.caches import RuleCache, compilations
from forethought.compiler.complaint import complaint
from forethought.compiler.dispatched import dispatched
from forethought.compiler.helpers import HELPER_OPTIONS, OPTIONS, Jitted, with_helpers
from forethought.compiler.kernels import inlined_kernel, kernel
from forethought.errors import ForethoughtError
from forethought.game import ANSWERING_RULES, COMPILED_RULES, Game, Table
from forethought.rehearsal import rehearse

INT, STATE, INTS, REALS = types.int64, types.voidptr, types.CPointer(types.int64), types.CPointer(types.float64)
# What follows the record, rule by rule.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "start": (),
    "player": (),
    "legal": (INTS,),
    "chance": (REALS,),
    "apply": (INT,),
    "returns": (REALS,),
    "facts": (INT, INTS),
    "reaches": (INT, INT, INTS, INT),
}

__all__ = ["compilations", "compile_game", "dispatched", "inlined_kernel", "kernel", "pointer", "row_pointer"]


def rule_signature(name: str) -> Any:
    """Return what a rule takes and gives, as kernels see it."""
    result = INT if name in ANSWERING_RULES else types.void
    return signature(result, STATE, *(a if a is INT else STATE for a in ARGUMENTS[name]))


class MachineRule(WrapperAddressProtocol):  # type: ignore[misc]
    """One compiled rule: a first-class function for kernels, and callable from Python."""

    def __init__(self, compiled: CFunc, name: str) -> None:
        self.compiled = compiled  # keeps the machine code alive
        arguments, self._signature = ARGUMENTS[name], rule_signature(name)
        kinds = [ctypes.c_int64 if a is INT else ctypes.c_void_p for a in arguments]
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64 if name in ANSWERING_RULES else None, ctypes.c_void_p, *kinds)
        self._call = prototype(compiled.address)

    def __wrapper_address__(self) -> int:
        address: int = self.compiled.address
        return address

    def signature(self) -> Any:
        return self._signature

    def __call__(self, *arguments: Any) -> Any:
        return self._call(*[_address_of(a) if isinstance(a, np.ndarray) else a for a in arguments])


@cache
def _table_type() -> Any:
    """Return the type of every table: the rules of all games have the same types."""
    rules = [types.FunctionType(rule_signature(name)) for name in COMPILED_RULES]
    sizes = [types.boolean if Table.__annotations__[name] is bool else INT for name in Table._fields[len(rules) :]]
    return types.NamedTuple([*rules, *sizes], Table)


@typeof_impl.register(Table)  # type: ignore[untyped-decorator]
def _type_of_table(_table: Table, _purpose: Any) -> Any:
    """Spare every call of a kernel the half millisecond in which Numba would find this out rule by rule."""
    return _table_type()


def _address_of(array: npt.NDArray[Any]) -> int:
    """Return where an array's data lies; four times as quick as `array.ctypes`, which empty and read-only ones need."""
    try:
        return addressof(c_char.from_buffer(array.data))
    except (ValueError, TypeError):
        return array.ctypes.data


def compile_game(game: Game) -> Game:
    """Return the game with its rules as machine code; from the disk if this machine has compiled them before.

    Machine code checks no bounds, so rules not yet compiled are first rehearsed interpreted, where every index is.
    """
    if config.DISABLE_JIT or game.machine is not None:
        return game
    rules: dict[str, Callable[..., Any]] = {name: game.source.get(name) or _ABSENT[name] for name in COMPILED_RULES}

    @cache
    def at_first_miss() -> None:
        announcer.expect(rules.values())
        rehearse(game)

    jitted: Jitted = {}
    with announcer.waiting():
        machine: dict[str, Any] = {
            name: _machine_rule(game, name, rules[name], at_first_miss, jitted) for name in rules
        }
    return dataclasses.replace(game, machine=Table(**machine, **game.sizes))


def _machine_rule(
    game: Game, name: str, rule: Callable[..., Any], on_miss: Callable[[], None], jitted: Jitted
) -> MachineRule:
    function = with_helpers(rule, jitted)
    argument_types = (from_dtype(game.record), *ARGUMENTS[name])
    result = INT if name in ANSWERING_RULES else types.void
    callback = CFunc(function, (argument_types, result), {}, dict(OPTIONS))
    callback._cache = RuleCache(rule, (OPTIONS, HELPER_OPTIONS), on_miss)
    try:
        callback.compile()
    except ForethoughtError:
        raise
    except Exception as error:  # Numba raises its own errors and many of Python's
        raise complaint(game, name, error) from error
    return MachineRule(callback, name)


def _no_chance(_s: Any, _out: Any) -> None:
    """Stand in where no chance acts; never called."""


def _any_reaches(_s: Any, _action: int, _observer: int, _target: Any, _known: int) -> bool:
    return True


_ABSENT: dict[str, Callable[..., Any]] = {"chance": _no_chance, "reaches": _any_reaches}


@intrinsic  # type: ignore[untyped-decorator]
def _address(_context: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, call: Any, arguments: Any) -> Any:
        data = context.make_array(call.args[0])(context, builder, arguments[0]).data
        return builder.bitcast(data, cgutils.voidptr_t)

    return types.voidptr(array), generate


@intrinsic  # type: ignore[untyped-decorator]
def _row_address(_context: Any, array: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, call: Any, arguments: Any) -> Any:
        made = context.make_array(call.args[0])(context, builder, arguments[0])
        stride = cgutils.unpack_tuple(builder, made.strides)[0]
        index = context.cast(builder, arguments[1], call.args[1], types.intp)
        start = builder.bitcast(made.data, cgutils.voidptr_t)
        return builder.gep(start, [builder.mul(index, stride)])

    return types.voidptr(array, row), generate


def _itself(array: Any) -> Any:
    return array


def _row_itself(array: Any, row: int) -> Any:
    return array[row]


# The address of an array's data, and of one row of it, for calling rules in a kernel. It does not keep the array alive:
# pass kernels their scratch arrays as arguments, so that the caller does. Without machine code, rules take the array.
pointer = _itself if config.DISABLE_JIT else _address
row_pointer = _row_itself if config.DISABLE_JIT else _row_address
