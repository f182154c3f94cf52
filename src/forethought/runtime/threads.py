"""Threads of this process. Kernels hold no lock, so threads use all cores, and share weights without copies."""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

from forethought.runtime.executor import Executor, ExecutorSettings, Job, Result, Task, register_executor
from forethought.runtime.futures import as_finished


class Threads:
    """Runs tasks in threads."""

    def __init__(self, workers: int = 0) -> None:
        """Use this many threads; 0: one per core."""
        self.workers = workers or os.cpu_count() or 1

    def map(self, task: Task[Job, Result], jobs: Iterable[Job]) -> Iterator[tuple[Job, Result]]:
        stop, pool = Event(), ThreadPoolExecutor(self.workers)
        try:
            yield from as_finished(lambda job: pool.submit(task, job, stop.is_set), jobs, self.workers)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


@register_executor("threads")
@dataclass(frozen=True, kw_only=True)
class ThreadSettings(ExecutorSettings):
    """Runs work in threads of this process."""

    def start(self) -> Executor:
        return Threads(self.workers)
