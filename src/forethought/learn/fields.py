"""What a setting is: a field with a comment, and what it may be."""

import json
import math
import re
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, ClassVar

from forethought.errors import ForethoughtError

LARGEST = 2**63 - 1  # of any number
KINDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


@dataclass(frozen=True)
class Limits:
    """What a setting may be."""

    low: float = -math.inf
    high: float = LARGEST
    above: float = -math.inf
    words: tuple[str, ...] = ()
    pattern: str = ".*"

    def admit(self, value: int | float | str) -> bool:
        if isinstance(value, str):
            known = not self.words or value in self.words
            return known and value.isprintable() and re.fullmatch(self.pattern, value) is not None
        return self.low <= value <= self.high and value > self.above

    def __str__(self) -> str:
        if self.words:
            return f"one of {', '.join(self.words)}"
        bounds = (("at least", self.low), ("above", self.above), ("at most", self.high))
        return " and ".join(f"{name} {bound:g}" for name, bound in bounds if abs(bound) < LARGEST)


def setting(about: str, default: Any = MISSING, example: str = "", **limits: Any) -> Any:
    """Return a field of a configuration, with its comment and what it may be."""
    return field(default=default, metadata={"about": about, "example": example, "limits": Limits(**limits)})


class Checked:
    """Refuses values that cannot be, whoever gives them."""

    SECTION: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for one in fields(self):  # type: ignore[arg-type]
            if one.type in KINDS:
                value = checked_value(self.SECTION + one.name, one, getattr(self, one.name))
                object.__setattr__(self, one.name, value)  # 1 for 1.0


def checked_value(key: str, one: Field[Any], value: Any) -> int | float | str:
    """Return the value if the setting can have it: a whole number may stand for a number, and nothing for another."""
    kind, limits = one.type, one.metadata["limits"]
    fits = type(value) is kind or (kind is float and type(value) is int)
    if not fits or not limits.admit(value):
        raise ForethoughtError(f"{key} must be {wanted(one)}, not {shown(value)}.")
    made: int | float | str = float(value) if kind is float else value
    return made


def wanted(one: Field[Any]) -> str:
    limits, example = one.metadata["limits"], one.metadata["example"]
    if limits.words:
        return str(limits)
    words = [KINDS[one.type], str(limits), f"such as {example}" if example else ""]  # type: ignore[index]
    return " ".join(filter(None, words))


def shown(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def read_value(key: str, one: Field[Any], text: str) -> int | float | str:
    """Read a value from text, by the type of its setting."""
    kind: Any = one.type
    try:
        value: int | float | str = {"true": True, "false": False}[text] if kind is bool else kind(text)
    except (KeyError, ValueError):
        raise ForethoughtError(f"{key} must be {wanted(one)}, not '{text}'.") from None
    return value


def write_value(value: int | float | str) -> str:
    """Write a value as TOML does."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else repr(value)
