"""Strings that name things: `name`, `name(key=value, value)`, read by the signature of what they name."""

import difflib
import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any

from forethought.errors import ForethoughtError

_SPEC = re.compile(r"^(?P<name>[^()]+?)\s*(?:\((?P<arguments>.*)\))?$", re.DOTALL)
_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}


def split_spec(spec: str, example: str) -> tuple[str, str]:
    """Return the name and what stands in the parentheses; the example shows how it is written."""
    match = _SPEC.match(spec.strip())
    if match is None:
        raise ForethoughtError(f"'{spec}' names nothing; write it as {example}.")
    return match["name"], match["arguments"] or ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question about the nearest known name, or nothing."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""


def parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return what a string may give: the function's parameters that have names and plain types."""
    return dict(inspect.signature(function).parameters)


def read_arguments(name: str, text: str, wanted: dict[str, inspect.Parameter]) -> dict[str, Any]:
    """Read `cards=6, payoff=points`, or values alone in order, by the types that are declared."""
    values: dict[str, Any] = {}
    order = list(wanted)
    for place, part in enumerate(filter(None, (piece.strip() for piece in text.split(",")))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            if place >= len(order):
                raise ForethoughtError(f"{name} takes {_listed(wanted)}; '{part}' is one too many.")
            key, value = order[place], key
        if key not in wanted:
            hint = did_you_mean(key, order).strip().capitalize()
            raise ForethoughtError(f"{name} has no parameter '{key}'; it takes {_listed(wanted)}. {hint}".strip())
        if key in values:
            raise ForethoughtError(f"{name}: the parameter '{key}' is given twice.")
        values[key] = _value(name, wanted[key], value)
    missing = [key for key, parameter in wanted.items() if parameter.default is parameter.empty and key not in values]
    if missing:
        raise ForethoughtError(f"{name} needs a value for '{missing[0]}': {name}({missing[0]}=...).")
    return values


def _value(name: str, parameter: inspect.Parameter, text: str) -> Any:
    kind = parameter.annotation
    if isinstance(kind, str):  # the file begins with `from __future__ import annotations`
        kind = {"int": int, "float": float, "bool": bool, "str": str}.get(kind, kind)
    if kind not in _KINDS:
        kind = type(parameter.default) if type(parameter.default) in _KINDS else str
    try:
        if kind is bool:
            return {"true": True, "false": False, "1": True, "0": False}[text.lower()]
        return kind(text.strip("\"'"))
    except (ValueError, KeyError):
        raise ForethoughtError(f"{name}: {parameter.name} must be {_KINDS[kind]}, not '{text}'.") from None


def _listed(wanted: dict[str, inspect.Parameter]) -> str:
    shown = [key if p.default is p.empty else f"{key}={p.default}" for key, p in wanted.items()]
    return ", ".join(shown) or "no parameters"
