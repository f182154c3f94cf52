"""End a rule that does not end by itself: another thread can interrupt interpreted Python, not machine code."""

import ctypes
from threading import Event, Thread, get_ident
from time import process_time
from types import TracebackType

from forethought.check.budget import TimeBudget

MOST_SECONDS = 5.0  # of the processor, for all that is done in one position
LOOKS = 0.2  # seconds between two looks


class EndlessError(Exception):
    """A rule was interrupted."""

    def __init__(self) -> None:
        super().__init__(f"does not end, or takes longer than {MOST_SECONDS:g} s")


def was_endless(error: BaseException) -> bool:
    """Whether an error comes from a rule that was interrupted."""
    return isinstance(error, EndlessError) or (error.__cause__ is not None and was_endless(error.__cause__))


class Watch:
    """Looks whether a check goes on, and interrupts the thread that began it where it does not."""

    def __init__(self, budget: TimeBudget) -> None:
        self._budget, self._over = budget, Event()
        self._thread = Thread(target=self._look, args=(get_ident(),), daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def _look(self, checking: int) -> None:
        steps, since = -1, process_time()
        while not self._over.wait(LOOKS):
            if self._budget.is_stopped or self._budget.steps != steps:
                steps, since = self._budget.steps, process_time()
            elif process_time() - since > MOST_SECONDS:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(checking), ctypes.py_object(EndlessError))
                since = process_time()
