"""An executor in one file: processes of this machine, which share nothing.

    FORETHOUGHT_PLUGINS=my_executor.py forethought train leduc --executor processes:4

The same file with another pool runs jobs on other machines.
"""

import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from threading import Thread

from forethought.runtime.executor import Executor, ExecutorSettings, Job, Result, Task, register_executor
from forethought.runtime.futures import as_finished


@register_executor("processes")
@dataclass(frozen=True, kw_only=True)
class ProcessSettings(ExecutorSettings):
    """Runs work in processes of this machine."""

    def start(self) -> Executor:
        return Processes(self.workers)


class Processes:
    """Runs tasks in processes. They are started once, as each has to import and load everything anew."""

    def __init__(self, workers: int = 0) -> None:
        """Use this many processes; 0: one per core."""
        self.workers = workers or os.cpu_count() or 1
        self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"), initializer=obey_parent)

    def map(self, task: Task[Job, Result], jobs: Iterable[Job]) -> Iterator[tuple[Job, Result]]:
        return as_finished(lambda job: self._pool.submit(run, task, job), jobs, self.workers)


def run(task: Task[Job, Result], job: Job) -> Result:
    """Run a task. A job that has begun comes to its end, also after Ctrl-C."""
    return task(job, lambda: False)


def obey_parent() -> None:
    """Leave Ctrl-C to the process that started this one, and end when it does, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
