"""Arrays on disk: safetensors files that name their format and know when they are damaged.

Networks, patterns, policies, checkpoints and games of self-play are all such files. The header holds the format, JSON
about the arrays, and a digest of both and of the arrays. Nothing in a file can execute.

A file may also have several named *parts*, each of which is what a file of its own would hold.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as of_bytes
from safetensors.numpy import save as to_bytes

from forethought.arrays import Array
from forethought.errors import ForethoughtError
from forethought.files import write_atomically

SEPARATOR = "/"  # between the name of a part and that of an array
HEADER = "forethought"  # the only key of safetensors' metadata: it would write several in an order that varies
# What reading bytes that are no such file can raise: safetensors, JSON and NumPy each have exceptions of their own.
UNREADABLE = (SafetensorError, ValueError, TypeError, KeyError, AttributeError, OverflowError, MemoryError)


class Format(NamedTuple):
    """A kind of file."""

    name: str  # with a version, as in the header
    what: str  # what people call it
    made_by: str  # how one is made, as the end of a sentence
    used_by: str = ""  # what it is for, likewise, for those who give another kind of file


PARTS = Format("forethought parts 1", "file of several parts", "`forethought train GAME --algorithm alphago` makes one")


class Content(NamedTuple):
    """What a file of some format holds."""

    format: Format
    arrays: Mapping[str, Array]
    about: Mapping[str, Any]


@dataclass(frozen=True)
class Tensors:
    """What a file holds; the digest was right, but what the arrays mean is for the reader of the format to check."""

    path: Path
    format: Format
    arrays: dict[str, Array]
    about: dict[str, Any]

    def check_about(self, spec: str, /, **identity: Any) -> None:
        """Refuse a file that is about something else; `spec` names the game that it should be about."""
        if any(self.about.get(key) != value for key, value in identity.items()):
            raise ForethoughtError(f"{self.path} is a {self.format.what} of {self.about.get('spec')}, not of {spec}.")

    def damaged(self) -> ForethoughtError:
        """Return the refusal of arrays that are not what the header tells of."""
        return _damaged(self.path, self.format, "its arrays are not those its header tells of")

    def part(self, name: str, *formats: Format) -> "Tensors":
        """Return a part of one of these formats; one that is missing, or of another format, is refused."""
        parts = self.about.get("parts", {}) if self.format == PARTS else {}
        if not isinstance(parts, dict):
            raise self.damaged()
        if name not in parts:
            held = f"only {', '.join(parts)}" if parts else f"but one {self.format.what}"
            raise ForethoughtError(f"{self.path} has no part '{name}', {held}; {PARTS.made_by}.")
        try:
            known, about = parts[name]["format"], dict(parts[name]["about"])
        except UNREADABLE as error:
            raise self.damaged() from error
        found, prefix = _known(self.path, known, formats), name + SEPARATOR
        own = {key.removeprefix(prefix): array for key, array in self.arrays.items() if key.startswith(prefix)}
        return Tensors(self.path, found, own, about)


def write_parts(path: Path, parts: Mapping[str, Content]) -> None:
    """Write a file of several parts, by their names."""
    arrays = {part + SEPARATOR + name: array for part, own in parts.items() for name, array in own.arrays.items()}
    about = {part: {"format": own.format.name, "about": own.about} for part, own in parts.items()}
    write_tensors(path, PARTS, arrays, {"parts": about})


def write_tensors(path: Path, format: Format, arrays: Mapping[str, Array], about: Mapping[str, Any]) -> None:
    """Write a file, whole or not at all."""
    write_atomically(path, tensors_to_bytes(format, arrays, about))


def tensors_to_bytes(format: Format, arrays: Mapping[str, Array], about: Mapping[str, Any]) -> bytes:
    """Return the content of a file."""
    packed = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    words = json.dumps(about)
    header = {"format": format.name, "about": words, "sha256": _digest(packed, words)}
    return to_bytes(packed, {HEADER: json.dumps(header)})


def read_tensors(path: Path, *formats: Format) -> Tensors:
    """Read a file of one of these formats; any that is missing, damaged or of another format is refused."""
    wanted = formats[0]
    try:
        content = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise ForethoughtError(f"There is no {wanted.what} '{path}'; {wanted.made_by}.") from None
    except OSError as error:
        raise ForethoughtError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        header, arrays = _header(content), of_bytes(content)
        name, words = header.get("format"), str(header.get("about"))
        sound = header.get("sha256") == _digest(arrays, words)
        about = dict(json.loads(words)) if sound else {}
    except UNREADABLE as error:
        raise _damaged(path, wanted, "its content cannot be read") from error
    found = _known(path, name, formats)
    if not sound:
        raise _damaged(path, found, "its content is not what its digest tells of")
    return Tensors(path, found, arrays, about)


def _known(path: Path, name: Any, formats: Sequence[Format]) -> Format:
    """Return the format of this name; others than those wanted are refused."""
    for known in formats:
        if known.name == name:
            return known
    wanted, listed = formats[0], " or ".join(f"'{known.name}'" for known in formats)
    raise ForethoughtError(f"{path} holds '{name}', not {listed}; {wanted.used_by or wanted.made_by}.")


def _damaged(path: Path, format: Format, reason: str) -> ForethoughtError:
    return ForethoughtError(f"{path} is damaged, or no {format.what}: {reason}; {format.made_by}.")


def _header(content: bytes) -> dict[str, Any]:
    """Return the header's own words: safetensors begins with its header's length, then JSON."""
    length = int.from_bytes(content[:8], "little")
    metadata = json.loads(content[8 : 8 + length]).get("__metadata__", {})
    return dict(json.loads(metadata.get(HEADER, "{}")))


def _digest(arrays: Mapping[str, Array], words: str) -> str:
    state = hashlib.sha256(words.encode())
    for name in sorted(arrays):
        array = arrays[name]
        state.update(f"\0{name}\0{array.dtype.str}\0{array.shape}\0".encode())
        state.update(array.tobytes())
    return state.hexdigest()
