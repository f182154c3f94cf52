"""Interpreted rules that do not end: they are interrupted, on the line where they are."""

import ctypes
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time

SECONDS = 2.0  # of the processor's time, in which interpreted rules get on in any game


class EndlessRuleError(Exception):
    """A rule has run for so long that it will not end."""

    def __str__(self) -> str:
        return "it does not end"


@contextmanager
def interrupted_if_endless(seconds: float = SECONDS) -> Iterator[Callable[[], None]]:
    """Raise EndlessRuleError in what runs inside, unless it calls what this gives at least every so many seconds."""
    thread, lock, over = threading.get_ident(), threading.Lock(), threading.Event()
    last = process_time()

    def get_on() -> None:
        nonlocal last
        last = process_time()

    def watch() -> None:
        while not over.wait(seconds / 4):
            with lock:
                if process_time() - last > seconds and not over.is_set():
                    _raise_in(thread, EndlessRuleError)
                    return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield get_on
    finally:
        with lock:
            over.set()
        _raise_in(thread, None)  # what was to be raised and came too late


def _raise_in(thread: int, error: type[Exception] | None) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object() if error is None else ctypes.py_object(error)
    )
