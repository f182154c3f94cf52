"""The threads of the server: one pool for each kind of work, with a fair share for each client."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

DISK_THREADS = 4

T = TypeVar("T")


class ClientPool:
    """Threads of which one client gets at most half."""

    def __init__(self, threads: int, name: str) -> None:
        self._threads, self._share = ThreadPoolExecutor(threads, name), max(1, threads // 2)
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()  # of clients with jobs now

    async def run(self, client: str, job: Callable[[], T]) -> T:
        """Run a client's job in a thread, as soon as one is free for this client."""
        turn = self._turns.setdefault(client, asyncio.Semaphore(self._share))
        async with turn:
            return await asyncio.get_running_loop().run_in_executor(self._threads, job)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class ThreadPools:
    """Separate pools, so that players never wait for thoughts and reviews, nor the disk for a search."""

    def __init__(self, threads: int) -> None:
        self.moves = ClientPool(threads, "forethought-move")
        self.thoughts = ClientPool(threads, "forethought-thought")
        self.reviews = ClientPool(1, "forethought-review")
        self.disk = ThreadPoolExecutor(DISK_THREADS, "forethought-disk")

    def close(self) -> None:
        for pool in (self.moves, self.thoughts, self.reviews):
            pool.close()
        self.disk.shutdown(wait=True)  # what was shown to a client is written
