"""Rules to machine code. The only folder that knows Numba.

Each rule is compiled alone, with its record as a bare pointer. Seen from outside, the pointer is a
`voidptr`, so the rules of *every* game have the same types, travel to kernels in one `Table`, and each kernel is
compiled once for all games. Against kernels specialised to a game the pointer call costs 5-10 %; arrays as arguments
would cost 2-4 times as much, for reference counting.
"""

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import config, from_dtype, njit, types
from numba.core import cgutils
from numba.core.typing import signature
from numba.extending import intrinsic

from forethought.compiler.announce import announcer
from forethought.compiler.caches import NotCompiledError, RuleCache, compilations, only_compiled
from forethought.compiler.complaint import complaint
from forethought.compiler.dispatched import dispatched
from forethought.compiler.entries import ENTRIES, compile_entry
from forethought.compiler.helpers import HELPER_OPTIONS, RULE_OPTIONS, Jitted, with_helpers
from forethought.compiler.kernels import inlined_kernel, kernel
from forethought.compiler.rules import ARGUMENTS, MachineRule, answer_type
from forethought.errors import ForethoughtError
from forethought.game import COMPILED_RULES, Game, Table
from forethought.rehearsal import rehearse

__all__ = [
    "NotCompiledError",
    "compilations",
    "compile_game",
    "dispatched",
    "inlined_kernel",
    "kernel",
    "only_compiled",
    "pointer",
    "row_pointer",
]


def compile_game(game: Game) -> Game:
    """Return the game with its rules as machine code; from the disk if this machine has compiled them before.

    Rules not yet compiled are first rehearsed interpreted, which tells the line of a mistake.
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
    compiled = dataclasses.replace(game, machine=Table(**machine, **game.sizes))
    for rule in machine.values():
        rule.game = compiled
    return compiled


def _machine_rule(
    game: Game, name: str, rule: Callable[..., Any], on_miss: Callable[[], None], jitted: Jitted
) -> MachineRule:
    called = njit(**RULE_OPTIONS)(with_helpers(rule, jitted))
    entry, size = ENTRIES[name], game.record.itemsize
    kind = signature(answer_type(name), from_dtype(game.record), *ARGUMENTS[name])
    made_of = (rule, entry, size, RULE_OPTIONS, HELPER_OPTIONS)
    try:
        return MachineRule(name, *compile_entry(entry(called, size), kind, RuleCache(rule, made_of, on_miss)))
    except ForethoughtError:
        raise
    except Exception as error:  # Numba raises its own errors and many of Python's
        raise complaint(game, name, error) from error


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
