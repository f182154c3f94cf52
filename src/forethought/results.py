"""Results of the library's functions: frozen dataclasses that are plain data, and draw themselves in a notebook."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

from forethought.drawing.markup import element, table

Item = TypeVar("Item")

ASIDE = {"aside": True}  # metadata of a field that is not data: a policy, a picture


class ResultBase:
    """What results have in common."""

    def as_dict(self) -> dict[str, Any]:
        """Return the result as plain data: what `--json` prints."""
        return _fields(self)


class Listing(list[Item]):
    """A list of results, which shows itself as a table in a notebook."""

    def _repr_html_(self) -> str:
        rows = [as_data(one) for one in self]
        if not rows:
            return element("div", "nothing")
        columns = list(rows[0])
        return table(columns, [[_shown(row[column]) for column in columns] for row in rows], left=columns)


def as_data(value: Any) -> Any:
    """Return a value as plain data; of a dataclass all fields but those that are set ASIDE."""
    if isinstance(value, ResultBase):
        return value.as_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return _fields(value)
    if hasattr(value, "_asdict"):  # a named tuple
        return as_data(value._asdict())
    if isinstance(value, Mapping):
        return {key: as_data(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_data(part) for part in value]
    return str(value) if isinstance(value, Path) else value


def _fields(value: Any) -> dict[str, Any]:
    return {one.name: as_data(getattr(value, one.name)) for one in fields(value) if "aside" not in one.metadata}


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}={part}" for key, part in value.items())
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
