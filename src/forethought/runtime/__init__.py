"""Where work runs. Kernels hold no lock, so threads are enough on one machine, and share weights without copies."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Stopped(Exception):  # noqa: N818 (not an error)
    """Work that was told to stop before its end."""


def in_threads(
    work: Callable[[Item, Event], Result], items: Sequence[Item], workers: int
) -> Iterator[tuple[Item, Result]]:
    """Yield (item, result) as they are finished.

    Whoever stops listening stops the work: what has not begun never does, and what runs sees its event set and may
    raise `Stopped`.
    """
    stop, pool = Event(), ThreadPoolExecutor(max(1, workers))
    try:
        futures = {pool.submit(work, item, stop): item for item in items}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
