"""Threads of this process. Kernels hold no lock, so threads use all cores, and share weights without copies."""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from threading import Event

from forethought.runtime.executor import Executor, ExecutorSettings, Job, Result, Task, register_executor
from forethought.settings import setting

AHEAD = 2  # jobs handed out per worker, so that none waits for the next


class Threads:
    """Runs tasks in threads."""

    def __init__(self, workers: int = 0) -> None:
        """Use this many threads; 0: one per core."""
        self.workers = workers or os.cpu_count() or 1

    def map(self, task: Task[Job, Result], jobs: Iterable[Job]) -> Iterator[tuple[Job, Result]]:
        stop, pool, waiting = Event(), ThreadPoolExecutor(self.workers), iter(jobs)
        running: dict[Future[Result], Job] = {}
        try:
            while True:
                for job in islice(waiting, self.workers * AHEAD - len(running)):
                    running[pool.submit(task, job, stop.is_set)] = job
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(done), done.result()
        finally:  # also when the caller has seen enough, or Ctrl-C was pressed
            stop.set()
            pool.shutdown(cancel_futures=True)


@register_executor("threads")
@dataclass(frozen=True, kw_only=True)
class ThreadSettings(ExecutorSettings):
    """Runs work in threads of this process."""

    workers: int = setting("threads that work; 0: one per core", 0, low=0)

    def start(self) -> Executor:
        return Threads(self.workers)
