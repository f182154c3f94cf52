"""Interpreted rules that do not end: another thread interrupts them, on the line where they are."""

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time

SECONDS = 2.0  # of the processor's time, in which interpreted rules make a step in any game


class EndlessRuleError(Exception):
    """A rule has run for so long that it will not end."""

    def __str__(self) -> str:
        return "it does not end"


def was_endless(error: BaseException) -> bool:
    """Whether an error comes from a rule that was interrupted."""
    return isinstance(error, EndlessRuleError) or (error.__cause__ is not None and was_endless(error.__cause__))


@contextmanager
def interrupted_if_endless(steps: Callable[[], object] = lambda: None, seconds: float = SECONDS) -> Iterator[None]:
    """Raise EndlessRuleError in what runs inside, once, when `steps()` has returned the same for so many seconds."""
    thread, lock, over = threading.get_ident(), threading.Lock(), threading.Event()

    def watch() -> None:
        last, since = steps(), process_time()
        while not over.wait(seconds / 4):
            made = steps()
            if made != last:
                last, since = made, process_time()
            elif process_time() - since > seconds:
                with lock:
                    if not over.is_set():
                        _raise_in(thread, EndlessRuleError)
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            over.set()
        _raise_in(thread, None)  # what was to be raised and came too late


def _raise_in(thread: int, error: type[Exception] | None) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object() if error is None else ctypes.py_object(error)
    )
