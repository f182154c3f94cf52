"""What an executor is, and the executors there are.

A *job* is plain data: numbers, texts, settings, files' contents. A *task* is a top-level function of a job, which loads
and keeps what it needs. So the same work runs in threads of this process or on other machines, and gives the same
results: they depend on the jobs alone, never on who ran them, how many at once, or in which order.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, starmap
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from forethought.registry import Registry
from forethought.settings import Settings, read_spec, setting

Job = TypeVar("Job")
Result = TypeVar("Result")
Stopping = Callable[[], bool]  # whether a task should end early, by raising `Stopped`
Task = Callable[[Job, Stopping], Result]


class Stopped(Exception):  # noqa: N818 (not an error)
    """Raised by a task that was told to stop before its end."""


class Executor(Protocol):
    """Runs tasks."""

    @property
    def workers(self) -> int:
        """How many jobs run at once."""

    def map(self, task: Task[Job, Result], jobs: Iterable[Job]) -> Iterator[tuple[Job, Result]]:
        """Yield each job with its result as they are finished, in any order.

        Jobs are taken as there is room for them. Closing the iterator cancels what is left.
        """


@dataclass(frozen=True)
class ExecutorState:
    """What an executor on several machines can tell of itself."""

    nodes: int
    cores: int
    lost: int  # jobs so far that were begun again, as their worker or node was lost
    processors: tuple[str, ...]  # kinds that results have come from


def state_of(executor: Executor) -> ExecutorState | None:
    """Return what an executor tells of itself: an optional method `state`; None if it has none."""
    tell: Callable[[], ExecutorState] | None = getattr(executor, "state", None)
    return None if tell is None else tell()


def description_of(job: object) -> str:
    """Return the words of a job's optional property `described`, or what it is and its seed: enough to replay it."""
    return str(getattr(job, "described", f"{type(job).__name__}, seed {getattr(job, 'seed', 'unknown')}"))


@dataclass(frozen=True, kw_only=True)
class ExecutorSettings(Settings):
    """The settings of one kind of executor."""

    workers: int = setting("jobs that run at once; 0: one per core", 0, low=0)

    def start(self) -> Executor:
        """Return an executor."""
        raise NotImplementedError


EXECUTORS: Registry[type[ExecutorSettings]] = Registry(
    "executor", "forethought.executors", ("forethought.runtime",), "register_executor"
)

SettingsClass = TypeVar("SettingsClass", bound=type[ExecutorSettings])


def register_executor(name: str) -> Callable[[SettingsClass], SettingsClass]:
    """Register a kind of executor: a decorator of its settings."""

    def register(settings: SettingsClass) -> SettingsClass:
        EXECUTORS.add(name, settings, settings.__module__)
        return settings

    return register


def find_executor(spec: str) -> ExecutorSettings:
    """Return the settings of the executor that a string names: `threads`, `threads:4`."""
    return read_spec(spec, EXECUTORS, "threads:4", lambda kind: kind)[1]


class NumberedJob(NamedTuple, Generic[Job]):
    """A job and its place."""

    number: int
    job: Job

    @property
    def described(self) -> str:
        return description_of(self.job)


def in_order(executor: Executor, task: Task[Job, Result], jobs: Iterable[Job]) -> Iterator[Result]:
    """Yield the results in the order of their jobs, each as soon as it and all before it are there."""
    early: dict[int, Result] = {}
    wanted = 0
    finished = executor.map(partial(_numbered, task), starmap(NumberedJob, enumerate(jobs)))
    try:
        for (number, _), result in finished:
            early[number] = result
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1
    finally:
        close_iterator(finished)


def close_iterator(iterator: Iterator[Any]) -> None:
    """Cancel what an executor has not finished."""
    if isinstance(iterator, Generator):
        iterator.close()


def batched(items: Iterable[Job], size: int) -> Iterator[list[Job]]:
    """Yield the items in lists of this size; the last may be shorter."""
    waiting = iter(items)
    while batch := list(islice(waiting, size)):
        yield batch


def _numbered(task: Task[Job, Result], numbered: NumberedJob[Job], stopping: Stopping) -> Result:
    return task(numbered.job, stopping)
