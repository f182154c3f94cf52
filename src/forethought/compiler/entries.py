"""What kernels call in place of a rule: the rule, with its failure noted, and its answer in its room and its range.

A function below makes the entry of one rule, from the jitted rule and the sizes of its game's table. The type of the
record says whether answers are checked. Legal actions are checked where they are played: looking at all of them would
cost a quarter of the speed of random games.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler
from numba.core.registry import cpu_target

from forethought.compiler.failures import call_noting, refuse_if
from forethought.compiler.records import room
from forethought.game import COMPILED_RULES, TERMINAL

START, PLAYER, LEGAL, CHANCE, APPLY, RETURNS, FACTS, REACHES = range(len(COMPILED_RULES))

# Kernels call it as Numba's functions call each other, without a wrapper.
LINKED_OPTIONS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
ENTRY_OPTIONS = {"nogil": True, "nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

Rule = Callable[..., Any]
Sizes = dict[str, Any]  # of a table


@global_compiler_lock  # type: ignore[untyped-decorator]
def compile_entry(entry: Rule, signature: Any, cache: Any) -> tuple[Any, int]:
    """Return the machine code of an entry, from the disk if it is there, and the address by which it is called."""
    result = cache.load_overload(signature, cpu_target.target_context)
    if result is None:
        compiler = _FunctionCompiler(entry, cpu_target, ENTRY_OPTIONS, {}, Compiler)
        result = compiler.compile(signature.args, signature.return_type)
        cache.save_overload(signature, result)
    return result.library, result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


@njit(**LINKED_OPTIONS)  # type: ignore[untyped-decorator]
def _are_below(limit: int, numbers: Any, count: int) -> bool:
    """Whether a rule wrote at most as many numbers as there are, none of them negative or too large."""
    if count < 0 or count > limit:
        return False
    largest = np.uint64(0)
    for i in range(count):
        largest = max(largest, np.uint64(numbers[i]))  # a negative number is a very large one
    return largest < np.uint64(limit)  # type: ignore[return-value]


def start_entry(rule: Rule, sizes: Sizes) -> Rule:
    size = sizes["state_bytes"]

    def start(s: Any) -> None:
        call_noting(rule, START, size, (s,))

    return start


def player_entry(rule: Rule, sizes: Sizes) -> Rule:
    size, players = sizes["state_bytes"], sizes["players"]

    def player(s: Any) -> int:
        answer: int = call_noting(rule, PLAYER, size, (s,))
        refuse_if(answer < TERMINAL or answer >= players, PLAYER, size, (s,))
        return answer

    return player


def legal_entry(rule: Rule, sizes: Sizes) -> Rule:
    size, choices = sizes["state_bytes"], sizes["choices"]

    def legal(s: Any, out: Any) -> int:
        count: int = call_noting(rule, LEGAL, size, (s, room(s, out, choices)))
        refuse_if(count < 0 or count > choices, LEGAL, size, (s,))
        return count

    return legal


def chance_entry(rule: Rule, sizes: Sizes) -> Rule:
    size, choices = sizes["state_bytes"], sizes["choices"]

    def chance(s: Any, out: Any) -> None:
        call_noting(rule, CHANCE, size, (s, room(s, out, choices)))

    return chance


def apply_entry(rule: Rule, sizes: Sizes) -> Rule:
    size, choices = sizes["state_bytes"], sizes["choices"]

    def apply(s: Any, action: int) -> None:
        refuse_if(action < 0 or action >= choices, APPLY, size, (s, action))
        call_noting(rule, APPLY, size, (s, action))

    return apply


def returns_entry(rule: Rule, sizes: Sizes) -> Rule:
    size, players = sizes["state_bytes"], sizes["players"]

    def returns(s: Any, out: Any) -> None:
        call_noting(rule, RETURNS, size, (s, room(s, out, players)))

    return returns


def facts_entry(rule: Rule, sizes: Sizes) -> Rule:
    size, most = sizes["state_bytes"], sizes["fact_count"]

    def facts(s: Any, observer: int, out: Any) -> int:
        count: int = call_noting(rule, FACTS, size, (s, observer, room(s, out, most)))
        refuse_if(not _are_below(most, out, count), FACTS, size, (s, observer))
        return count

    return facts


def reaches_entry(rule: Rule, sizes: Sizes) -> Rule:
    size = sizes["state_bytes"]

    def reaches(s: Any, action: int, observer: int, target: Any, known: int) -> int:
        asked = (s, action, observer, room(s, target, known), known)
        return call_noting(rule, REACHES, size, asked)  # type: ignore[no-any-return]

    return reaches


ENTRIES: dict[str, Callable[[Rule, Sizes], Rule]] = dict(
    zip(
        COMPILED_RULES,
        (start_entry, player_entry, legal_entry, chance_entry, apply_entry, returns_entry, facts_entry, reaches_entry),
        strict=True,
    )
)
