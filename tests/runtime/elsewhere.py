"""An executor as strange as its protocol allows: it runs copies of jobs, made of bytes, and the last job first."""

import pickle
from collections.abc import Iterable, Iterator

from forethought.runtime.executor import Job, Result, Task


class Elsewhere:
    """Runs tasks as another process would: of a task and a job it knows only what can be sent."""

    workers = 3

    def map(self, task: Task[Job, Result], jobs: Iterable[Job]) -> Iterator[tuple[Job, Result]]:
        for job in reversed(list(jobs)):
            sent_task, sent_job = pickle.loads(pickle.dumps((task, job)))  # noqa: S301 (its own bytes)
            yield job, pickle.loads(pickle.dumps(sent_task(sent_job, lambda: False)))  # noqa: S301
