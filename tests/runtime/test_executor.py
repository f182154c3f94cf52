"""Executors: every job once, no more taken than there is room for, and nothing left running when nobody listens."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from threading import Barrier, Event
from typing import NamedTuple

import pytest

from forethought.errors import ForethoughtError
from forethought.runtime.executor import (
    NumberedJob,
    Stopping,
    batched,
    close_iterator,
    description_of,
    find_executor,
    in_order,
)
from forethought.runtime.futures import AHEAD
from forethought.runtime.threads import Threads
from tests.runtime.cluster_tasks import MarkedJob
from tests.runtime.elsewhere import Elsewhere

PATIENCE = 60.0  # seconds


def square(job: int, _stopping: Stopping) -> int:
    return job * job


@pytest.mark.parametrize("executor", [Threads(1), Threads(3), Elsewhere()], ids=lambda one: type(one).__name__)
def test_every_job_has_its_result_and_order_can_be_had(executor: Threads) -> None:
    assert sorted(executor.map(square, range(20))) == [(job, job * job) for job in range(20)]
    assert list(in_order(executor, square, range(20))) == [job * job for job in range(20)]
    assert list(executor.map(square, [])) == []


def test_workers_run_at_once() -> None:
    """Each waits for the other two."""
    together = Barrier(3)
    assert len(list(Threads(3).map(lambda _job, _stopping: together.wait(PATIENCE), range(3)))) == 3


def test_no_more_jobs_are_taken_than_there_is_room_for() -> None:
    taken: list[int] = []

    def endless() -> Iterator[int]:
        for job in count():
            taken.append(job)
            yield job

    finished = Threads(2).map(square, endless())
    for seen in range(1, 6):
        next(finished)
        assert len(taken) <= 2 * AHEAD + seen - 1
    close_iterator(finished)
    assert len(taken) <= 2 * AHEAD + 5


def test_closing_stops_what_runs_and_waits_for_it() -> None:
    begun, ended = Event(), []

    def task(job: int, stopping: Stopping) -> int:
        while job > 0 and not stopping():
            begun.set()
        ended.append(job)
        return job

    finished = Threads(2).map(task, range(2))
    assert next(finished) == (0, 0)
    assert begun.wait(PATIENCE)
    close_iterator(finished)
    assert sorted(ended) == [0, 1]


def test_a_task_that_fails_stops_the_others() -> None:
    ended = []

    def task(job: int, stopping: Stopping) -> int:
        if job == 1:
            raise ValueError("one")
        while not stopping():
            pass
        ended.append(job)
        return job

    with pytest.raises(ValueError, match="one"):
        list(Threads(2).map(task, range(2)))
    assert ended == [0]


class SeededJob(NamedTuple):
    seed: tuple[int, ...]


def test_a_job_is_described_with_its_seed() -> None:
    assert description_of(SeededJob((3, 1))) == "SeededJob, seed (3, 1)"
    assert description_of(NumberedJob(7, MarkedJob(Path(), 2))) == "mark 2, seed 17"


def test_parts_of_a_stream() -> None:
    assert list(batched(range(7), 3)) == [[0, 1, 2], [3, 4, 5], [6]]
    assert list(batched([], 3)) == []


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("thread", "There is no executor 'thread'; did you mean threads? Executors are ray, threads."),
        ("threads:-1", "workers must be a whole number at least 0, not -1."),
        ("threads(cores=2)", "threads has no parameter 'cores'; it takes workers=0."),
    ],
)
def test_a_wrong_name_is_one_sentence(spec: str, said: str) -> None:
    with pytest.raises(ForethoughtError) as refusal:
        find_executor(spec)
    assert str(refusal.value).startswith(said)
