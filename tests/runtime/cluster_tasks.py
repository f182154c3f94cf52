"""Tasks that harm their own workers, or wait to be harmed. Files tell what has happened: they outlive processes."""

import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from forethought.runtime.executor import Stopping
from tests.runtime.clusters import PATIENCE


class MarkedJob(NamedTuple):
    """A job that leaves a mark in a directory when it begins."""

    directory: Path
    number: int

    @property
    def described(self) -> str:
        return f"mark {self.number}, seed 17"

    def marks(self) -> list[Path]:
        return sorted(self.directory.glob(f"{self.number}-*"))


def node_id() -> str:
    import ray  # noqa: PLC0415

    return str(ray.get_runtime_context().get_node_id())


def tell_node(_job: int, _stopping: Stopping) -> str:
    return node_id()


def wait_for_go(job: MarkedJob, _stopping: Stopping) -> int:
    """Tell where this runs, and wait until a file `go` is there."""
    (job.directory / f"{job.number}-{node_id()}-{os.getpid()}").touch()
    end = time.monotonic() + PATIENCE
    while not (job.directory / "go").exists() and time.monotonic() < end:
        time.sleep(0.02)
    return job.number


def large_result(job: MarkedJob, stopping: Stopping) -> bytes:
    """Return what stays on the node until it is fetched; the first job is quick, the others wait for `go`."""
    if job.number > 0:
        wait_for_go(job, stopping)
    (job.directory / f"done-{job.number}").touch()
    return bytes([job.number]) * 1_000_000


def die_ten_times(job: MarkedJob, _stopping: Stopping) -> int:
    """Kill the worker with SIGKILL, ten times in all."""
    deaths = len(job.marks())
    if deaths < 10:
        (job.directory / f"{job.number}-{deaths}").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return job.number


def die_always(_job: MarkedJob, _stopping: Stopping) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("it lives")
