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
from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError
from forethought.learn.metrics import IterationReport, Metric

Event = dict[str, Any]
ITERATION, METRICS = "iteration", "metrics"


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


def iteration_reports(events: Iterable[Event]) -> list[IterationReport]:
    """Return the reports in order; of an iteration that was done again after a crash, the last."""
    found = {}
    for event in events:
        if event["kind"] == ITERATION and isinstance(event.get("iteration"), int):
            values = event.get("values")
            found[event["iteration"]] = _numbers(values if isinstance(values, dict) else {})
    return [IterationReport(iteration, found[iteration]) for iteration in sorted(found)]


def described_metrics(events: Iterable[Event]) -> list[Metric]:
    """Return the metrics that a run reports, in the order in which they are to be shown."""
    metrics: dict[str, Metric] = {}
    for event in events:
        listed = event.get("metrics") if event["kind"] == METRICS else []
        for one in listed if isinstance(listed, list) else []:
            with contextlib.suppress(TypeError, KeyError):
                metrics[one["name"]] = Metric(**one)
    return list(metrics.values())


def _numbers(values: Mapping[str, Any]) -> dict[str, float]:
    return {str(name): value for name, value in values.items() if isinstance(value, int | float)}


def _plain(value: Any) -> Any:
    """Return numbers of NumPy as Python's, and what JSON has no word for (a loss that diverged) as null."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value
