"""Real clusters of Ray on this machine, with several raylets, and how to harm them."""

import contextlib
import os
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from forethought.runtime.ray import reread_environment

PATIENCE = 300.0  # seconds
STARTS = 20
BUSY = b"ray::run_in_worker"  # what Ray calls a process that works


class SmallCluster:
    """A head, on which the tests are, and nodes beside it; each has one core unless it is said otherwise."""

    def __init__(self, token: str, head_cores: int = 1) -> None:
        from ray.cluster_utils import Cluster  # noqa: PLC0415

        self.token = token
        head = {"num_cpus": head_cores, "include_dashboard": False}
        self._cluster = self._patiently(lambda: Cluster(initialize_head=True, head_node_args=head))

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    @property
    def executor(self) -> str:
        return f"ray(address={self.address})"

    def add(self, count: int = 1, **options: Any) -> list[Any]:
        added = [self._patiently(lambda: self._cluster.add_node(num_cpus=1, **options)) for _ in range(count)]
        self._cluster.wait_for_nodes(PATIENCE)
        return added

    def _patiently(self, start: Callable[[], Any]) -> Any:
        """Start something again that Ray gave up on: on a busy machine its 30 seconds are too few."""
        for _ in range(STARTS):
            before = set(processes_with(self.token))
            try:
                return start()
            except Exception as error:
                if "timed out during startup" not in str(error):
                    raise
                for process in set(processes_with(self.token)) - before:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
        pytest.fail("Ray does not start")

    def kill(self, node: Any) -> None:
        """Kill a node with SIGKILL, unless that has happened."""
        if node in self._cluster.worker_nodes:
            self._cluster.remove_node(node, allow_graceful=False)

    def kill_busy_worker(self) -> bool:
        """Kill a process that works with SIGKILL, if there is one; leave those of other clusters alone."""
        for process in processes_with(self.token, BUSY):
            os.kill(process, signal.SIGKILL)
            return True
        return False

    def close(self) -> None:
        import ray  # noqa: PLC0415

        ray.shutdown()
        self._cluster.shutdown()


@contextmanager
def small_cluster(**options: Any) -> Iterator[SmallCluster]:
    """A cluster with a token of its own."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    before, token = dict(os.environ), secrets.token_hex(32)
    os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=token, RAY_USAGE_STATS_ENABLED="0")
    reread_environment()
    try:
        cluster = SmallCluster(token, **options)
        try:
            yield cluster
        finally:
            cluster.close()
    finally:
        os.environ.clear()
        os.environ.update(before)


def title(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def processes_with(token: str, called: bytes = b"") -> list[int]:
    """The processes that have this token in their environment and are called so, but for this one."""
    running = [process for process in map(int, filter(str.isdecimal, os.listdir("/proc"))) if process != os.getpid()]
    return [process for process in running if title(process).startswith(called) and _has(process, token)]


def _has(process: int, token: str) -> bool:
    try:
        return token.encode() in Path(f"/proc/{process}/environ").read_bytes()
    except OSError:  # it has ended, or belongs to somebody else
        return False


def wait_until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)
