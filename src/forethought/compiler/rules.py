"""Rules as kernels see them: functions of one type for all games, called by address.

A rule is called as Numba's own functions call each other: it returns a status, and its answer by a pointer. So what
fails in a rule ends the kernel, as an exception in Python.
"""

import ctypes
from ctypes import addressof, c_char
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.core.callconv import RETCODE_NONE, RETCODE_OK
from numba.core.typing import Signature
from numba.core.typing import signature as make_signature
from numba.extending import NativeValue, lower_builtin, models, register_model, typeof_impl, unbox

from forethought.compiler.content import Description, describe
from forethought.compiler.failures import Failure, take_failure
from forethought.diagnosis import failed_rule
from forethought.errors import ForethoughtError
from forethought.game import ANSWERING_RULES, COMPILED_RULES, Game, Table

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
_SUCCEEDED = (RETCODE_OK.constant, RETCODE_NONE.constant)


def answer_type(name: str) -> Any:
    """Return the type of what a rule answers."""
    return INT if name in ANSWERING_RULES else types.none


class RuleFailedError(Exception):
    """A rule failed in machine code."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure.error))
        self.failure = failure


class MachineRule:
    """One compiled rule: kernels call its address, and Python calls it."""

    game: Game  # whose rule it is; given when all its rules are there

    def __init__(self, name: str, library: Any, address: int) -> None:
        self.address = address
        self._library = library  # keeps the machine code alive
        self._answers = name in ANSWERING_RULES
        kinds = [ctypes.c_int64 if a is INT else ctypes.c_void_p for a in ARGUMENTS[name]]
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 3, *kinds)(address)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return self.run(*arguments)
        except RuleFailedError as error:
            raise explained(self.game, error.failure) from error.failure.error

    def run(self, *arguments: Any) -> Any:
        """Call the rule; say no more than that it failed, if it does."""
        answer, information = ctypes.c_int64(), ctypes.c_void_p()
        passed = [_address_of(a) if isinstance(a, np.ndarray) else a for a in arguments]
        status = self._call(addressof(answer), addressof(information), *passed)
        if status not in _SUCCEEDED:
            raise RuleFailedError(take_failure())
        return answer.value if self._answers else None


def explained(game: Game, failure: Failure) -> ForethoughtError:
    """Say in a sentence which rule failed where."""
    rules, sizes = game.table[: len(COMPILED_RULES)], game.table[len(COMPILED_RULES) :]
    raising = Table(*(rule.run for rule in rules), *sizes)  # type: ignore[union-attr]
    rule = COMPILED_RULES[failure.rule]
    return failed_rule(game, raising, rule, failure.record, failure.numbers, failure.error)


def game_among(arguments: Any) -> Game | None:
    """Return the game whose table is among the arguments of a kernel, or in a named tuple there."""
    for argument in arguments:
        if isinstance(argument, Table):
            return argument.start.game  # type: ignore[attr-defined, no-any-return]
        if isinstance(argument, tuple) and (found := game_among(argument)):
            return found
    return None


def _address_of(array: npt.NDArray[Any]) -> int:
    """Return where an array's data lies; four times as quick as `array.ctypes`, which empty and read-only ones need."""
    try:
        return addressof(c_char.from_buffer(array.data))
    except (ValueError, TypeError):
        return array.ctypes.data


class RuleType(types.Callable):  # type: ignore[misc]
    """The type of a rule in a kernel."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        kinds = [kind if kind is INT else STATE for kind in ARGUMENTS[rule]]
        self.signature = make_signature(answer_type(rule), STATE, *kinds)
        super().__init__(f"Rule({rule})")

    def get_call_type(self, _context: Any, _arguments: Any, _keywords: Any) -> Signature:
        return self.signature.replace(recvr=self)

    def get_call_signatures(self) -> tuple[list[Signature], bool]:
        return [self.signature], False

    def get_impl_key(self, _signature: Any) -> Any:
        return RuleType


@register_model(RuleType)
class _RuleModel(models.OpaqueModel):  # type: ignore[misc]
    """An address."""


@unbox(RuleType)  # type: ignore[untyped-decorator]
def _address_of_rule(_type: Any, rule: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(rule, "address")
    missing = cgutils.is_null(c.builder, address)
    value = cgutils.alloca_once_value(c.builder, cgutils.get_null_value(cgutils.voidptr_t))
    with c.builder.if_then(c.builder.not_(missing), likely=True):
        c.builder.store(c.pyapi.long_as_voidptr(address), value)
        c.pyapi.decref(address)
    return NativeValue(c.builder.load(value), is_error=missing)


@lower_builtin(RuleType, RuleType, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
def call_rule(context: Any, builder: Any, call: Any, values: Any) -> Any:
    kinds, conventions = call.args[1:], context.call_conv
    function = conventions.get_function_type(call.return_type, kinds).as_pointer()
    address = builder.bitcast(values[0], function)
    status, answer = conventions.call_function(builder, address, call.return_type, kinds, values[1:])
    with cgutils.if_unlikely(builder, status.is_error):
        conventions.return_status_propagate(builder, status)
    return answer


@cache
def _table_type() -> Any:
    """Return the type of every table: the rules of all games have the same types."""
    rules = [RuleType(name) for name in COMPILED_RULES]
    sizes = [types.boolean if Table.__annotations__[name] is bool else INT for name in Table._fields[len(rules) :]]
    return types.NamedTuple([*rules, *sizes], Table)


@typeof_impl.register(Table)  # type: ignore[untyped-decorator]
def _type_of_table(_table: Table, _purpose: Any) -> Any:
    """Spare every call of a kernel the half millisecond in which Numba would find this out rule by rule."""
    return _table_type()


@describe.register
def _(value: RuleType, description: Description) -> str:
    return f"{value} {description.of(call_rule)}"
