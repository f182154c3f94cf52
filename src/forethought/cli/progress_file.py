"""Progress for another program: where FORETHOUGHT_PROGRESS names a file, it holds how far the work is.

The page starts verbs as processes of their own and shows this. The file is replaced as a whole, so that whoever reads
it never sees half of it.
"""

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

FILE = "FORETHOUGHT_PROGRESS"
EVERY = 0.5  # seconds between two writings, at least


def progress_written() -> Callable[[str, float], None]:
    """Return what writes progress: what is being done, and the part of it that is; to nowhere if no file is named."""
    named = os.environ.get(FILE)
    return ProgressFile(Path(named)).write if named else lambda _what, _part: None


class ProgressFile:
    """Keeps the newest progress in a file, with the seconds that are left at the speed so far."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._clock = path, clock
        self._first: tuple[float, float] | None = None  # when the first part was done, and how much that was
        self._written = float("-inf")

    def write(self, what: str, part: float) -> None:
        """Write how far the work is, unless that was done a moment ago. A disk that is full stops nothing."""
        now, part = self._clock(), min(part, 1.0)
        self._first = self._first or (now, part)
        if now - self._written < EVERY and part < 1.0:
            return
        self._written = now
        beside = self._path.with_name(f".{self._path.name}.part")
        with suppress(OSError):
            beside.write_text(json.dumps({"what": what, "part": part, "seconds_left": self._left(now, part)}))
            beside.replace(self._path)

    def _left(self, now: float, part: float) -> float | None:
        then, before = self._first or (now, part)
        return (now - then) * (1.0 - part) / (part - before) if part > before else None
