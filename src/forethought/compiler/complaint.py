"""Numba's errors, in one sentence a game's author can act on."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from forethought.compiler.constructs import UncompilableConstruct, changing_constant, construct_at, uneven_constant
from forethought.errors import ForethoughtError
from forethought.game import Game

_MORE = "(--debug shows Numba's own words.)"
_LINES = (re.compile(r'File "([^"]+)", line (\d+)'), re.compile(r"(\S+\.py) \((\d+)\)"))


def _field(match: re.Match[str]) -> str:
    return f"the record has no field '{match[1]}'"


def _two_types(match: re.Match[str]) -> str:
    name = match[3].split(".")[0]
    what = "a value" if name.startswith("$") else f"the variable '{name}'"
    return f"{what} is sometimes {_short(match[1])} and sometimes {_short(match[2])}; give it one type"


def _return_types(match: re.Match[str]) -> str:
    return f"the rule returns sometimes one type and sometimes another ({match[1].strip()})"


def _unknown_name(match: re.Match[str]) -> str:
    return f"'{match[1]}' cannot be compiled; rules may use numbers, arrays, math, numpy and plain functions"


_KNOWN: list[tuple[str, Callable[[re.Match[str]], str]]] = [
    (r"Unknown attribute '(\w+)' of type Record", _field),
    (r"the field '\w+' is an array: assign to its elements", lambda m: m[0]),
    (r"(\w+) cannot hold a fraction", lambda m: f"{m[0]}; use // for whole numbers"),
    (r"cannot index .+ with (\d+) indices", lambda m: f"{m[1]} indices are more than the array has dimensions"),
    (r"Unknown attribute '(\w+)' of type", lambda m: f"'.{m[1]}' cannot be compiled here"),
    (r"Cannot unify (.+?) and (.+?) for '([^']+)'", _two_types),
    (r"Can't unify return type from the following types: (.+)", _return_types),
    (r"Untyped global name '([^']+)'", _unknown_name),
    (r"NameError: name '([^']+)' is not defined", lambda m: f"the name '{m[1]}' is not defined"),
    (r"No conversion from (\S+) to (\S+) for", lambda m: f"it returns {_short(m[1])} where {_short(m[2])} is wanted"),
    (
        r"Cannot bind '.*' to signature '(.*?)'",
        lambda m: (
            f"a helper is called otherwise than by its signature {m[1]}; arguments by name alone cannot be compiled"
        ),
    ),
    (
        r"Use of unsupported opcode \((\w+)\)|unsupported opcode '?(\w+)",
        lambda _: "this Python construct cannot be compiled",
    ),
    (
        r"unsupported constant type used for exception",
        lambda _: "what it raises cannot be compiled: raise an exception such as ValueError",
    ),
    (
        r"No implementation of function (?!Function\(<intrinsic)(.+?) found for signature",
        lambda m: f"{_function(m[1])} cannot be compiled for these values",
    ),
    (r"<intrinsic \w+>", lambda _: "this cannot be compiled"),  # our own, by which rules are called
]


def complaint(game: Game, rule: str, error: Exception) -> ForethoughtError:
    """Say which rule of which file does not compile, at which line, and why."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    function = game.source.get(rule)
    if function is None:
        return ForethoughtError(f"{game.name}, in the rule '{rule}': {_reason(text)}. {_MORE}")
    file, line = function.__code__.co_filename, function.__code__.co_firstlineno
    for found, number in (place for pattern in _LINES for place in pattern.findall(text)):
        if Path(found).name == Path(file).name and int(number) >= line:
            line = int(number)
    line, reason = _uncompilable_construct(function, line, text) or (line, _reason(text))
    return ForethoughtError(f"{Path(file).name}, line {line}, in the rule '{rule}': {reason}. {_MORE}")


def _uncompilable_construct(function: Any, line: int, text: str) -> UncompilableConstruct | None:
    """Find what the author wrote that Numba's text is about, if the source shows it."""
    looked_up = "getitem" in text and "Tuple(" in text
    return (
        changing_constant(function)
        or (uneven_constant(function) if looked_up else None)
        or construct_at(function, line)
    )


def _reason(text: str) -> str:
    for pattern, words in _KNOWN:
        match = re.search(pattern, text)
        if match:
            return words(match)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in")]
    return re.sub(r" Raised from .*", "", lines[0]).rstrip(".: ") if lines else "Numba cannot compile it"


def _short(numba_type: str) -> str:
    """Name a Numba type as its author would."""
    for pattern, name in (
        ("float", "a fraction"),
        ("int", "a whole number"),
        ("bool", "a truth value"),
        ("none", "nothing"),
        ("unicode", "text"),
        ("str", "text"),
    ):
        if pattern in numba_type.lower():
            return name
    return numba_type


def _function(text: str) -> str:
    match = re.search(r"(?:Function|function)\(?<?(?:built-in function |function |class ')?([\w.]+)", text)
    return f"'{match[1]}'" if match else "an operation"
