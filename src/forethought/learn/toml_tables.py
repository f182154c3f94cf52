"""TOML files that users write: read, and whatever is wrong said in one sentence with its place."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError
from forethought.specs import did_you_mean


@contextmanager
def placed(where: object) -> Iterator[None]:
    """Say where a mistake is."""
    try:
        yield
    except ForethoughtError as error:
        raise ForethoughtError(f"{where}: {error}") from error


def toml_table(file: Path) -> dict[str, Any]:
    """Read a file."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ForethoughtError(f"it cannot be read: {error.strerror}.") from error
    except (UnicodeError, tomllib.TOMLDecodeError) as error:
        raise ForethoughtError(f"it is not TOML: {error}.") from None


def refuse_unknown(table: Mapping[str, Any], known: Iterable[str], within: str) -> None:
    """Refuse keys that nobody reads."""
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known).strip() or f"keys are {', '.join(known)}."
            raise ForethoughtError(f"there is no key '{within}{key}'; {hint}")


def are_seeds(value: Any) -> bool:
    """Tell whether a value is a list of different seeds."""
    whole = isinstance(value, list) and all(type(seed) is int and seed >= 0 for seed in value)
    return whole and 0 < len(value) == len(set(value))


def flat_table(table: Any, within: str) -> dict[str, Any]:
    """Return what tables within tables hold, by dotted key."""
    if not isinstance(table, dict):
        raise ForethoughtError(f"{within} must be a table of settings, not {table!r}.")
    found: dict[str, Any] = {}
    for key, value in table.items():
        inner = (
            {f"{key}.{name}": one for name, one in flat_table(value, key).items()} if isinstance(value, dict) else {}
        )
        found |= inner or {key: value}
    return found
