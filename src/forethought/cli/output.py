"""What every verb shares: JSON for programs, tables for people, progress and forecasts on stderr."""

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from forethought.cli.progress_file import progress_written

PROBE_SECONDS, PROBE_PART = 1.0, 0.01  # of work, both, before the rest of it is forecast: the first steps tell little
LONG = 5.0  # seconds; what takes longer is forecast


def print_json(result: Any) -> None:
    """Print results of the library, and lists of them, as JSON."""
    from forethought.results import as_data  # noqa: PLC0415 (imports numpy)

    print(json.dumps(as_data(result), indent=2))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> None:
    """Print rows under headings; those named in `right` are numbers."""
    from rich import box  # noqa: PLC0415 (rich is slow to import)
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", no_wrap=column in right)
    for row in rows:
        table.add_row(*row)
    # A pipe has no width: print whole rows there.
    Console(width=None if sys.stdout.isatty() else 160).print(table)


@contextmanager
def progress(title: str, at_most: float = math.inf) -> Iterator[Callable[[str, float], None]]:
    """Show a bar on stderr, and a forecast if it will take long; the caller reports (what is being done, part done).

    `at_most` is how many seconds it can take, where that is known.
    """
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task, forecast, words = bar.add_task(title, total=1.0), DurationForecast(), title
        write = progress_written()

        def report(what: str, part: float) -> None:
            nonlocal words
            words = f"{title}: {what}"
            bar.update(task, description=words, completed=min(part, 1.0))
            write(what, part)
            seconds = forecast.after(part)
            if seconds is not None:
                bar.console.print(f"{title}: {span(seconds) if seconds < at_most else f'at most {at_most:g} s'}")

        with _compilation_shown(lambda text: bar.update(task, description=text or words)):
            yield report


@contextmanager
def _compilation_shown(show: Callable[[str], None]) -> Iterator[None]:
    """Let the bar on a terminal show what is being compiled; elsewhere there is no bar, but a line."""
    if not sys.stderr.isatty():
        yield
        return
    from forethought.compiler.announce import shown_by  # noqa: PLC0415 (imports Numba)

    with shown_by(show):
        yield


def _seconds_of_work() -> float:
    """Read a clock that stands still while rules or kernels are compiled; what is not imported has compiled nothing."""
    compiling = sys.modules.get("forethought.compiler.announce")
    return time.perf_counter() - (compiling.announcer.seconds if compiling else 0.0)


class DurationForecast:
    """Says once how long something takes, measured on its first second or hundredth; nothing if that is not long."""

    def __init__(self, clock: Callable[[], float] = _seconds_of_work) -> None:
        self._clock = clock
        self._first: tuple[float, float] | None = None  # when the first part was done, and how much that was
        self._decided = False

    def after(self, part: float) -> float | None:
        """Take the part that is done; return the seconds that the work takes, if that is known now and is long."""
        now = self._clock()
        if self._decided or part <= 0.0:
            return None
        if self._first is None:  # until here it may have compiled and loaded
            self._first = now, part
            return None
        then, before = self._first
        if now - then < PROBE_SECONDS or part - before < PROBE_PART:
            return None
        self._decided = True
        seconds = (now - then) * (1.0 + (1.0 - part) / (part - before))
        return seconds if seconds > LONG else None


def counted(number: int, what: str) -> str:
    """Say how many there are of something whose plural ends in s."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def span(seconds: float) -> str:
    """Say how long something will take."""
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
