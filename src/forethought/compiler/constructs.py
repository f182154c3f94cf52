"""What machine code cannot do, looked for in the source of a rule that did not compile.

Numba's own words for these are about its insides. Here is what a game's author wrote: a constant that can change, or a
construct of Python.
"""

import ast
import dis
import inspect
import textwrap
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from forethought.compiler.content import outer_values

_CONSTANTS = "constants are numbers, tuples and NumPy arrays"
_CHANGING: dict[type[Any], str] = {
    list: f"a list: make it a tuple, {_CONSTANTS}",
    dict: f"a dictionary: make it a tuple or an array with numbers as places, {_CONSTANTS}",
    set: f"a set: make it a tuple, {_CONSTANTS}",
}
_CONSTRUCTS: dict[type[ast.AST], str] = {
    ast.Try: "a rule cannot catch exceptions: instead of `try`, test beforehand what could fail",
    ast.NamedExpr: "`:=` cannot be compiled: assign on a line of its own",
    ast.GeneratorExp: "a generator cannot be compiled: write a loop",
    ast.With: "`with` cannot be compiled: a rule reads and writes its record only",
    ast.Import: "a rule cannot import: import at the top of the file",
    ast.ImportFrom: "a rule cannot import: import at the top of the file",
    ast.Delete: "`del` cannot be compiled: leave it out",
    ast.Global: "a rule cannot change a global variable: what it must remember is in the record",
    ast.Starred: "`*` before a name cannot be compiled: name the parts, or index them",
    ast.ClassDef: "a rule cannot contain a class: what it must remember is in the record",
    ast.Yield: "a rule cannot be a generator: write its answer to `out`",
    ast.Dict: "a dictionary cannot be compiled here: use tuples, or arrays of the record",
    ast.DictComp: "a dictionary cannot be compiled here: use tuples, or arrays of the record",
}


class UncompilableConstruct(NamedTuple):
    """Something that cannot be compiled, and the line that uses it."""

    line: int
    reason: str


def changing_constant(rule: types.FunctionType) -> UncompilableConstruct | None:
    """Find a constant of a rule, or of a function it calls, that is no constant to machine code."""
    for function, name, value in _constants(rule):
        if type(value) in _CHANGING:
            return UncompilableConstruct(_line_of_use(function, name), f"'{name}' is {_CHANGING[type(value)]}")
        if isinstance(value, tuple) and any(type(part) in _CHANGING for part in _parts(value)):
            reason = f"'{name}' is a tuple with lists in it: make them tuples, too; {_CONSTANTS}"
            return UncompilableConstruct(_line_of_use(function, name), reason)
    return None


def uneven_constant(rule: types.FunctionType) -> UncompilableConstruct | None:
    """Find a tuple whose parts differ in length or type: only places known beforehand can be looked up in it."""
    for function, name, value in _constants(rule):
        if isinstance(value, tuple) and len({_shape(part) for part in value}) > 1:
            reason = f"the parts of '{name}' differ in length or type: make them alike, or fill up an array"
            return UncompilableConstruct(_line_of_use(function, name), reason)
    return None


def construct_at(rule: types.FunctionType, line: int) -> UncompilableConstruct | None:
    """Find a construct that cannot be compiled around a line of the rule; anywhere in it if the line is its first."""
    unknown = line == rule.__code__.co_firstlineno
    for node in ast.walk(_tree(rule)):
        reason = _CONSTRUCTS.get(type(node))
        if reason is None:
            continue
        begins, ends = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        if unknown or isinstance(node, ast.Global) or begins <= line <= ends:
            return UncompilableConstruct(begins, reason)
    return None


def _constants(function: types.FunctionType, met: tuple[Any, ...] = ()) -> Iterator[tuple[Any, str, Any]]:
    for name, value in outer_values(function):
        if isinstance(value, types.FunctionType):
            if value not in met:
                yield from _constants(value, (*met, function))
        else:
            yield function, name, value


def _parts(value: Any) -> Iterator[Any]:
    for part in value:
        yield part
        if isinstance(part, tuple):
            yield from _parts(part)


def _shape(value: Any) -> Any:
    return tuple(_shape(part) for part in value) if isinstance(value, tuple) else type(value)


def _line_of_use(function: types.FunctionType, name: str) -> int:
    lines = [step.positions.lineno for step in dis.get_instructions(function) if step.argval == name and step.positions]
    return next(filter(None, lines), function.__code__.co_firstlineno)


def _tree(rule: types.FunctionType) -> ast.AST:
    """Parse the source of a rule, its lines numbered as in its file; nothing if it was not written in one."""
    try:
        lines, first = inspect.getsourcelines(rule)
    except OSError:
        return ast.Module([], [])
    try:
        return ast.increment_lineno(ast.parse(textwrap.dedent("".join(lines))), first - 1)
    except SyntaxError:  # a comment that begins further left than the rule
        return ast.Module([], [])
