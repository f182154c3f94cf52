"""Strings that name things: `name`, `name(key=value, value)`, read by the signature of what they name."""

import difflib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from forethought.errors import ForethoughtError

_SPEC = re.compile(r"^(?P<name>[^()]+?)\s*(?:\((?P<arguments>.*)\))?$", re.DOTALL)
_ARGUMENT = re.compile(r'(?:"(?:[^"]|"")*"|[^,])+')  # commas in quotation marks part nothing
_TRUTHS = {"true": True, "false": False, "1": True, "0": False}

KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}  # of values
QUOTES = ('"', "'")
REQUIRED = inspect.Parameter.empty  # in place of a default

Value = int | float | str


def split_spec(spec: str, example: str) -> tuple[str, str]:
    """Return the name and what stands in the parentheses; the example shows how it is written."""
    match = _SPEC.match(spec.strip())
    if match is None:
        raise ForethoughtError(f"'{spec}' names nothing; write it as {example}.")
    return match["name"], match["arguments"] or ""


def split_short_spec(spec: str, example: str) -> tuple[str, str]:
    """Do the same where `name:value` is short for `name(value)`."""
    name, colon, value = spec.strip().partition(":")
    return (name, value) if colon and "(" not in name else split_spec(spec, example)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question about the nearest known name, or nothing."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""


def no_such(what: str, name: str, known: Sequence[str], besides: str = "") -> ForethoughtError:
    """Return the error about a name that nothing has: the nearest one that is known, and all of them."""
    hint = did_you_mean(name, known)
    kinds = f"{what.capitalize() if hint else what}s"
    return ForethoughtError(f"There is no {what} '{name}'; {hint}{kinds} are {', '.join(known)}{besides}.")


def parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return what a string may give: the function's parameters that have names and plain types."""
    return dict(inspect.signature(function).parameters)


def read_arguments(name: str, text: str, wanted: Mapping[str, inspect.Parameter]) -> dict[str, Any]:
    """Read `cards=6, payoff=points`, or values alone in order, by the types that are declared."""
    given = split_arguments(name, text, {key: parameter.default for key, parameter in wanted.items()})
    return {key: _value(name, wanted[key], argument) for key, argument in given.items()}


def split_arguments(
    name: str, text: str, defaults: Mapping[str, Any], aliases: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Return the text of each argument that is given, by its name; all without a default (`REQUIRED`) must be."""
    values: dict[str, str] = {}
    order = list(defaults)
    for place, part in enumerate(filter(None, (piece.strip() for piece in _ARGUMENT.findall(text)))):
        key, equals, value = ("", "", part) if part[0] in QUOTES else (piece.strip() for piece in part.partition("="))
        if not equals:
            if place >= len(order):
                raise ForethoughtError(f"{name} takes {_listed(defaults)}; '{part}' is one too many.")
            key, value = order[place], part
        key = aliases.get(key, key)
        if key not in defaults:
            hint = did_you_mean(key, order).strip().capitalize()
            raise ForethoughtError(f"{name} has no parameter '{key}'; it takes {_listed(defaults)}. {hint}".strip())
        if key in values:
            raise ForethoughtError(f"{name}: the parameter '{key}' is given twice.")
        values[key] = _unquoted(value)
    missing = [key for key, default in defaults.items() if default is REQUIRED and key not in values]
    if missing:
        raise ForethoughtError(f"{name} needs a value for '{missing[0]}': {name}({missing[0]}=...).")
    return values


def write_argument(value: Value) -> str:
    """Write a value as it stands in the parentheses, in quotation marks where it must be."""
    text = str(value)
    return text if re.fullmatch(r"[^\s,=\"']*", text) else '"' + text.replace('"', '""') + '"'


def parse_value(kind: type[Any], text: str) -> Value:
    """Read a value of one of the `KINDS`; raise a ValueError if the text is none."""
    if kind is bool and text.lower() not in _TRUTHS:
        raise ValueError(text)
    value: Value = _TRUTHS[text.lower()] if kind is bool else kind(text)
    return value


def _unquoted(text: str) -> str:
    """Return a text without its quotation marks; two of them inside are one."""
    quoted = len(text) > 1 and text[0] in QUOTES and text[-1] == text[0]
    return text[1:-1].replace(2 * text[0], text[0]) if quoted else text


def _value(name: str, parameter: inspect.Parameter, text: str) -> Value:
    kind = parameter.annotation
    if isinstance(kind, str):  # the file begins with `from __future__ import annotations`
        kind = {known.__name__: known for known in KINDS}.get(kind, kind)
    if kind not in KINDS:
        kind = type(parameter.default) if type(parameter.default) in KINDS else str
    try:
        return parse_value(kind, text)
    except ValueError:
        raise ForethoughtError(f"{name}: {parameter.name} must be {KINDS[kind]}, not {text!r}.") from None


def _listed(defaults: Mapping[str, Any]) -> str:
    shown = [key if default is REQUIRED else f"{key}={default}" for key, default in defaults.items()]
    return ", ".join(shown) or "no parameters"
