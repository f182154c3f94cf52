"""Rules to machine code. The only folder that knows Numba.

Each rule is compiled alone, with its record as a bare pointer. Seen from outside, the pointer is a
`voidptr`, so the rules of *every* game have the same types, travel to kernels in one `Table`, and each kernel is
compiled once for all games. Against kernels specialised to a game the pointer call costs 5-10 %; arrays as arguments
would cost 2-4 times as much, for reference counting.
"""

import dataclasses
import faulthandler
import os
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
from forethought.compiler.content import Description, digest_of
from forethought.compiler.crashes import advise_on_crash
from forethought.compiler.dispatched import dispatched
from forethought.compiler.entries import ENTRIES, compile_entry
from forethought.compiler.helpers import CHECKED, UNCHECKED, Jitted, with_helpers
from forethought.compiler.kernels import inlined_kernel, kernel
from forethought.compiler.records import CHECKS, checked_record
from forethought.compiler.rewriting import PUT_IN
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


CHECKS_WANTED = {"always": True, "never": False}

if faulthandler.is_enabled():
    advise_on_crash()


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

    make = _RuleMaker(game, at_first_miss)
    with announcer.waiting():
        machine: dict[str, Any] = {name: make(name, rule) for name, rule in rules.items()}
    compiled = dataclasses.replace(game, machine=Table(**machine, **game.sizes))
    for rule in machine.values():
        rule.game = compiled
    return compiled


class _RuleMaker:
    """Makes the machine code of a game's rules, which share their helpers."""

    def __init__(self, game: Game, on_miss: Callable[[], None]) -> None:
        self._game, self._on_miss = game, on_miss
        self._jitted: Jitted = {}
        checked = is_checked(game)
        self._options = CHECKED if checked else UNCHECKED
        self._record = checked_record(game.record) if checked else from_dtype(game.record)

    def __call__(self, name: str, rule: Callable[..., Any]) -> MachineRule:
        options, entry, sizes = {**self._options, "forceinline": True}, ENTRIES[name], self._game.sizes
        cache = RuleCache(rule, (rule, sizes, options, _made_by(name)), self._on_miss)
        kind = signature(answer_type(name), self._record, *ARGUMENTS[name])
        try:
            called = njit(**options)(with_helpers(rule, self._options, self._jitted))
            return MachineRule(name, *compile_entry(entry(called, sizes), kind, cache))
        except ForethoughtError:
            raise
        except Exception as error:  # Numba raises its own errors and many of Python's
            raise complaint(self._game, name, error) from error


@cache
def _made_by(name: str) -> str:
    """Describe, once in a process, what makes machine code of all rules of this name."""
    return digest_of(Description().of((ENTRIES[name], CHECKS, PUT_IN)))


def is_checked(game: Game) -> bool:
    """Whether machine code checks indices, values and answers: $FORETHOUGHT_CHECKS says, or else in all games but ours.

    Ours keep the laws: their tests make sure of it.
    """
    wanted = os.environ.get("FORETHOUGHT_CHECKS")
    if wanted not in {None, *CHECKS_WANTED}:
        raise ForethoughtError(f"FORETHOUGHT_CHECKS must be {' or '.join(CHECKS_WANTED)}, not '{wanted}'.")
    ours = all(rule.__module__.partition(".")[0] == __name__.partition(".")[0] for rule in game.rules)
    return not ours if wanted is None else CHECKS_WANTED[wanted]


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
