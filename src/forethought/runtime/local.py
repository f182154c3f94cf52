"""Values that stay in the process in which they were made."""

import secrets
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")

KEPT = 32  # values of jobs that were sent here


class Local(Generic[Value]):
    """A part of a job that is not data: a loaded game or network.

    Threads share it with the job. Where a job is sent to another process it stays behind, and is made there again,
    once for all jobs that share it.
    """

    def __init__(self, value: Value | None = None) -> None:
        self._value, self._lock, self._name = value, Lock(), secrets.token_hex(8)

    def get(self, make: Callable[[], Value]) -> Value:
        """Return the value, made once in each process."""
        with self._lock:
            if self._value is None:
                self._value = make()
            return self._value

    def __reduce__(self) -> "tuple[Callable[[str], Local[Any]], tuple[str]]":
        return _sent, (self._name,)


@lru_cache(KEPT)
def _sent(_name: str) -> Local[Any]:
    return Local()
