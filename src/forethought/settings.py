"""Settings: frozen dataclasses whose fields carry their text, range and default, declared once and read everywhere.

A player string, a training configuration, the page's forms and limits, `forethought players` and the docs all read the
same fields.
A class that derives from another may give a setting another default (`changed`) or take it away (`fixed`); the text
and range stay those of the one declaration.
"""

import json
import math
import re
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from typing import Any, TypeVar

from forethought.errors import ForethoughtError
from forethought.registry import Registry
from forethought.specs import (
    KINDS,
    REQUIRED,
    Value,
    parse_value,
    split_arguments,
    split_short_spec,
    write_argument,
)

LARGEST = 2**63 - 1  # of any number
_BY_NAME = {kind.__name__: kind for kind in KINDS}

Thing = TypeVar("Thing")
Made = TypeVar("Made", bound="Settings")


@dataclass(frozen=True)
class Range:
    """What a setting may be."""

    low: float = -math.inf
    high: float = LARGEST
    above: float = -math.inf
    words: tuple[str, ...] = ()
    pattern: str = ".*"

    def admits(self, value: Value) -> bool:
        if isinstance(value, str):
            known = not self.words or value in self.words
            return known and value.isprintable() and re.fullmatch(self.pattern, value) is not None
        return self.low <= value <= self.high and value > self.above

    def __str__(self) -> str:
        if self.words:
            return f"one of {', '.join(self.words)}"
        bounds = (("at least", self.low), ("above", self.above), ("at most", self.high))
        return " and ".join(f"{name} {bound:g}" for name, bound in bounds if abs(bound) < LARGEST)


@dataclass(frozen=True, eq=False)  # two declarations with the same words are still two
class Declaration:
    """One setting, as it was declared."""

    about: str
    example: str = ""
    names: str = ""  # what the text names: a "run", a "file", a "player" or "records"; nothing for other settings
    alias: str = ""  # another name in strings, such as one that Python reserves
    served: float | None = None  # the most that a client of the page may ask for; None: as much as the range allows


def setting(
    about: str,
    default: Any = MISSING,
    *,
    example: str = "",
    names: str = "",
    alias: str = "",
    served: float | None = None,
    **limits: Any,
) -> Any:
    """Declare a setting: a field of a `Settings` class."""
    declared = Declaration(about, example, names, alias, served)
    return field(default=default, metadata={"declared": declared, "range": Range(**limits), "fixed": False})


def changed(base: "type[Settings]", name: str, default: Any = MISSING, **limits: Any) -> Any:
    """Return a setting of another class with another default or range."""
    one = _field(base, name)
    metadata = {**one.metadata, "range": replace(one.metadata["range"], **limits), "fixed": False}
    return field(default=one.default if default is MISSING else default, metadata=metadata)


def fixed(base: "type[Settings]", name: str, value: Any) -> Any:
    """Return a setting of another class that always has this value, and that nobody is asked for."""
    return field(default=value, init=False, metadata={**_field(base, name).metadata, "fixed": True})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Refuses values outside their ranges, whoever gives them."""

    def __post_init__(self) -> None:
        for one in fields(self):
            if is_setting(one):
                value = checked_value(one.name, one, getattr(self, one.name))
                object.__setattr__(self, one.name, value)  # 1 for 1.0


def is_setting(one: Field[Any]) -> bool:
    return "declared" in one.metadata


def settings_of(kind: "type[Settings]") -> dict[str, Field[Any]]:
    """Return the settings that may be given, by name; those without a default first."""
    found = [one for one in fields(kind) if is_setting(one) and not one.metadata["fixed"]]
    return {one.name: one for one in sorted(found, key=lambda one: one.default is not MISSING)}


def settings_from(kind: "type[Made]", other: "Settings", **given: Any) -> "Made":
    """Return settings that agree with others in all that both have, but for what is given."""
    common = {name: getattr(other, name) for name in settings_of(kind) if hasattr(other, name)}
    return kind(**{**common, **given})


def kind_of(one: Field[Any]) -> type[Any]:
    """Return the type of a setting: int, float, str or bool."""
    kind: type[Any] = _BY_NAME[one.type] if isinstance(one.type, str) else one.type
    return kind


def checked_value(key: str, one: Field[Any], value: Any) -> Value:
    """Return the value if the setting can have it: a whole number may stand for a number, and nothing for another."""
    kind = kind_of(one)
    fits = type(value) is kind or (kind is float and type(value) is int)
    if not fits or not one.metadata["range"].admits(value):
        raise ForethoughtError(f"{key} must be {wanted(one)}, not {value!r}.")
    made: Value = float(value) if kind is float else value
    return made


def wanted(one: Field[Any]) -> str:
    """Say what a setting may be."""
    limits, example = one.metadata["range"], one.metadata["declared"].example
    if limits.words:
        return str(limits)
    return " ".join(filter(None, [KINDS[kind_of(one)], str(limits), f"such as {example}" if example else ""]))


def read_spec(
    spec: str, registry: Registry[Thing], example: str, settings: Callable[[Thing], "type[Made]"]
) -> tuple[Thing, "Made"]:
    """Read `name`, `name:value` or `name(key=value)`: return the registered thing, and the settings that are given."""
    name, arguments = split_short_spec(spec, example)
    found = registry.find(name)
    kind = settings(found)
    known = settings_of(kind)
    defaults = {key: REQUIRED if one.default is MISSING else one.default for key, one in known.items()}
    aliases = {one.metadata["declared"].alias: key for key, one in known.items()}
    given = split_arguments(name, arguments, defaults, aliases)
    return found, kind(**{key: read_value(key, known[key], text) for key, text in given.items()})


def write_spec(name: str, settings: "Settings") -> str:
    """Write settings so that `read_spec` reads the same: only what differs from the defaults."""
    known = {key: (getattr(settings, key), one.default) for key, one in settings_of(type(settings)).items()}
    given = [f"{key}={write_argument(value)}" for key, (value, default) in known.items() if value != default]
    return f"{name}({','.join(given)})" if given else name


def read_value(key: str, one: Field[Any], text: str) -> Value:
    """Read a value from text, by the type of its setting."""
    try:
        return parse_value(kind_of(one), text)
    except ValueError:
        raise ForethoughtError(f"{key} must be {wanted(one)}, not {text!r}.") from None


def write_value(value: Value) -> str:
    """Write a value as TOML does."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else repr(value)


def _field(kind: "type[Settings]", name: str) -> Field[Any]:
    for one in fields(kind):
        if one.name == name and is_setting(one):
            return one
    raise AttributeError(f"{kind.__name__} has no setting '{name}'")
