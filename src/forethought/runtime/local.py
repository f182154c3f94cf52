"""Values that stay in the process in which they were made."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Local(Generic[Value]):
    """A part of a job that is not data: a loaded game or network.

    Threads share it with the job. Where a job is sent to another process it stays behind, and is made there again.
    """

    def __init__(self, value: Value | None = None) -> None:
        self._value, self._lock = value, Lock()

    def get(self, make: Callable[[], Value]) -> Value:
        """Return the value, made once in each process."""
        with self._lock:
            if self._value is None:
                self._value = make()
            return self._value

    def __reduce__(self) -> tuple[type["Local[Value]"], tuple[()]]:
        return Local, ()
