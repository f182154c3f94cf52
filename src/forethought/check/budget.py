"""The time of a check, and what becomes of it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter

from forethought.endless import interrupted_if_endless

Progress = Callable[[str, float], None]

MOST_SECONDS = 5.0  # of the processor, for all that is done in one position


class TimeBudget:
    """So many seconds for a whole check; those in which rules are compiled do not count."""

    def __init__(self, seconds: float, progress: Progress, clock: Callable[[], float] = perf_counter) -> None:
        self._seconds, self._progress, self._clock = seconds, progress, clock
        self._began = clock()
        self.part = 0.0  # of the whole check that is done
        self.steps = 0  # how often that was reported
        self.is_stopped = False

    @property
    def used(self) -> float:
        """The part of the time that is over; above 1 if it was too long."""
        return (self._clock() - self._began) / self._seconds

    def interrupted_if_endless(self) -> AbstractContextManager[None]:
        """Interrupt a position that takes too long, unless its rules are being compiled."""
        return interrupted_if_endless(lambda: self._clock() if self.is_stopped else self.steps, MOST_SECONDS)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let no time pass meanwhile."""
        began, self.is_stopped = self._clock(), True
        try:
            yield
        finally:
            self._began += self._clock() - began
            self.is_stopped = False

    def stage(self, name: str, enough: int, until: float = 1.0) -> "Stage":
        """Begin a part of the check, which ends when enough is done, or when this part of all the time is over."""
        return Stage(self, name, enough, until)

    def report(self, name: str, part: float) -> None:
        self.part = part
        self.steps += 1
        self._progress(name, part)


class Stage:
    """A part of a check."""

    def __init__(self, budget: TimeBudget, name: str, enough: int, until: float) -> None:
        self._budget, self._name, self._enough, self._until = budget, name, enough, until
        self._began, self._before = budget.used, budget.part

    def goes_on(self, done: int) -> bool:
        """Whether there is more to do, and time for it."""
        time = (self._budget.used - self._began) / max(self._until - self._began, 1e-9)
        part = min(max(done / self._enough, time), 1.0)
        self._budget.report(self._name, self._before + part * max(self._until - self._before, 0.0))
        return part < 1.0
