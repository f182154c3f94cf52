"""What kernels call in place of a rule: the rule, with its failure noted.

A function below makes the entry of one rule, from the jitted rule and the size of its record.
"""

from collections.abc import Callable
from typing import Any

from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler
from numba.core.registry import cpu_target

from forethought.compiler.failures import call_noting
from forethought.game import COMPILED_RULES

START, PLAYER, LEGAL, CHANCE, APPLY, RETURNS, FACTS, REACHES = range(len(COMPILED_RULES))

# Kernels call it as Numba's functions call each other, without a wrapper.
ENTRY_OPTIONS = {"nogil": True, "nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

Rule = Callable[..., Any]


@global_compiler_lock  # type: ignore[untyped-decorator]
def compile_entry(entry: Rule, signature: Any, cache: Any) -> tuple[Any, int]:
    """Return the machine code of an entry, from the disk if it is there, and the address by which it is called."""
    result = cache.load_overload(signature, cpu_target.target_context)
    if result is None:
        compiler = _FunctionCompiler(entry, cpu_target, ENTRY_OPTIONS, {}, Compiler)
        result = compiler.compile(signature.args, signature.return_type)
        cache.save_overload(signature, result)
    return result.library, result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


def start_entry(rule: Rule, size: int) -> Rule:
    def start(s: Any) -> None:
        call_noting(rule, START, size, (s,))

    return start


def player_entry(rule: Rule, size: int) -> Rule:
    def player(s: Any) -> int:
        return call_noting(rule, PLAYER, size, (s,))  # type: ignore[no-any-return]

    return player


def legal_entry(rule: Rule, size: int) -> Rule:
    def legal(s: Any, out: Any) -> int:
        return call_noting(rule, LEGAL, size, (s, out))  # type: ignore[no-any-return]

    return legal


def chance_entry(rule: Rule, size: int) -> Rule:
    def chance(s: Any, out: Any) -> None:
        call_noting(rule, CHANCE, size, (s, out))

    return chance


def apply_entry(rule: Rule, size: int) -> Rule:
    def apply(s: Any, action: int) -> None:
        call_noting(rule, APPLY, size, (s, action))

    return apply


def returns_entry(rule: Rule, size: int) -> Rule:
    def returns(s: Any, out: Any) -> None:
        call_noting(rule, RETURNS, size, (s, out))

    return returns


def facts_entry(rule: Rule, size: int) -> Rule:
    def facts(s: Any, observer: int, out: Any) -> int:
        return call_noting(rule, FACTS, size, (s, observer, out))  # type: ignore[no-any-return]

    return facts


def reaches_entry(rule: Rule, size: int) -> Rule:
    def reaches(s: Any, action: int, observer: int, target: Any, known: int) -> int:
        return call_noting(rule, REACHES, size, (s, action, observer, target, known))  # type: ignore[no-any-return]

    return reaches


ENTRIES: dict[str, Callable[[Rule, int], Rule]] = dict(
    zip(
        COMPILED_RULES,
        (start_entry, player_entry, legal_entry, chance_entry, apply_entry, returns_entry, facts_entry, reaches_entry),
        strict=True,
    )
)
