"""Jobs as futures of `concurrent.futures`, for executors whose workers are a pool."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice

from forethought.runtime.executor import Job, Result

AHEAD = 2  # jobs submitted per worker, so that none waits for the next


def as_finished(
    submit: Callable[[Job], "Future[Result]"], jobs: Iterable[Job], workers: int
) -> Iterator[tuple[Job, Result]]:
    """Submit jobs as there is room for them; yield each with its result when it is finished.

    Closing the iterator cancels the jobs that have not begun.
    """
    waiting, running = iter(jobs), dict[Future[Result], Job]()
    try:
        while True:
            for job in islice(waiting, workers * AHEAD - len(running)):
                running[submit(job)] = job
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()
    finally:  # also when the caller has seen enough, or Ctrl-C was pressed
        for future in running:
            future.cancel()
