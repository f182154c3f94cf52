"""Announce compilation that keeps the user waiting: once, with its progress where a line can change."""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE_SECONDS = 0.5

Show = Callable[[str], None]  # shows a text in place of the one before; an empty text removes it


class Announcer:
    """Counts functions to compile and compiled ones, in all threads, and shows the numbers if it takes long."""

    def __init__(self, show: Show) -> None:
        self.show = show
        self._lock = threading.RLock()
        self._expected: set[Any] = set()
        self._finished: set[Any] = set()
        self._waiting = 0
        self._began = 0.0  # the wait that lasts
        self._waited = 0.0  # seconds, in waits that are over
        self._timer: threading.Timer | None = None
        self._visible = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Announce what is compiled inside. A kernel compiles those it calls: the outermost ends the announcement."""
        with self._lock:
            if not self._waiting:
                self._began = time.perf_counter()
            self._waiting += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting -= 1
                if not self._waiting:
                    self._waited += time.perf_counter() - self._began
                    self._end()

    @property
    def seconds(self) -> float:
        """How long anybody has waited for machine code so far."""
        with self._lock:
            return self._waited + (time.perf_counter() - self._began if self._waiting else 0.0)

    def expect(self, functions: Iterable[Any]) -> None:
        """Report that one of these functions must be compiled, and those that it calls, the others, if they are not."""
        with self._lock:
            self._expected.update(functions)
            if self._timer is None:
                self._timer = threading.Timer(PATIENCE_SECONDS, self._begin)
                self._timer.daemon = True
                self._timer.start()

    def finish(self, functions: Iterable[Any]) -> None:
        """Report that these functions are there, compiled now or found on disk."""
        with self._lock:
            self._finished.update(functions)
            self._update()

    @property
    def counts(self) -> tuple[int, int]:
        """How many functions are compiled of those that are being waited for, and how many these are."""
        return len(self._expected & self._finished), len(self._expected)

    def _begin(self) -> None:
        with self._lock:
            self._visible = self._timer is not None
            self._update()

    def _update(self) -> None:
        if self._visible:
            done, all_of_them = self.counts
            self.show(f"compiling, first run only: {done} of {all_of_them} functions")

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._visible:
            self.show("")
        self._timer, self._visible = None, False
        self._expected.clear()
        self._finished.clear()


class OnStderr:
    """Shows texts in one line of a terminal, which is empty in the end; elsewhere only the first, without numbers."""

    def __init__(self) -> None:
        self._said = False

    def __call__(self, text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif text and not self._said:
            self._said = True
            print(f"{text.partition(':')[0]} ...", file=sys.stderr, flush=True)


announcer = Announcer(OnStderr())


class Stopwatch:
    """Measures work, without the time in which machine code was compiled for it."""

    def __init__(self) -> None:
        self._began = time.perf_counter() - announcer.seconds

    @property
    def seconds(self) -> float:
        waited = announcer.seconds  # before the clock is read: what is between the two is not negative
        return time.perf_counter() - waited - self._began


@contextmanager
def shown_by(show: Show) -> Iterator[None]:
    """Let something else show texts for a while: a terminal with a bar on it has no line to spare."""
    before, announcer.show = announcer.show, show
    try:
        yield
    finally:
        announcer.show = before
