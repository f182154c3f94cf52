"""What a run tells as it goes: a file of JSON lines that only ever grows, and the reports of iterations in it.

A line that a crash cut short is read as nothing, and cut off when the run is opened to go on.
"""

import contextlib
import errno
import json
import math
import os
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError

Event = dict[str, Any]
ITERATION = "iteration"


class EventLog:
    """The events of a run, open for appending. One process writes, from any of its threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            self._cut_torn_line()
        except OSError as error:
            raise self._mistake(error) from error

    def append(self, kind: str, **values: Any) -> None:
        """Add an event; once this returns, it survives a power cut. A line that does not fit on the disk is undone."""
        event = {"kind": kind, "time": round(time.time(), 3), **values}
        line = (json.dumps(_plain(event)) + "\n").encode()
        with self._lock:
            size = os.fstat(self._file).st_size
            try:
                if os.write(self._file, line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(self._file)
            except OSError as error:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._file, size)
                raise self._mistake(error) from error

    def close(self) -> None:
        os.close(self._file)

    def _cut_torn_line(self) -> None:
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._file, whole)

    def _mistake(self, error: OSError) -> ForethoughtError:
        return ForethoughtError(f"{self.path} cannot be written: {error.strerror}.")


def read_events(path: Path) -> list[Event]:
    """Return the events of a file, none if there is no file; lines that are damaged or still being written are not."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ForethoughtError(f"{path} cannot be read: {error.strerror}.") from error
    events = []
    for line in lines:
        with contextlib.suppress(ValueError):
            event = json.loads(line)
            if isinstance(event, dict) and isinstance(event.get("kind"), str):
                events.append(event)
    return events


@dataclass(frozen=True)
class IterationReport:
    """What one iteration did: `run.report(ITERATION, **asdict(report))`."""

    iteration: int
    games: int  # of self-play
    samples: int  # rows they gave
    walks: int
    seconds: float  # in all
    search_seconds: float  # of self-play, by the clock
    walks_per_second: float
    games_per_second: float
    loss: float | None  # None if it was no number: the training diverged
    entropy: float | None  # of the network's policies
    remembered: int  # rows in memory
    nashconv: float | None = None  # where it was measured and can be computed
    win_rate: float | None = None  # where it was measured
    win_rate_low: float | None = None
    win_rate_high: float | None = None
    value_loss: float | None = None  # squared error of the network's values; 0 without


def iteration_reports(events: Iterable[Event]) -> list[IterationReport]:
    """Return the reports in order; of an iteration that was done again after a crash, the last."""
    found = {}
    for event in events:
        report = _report_of(event) if event["kind"] == ITERATION else None
        if report is not None:
            found[report.iteration] = report
    return [found[iteration] for iteration in sorted(found)]


def _report_of(event: Mapping[str, Any]) -> IterationReport | None:
    """Return the report an event tells; None if it tells it wrongly."""
    try:
        kinds = {one.name: one.type for one in fields(IterationReport) if one.name in event}
        return IterationReport(**{name: _number(event[name], kind) for name, kind in kinds.items()})
    except (TypeError, ValueError):
        return None


def _number(value: Any, kind: Any) -> Any:
    if value is None and kind == float | None:
        return None
    return int(value) if kind is int else float(value)


def _plain(value: Any) -> Any:
    """Return numbers of NumPy as Python's, and what JSON has no word for (a loss that diverged) as null."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value
