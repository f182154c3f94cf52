"""A rule that fails in machine code: what failed is noted, and the exception goes up through the kernels to Python.

Numba's functions return a status, which every caller looks at, so a failing rule ends the kernel that called it at
once. The exception alone says neither which rule failed nor where: `call_noting`, through which each rule is called,
tells Python on the way, by an external symbol, since machine code kept on disk can contain no addresses. Python takes
the note where it calls machine code, in the thread that called.
"""

import ctypes
import pickle
import threading
from typing import Any, NamedTuple

from llvmlite import binding, ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.core.callconv import FIRST_USEREXC, RETCODE_USEREXC
from numba.extending import intrinsic

from forethought.compiler.records import CheckedRecord

SYMBOL = "forethought_rule_failed"
MOST_NUMBERS = 3  # that a rule takes besides the record
_WORD, _BYTES = ir.IntType(64), ir.IntType(8).as_pointer()


class Failure(NamedTuple):
    """What is known of a rule that failed. A rule that had begun to write has left its record half written."""

    rule: int  # its place in COMPILED_RULES
    record: bytes
    numbers: tuple[int, ...]  # that the rule was given besides: an action, an observer; then zeros
    error: Exception


class _Noted(threading.local):
    failure: Failure | None = None


_noted = _Noted()


def take_failure() -> Any:
    """Return the failure noted in this thread and forget it; None if there is none."""
    failure, _noted.failure = _noted.failure, None
    return failure


class _ExceptionInfo(ctypes.Structure):
    """How Numba keeps an exception: pickled by itself, when it compiled the code."""

    _fields_ = (("pickled", ctypes.c_void_p), ("size", ctypes.c_int32))


@ctypes.CFUNCTYPE(  # type: ignore[untyped-decorator]
    None,
    ctypes.c_int64,
    ctypes.c_void_p,
    ctypes.c_int64,
    ctypes.POINTER(ctypes.c_int64 * MOST_NUMBERS),
    ctypes.c_int32,
    ctypes.POINTER(_ExceptionInfo),
)
def _note(rule: int, record: int, size: int, numbers: Any, status: int, info: Any) -> None:
    error = _exception(info.contents) if status >= FIRST_USEREXC else SystemError("Python failed in it")
    _noted.failure = Failure(rule, ctypes.string_at(record, size), tuple(numbers.contents), error)


binding.add_symbol(SYMBOL, ctypes.cast(_note, ctypes.c_void_p).value)


def _exception(info: _ExceptionInfo) -> Exception:
    kind, arguments, _place = pickle.loads(ctypes.string_at(info.pickled, info.size))  # noqa: S301 (of our own code)
    return kind(*(arguments or ()))  # type: ignore[no-any-return]


@intrinsic  # type: ignore[untyped-decorator]
def call_noting(typing_context: Any, rule: Any, number: Any, size: Any, arguments: Any) -> Any:
    """Call a jitted rule with a tuple of arguments, the record first; if it fails, note so and fail as well."""
    called = rule.get_call_type(typing_context, arguments.types, {})

    def generate(context: Any, builder: Any, call: Any, values: Any) -> Any:
        compiled = rule.dispatcher.get_compile_result(called)
        context.active_code_library.add_linking_library(compiled.library)
        passed = cgutils.unpack_tuple(builder, values[3], len(call.args[3]))
        status, result = context.call_internal_no_propagate(builder, compiled.fndesc, compiled.signature, passed)
        with cgutils.if_unlikely(builder, status.is_error):
            _emit_note(builder, values[1:3], passed, (status.code, status.excinfoptr))
            context.call_conv.return_status_propagate(builder, status)
        return result

    return called.return_type(rule, number, size, arguments), generate


@intrinsic  # type: ignore[untyped-decorator]
def refuse_if(_context: Any, wrong: Any, number: Any, size: Any, arguments: Any) -> Any:
    """Fail where an answer is wrong and note so, if the record's type is one that is checked."""

    def unchecked(context: Any, _builder: Any, _call: Any, _values: Any) -> Any:
        return context.get_dummy_value()

    def generate(context: Any, builder: Any, call: Any, values: Any) -> Any:
        passed, conventions = cgutils.unpack_tuple(builder, values[3], len(call.args[3])), context.call_conv
        with cgutils.if_unlikely(builder, values[0]):
            conventions.set_static_user_exc(builder, ValueError, ("its answer is out of range",))
            exception = builder.load(conventions._get_excinfo_argument(builder.function))
            _emit_note(builder, values[1:3], passed, (RETCODE_USEREXC, exception))
            conventions._return_errcode_raw(builder, RETCODE_USEREXC)
        return context.get_dummy_value()

    checked = isinstance(arguments.types[0], CheckedRecord)
    return types.none(wrong, number, size, arguments), generate if checked else unchecked


def _emit_note(builder: Any, constants: Any, passed: Any, status: Any) -> None:
    """Write the call of `_note`."""
    given = [value for value in passed if value.type == _WORD]
    numbers = cgutils.alloca_once(builder, _WORD, size=MOST_NUMBERS)
    for place, value in enumerate([*given, *[_WORD(0)] * (MOST_NUMBERS - len(given))]):
        builder.store(value, builder.gep(numbers, [_WORD(place)]))
    record, exception = (builder.bitcast(address, _BYTES) for address in (passed[0], status[1]))
    arguments = [constants[0], record, constants[1], numbers, status[0], exception]
    kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, SYMBOL), arguments)
