"""The machines of a Ray cluster, or processes of this one. The only file that imports Ray, which is optional.

A job is one stateless task of Ray. Large parts of jobs, such as weights, go to Ray's object store once per map. Ray
repeats nothing by itself: a job whose worker or node is lost is begun again here, and counted. Jobs alone decide their
results, so one that is done twice comes to the same.
"""

import contextlib
import os
import pickle
import secrets
import time
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from forethought.errors import ForethoughtError, reason_of
from forethought.runtime.environment import environment, forwarded_variables
from forethought.runtime.executor import (
    Executor,
    ExecutorSettings,
    ExecutorState,
    Job,
    Result,
    Task,
    description_of,
    register_executor,
)
from forethought.runtime.futures import AHEAD
from forethought.runtime.serialization import LargePart, serialize
from forethought.runtime.worker import WorkerAnswer, describe_worker, run_in_worker
from forethought.settings import setting

LOCAL, AUTO = "local", "auto"
PATIENCE = 1.0  # seconds between two looks at who is there
STARTS = 3  # of a cluster on this machine: when it is busy, the 30 seconds that Ray gives itself may be too few
ANSWERING = 60.0  # seconds that a node has to tell what it is
SHARED_PARTS = 32  # large parts of jobs that are kept in the object store at once
TOKEN, TOKEN_FILE, MODE = "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH", "RAY_AUTH_MODE"

_connection: list[tuple[str, int]] = []  # the address and workers of the cluster that this process joined, if any


@register_executor("ray")
@dataclass(frozen=True, kw_only=True)
class RaySettings(ExecutorSettings):
    """Runs work on a Ray cluster."""

    address: str = setting(
        "the cluster: auto finds it, HOST:PORT is its head, local starts processes on this machine",
        LOCAL,
        example="10.0.0.1:6379",
        pattern=r"auto|local|[^\s:]+:\d+",
    )
    attempts: int = setting("times that a job may lose its worker or node before the work ends", 10, low=1)

    def start(self) -> Executor:
        return RayCluster(self)


def executor_of_cluster(cluster: str) -> str:
    """Return the string of the executor for a cluster: auto, HOST:PORT of a head, or local:4 for processes here."""
    address, _, cores = cluster.partition(":")
    return f"ray(address=local,workers={cores or 0})" if address == LOCAL else f"ray(address={cluster})"


class NodeFacts(NamedTuple):
    """What is known of a node."""

    name: str
    address: str
    cores: int
    processor: str  # that machine code is made for there
    problem: str  # why it cannot take part; nothing if it can


@dataclass(frozen=True)
class Attempt:
    """A job on its way, and how often it was lost before."""

    job: Any
    losses: int = 0


class RayCluster:
    """Runs tasks on the nodes of a cluster. Nodes may come and go while it does."""

    def __init__(self, settings: RaySettings) -> None:
        self._ray, self._settings = connected(settings.address, settings.workers), settings
        self._remote = self._ray.remote(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD")(run_in_worker)
        self._lost, self._processors = 0, set[str]()
        self._size, self._looked = (0, 0), -PATIENCE

    @property
    def workers(self) -> int:
        return max(1, min(self._cores, self._settings.workers or self._cores))

    def state(self) -> ExecutorState:
        nodes, cores = self._look()
        return ExecutorState(nodes, cores, self._lost, tuple(sorted(self._processors)))

    def map(self, task: Task[Job, Result], jobs: Iterable[Job]) -> Iterator[tuple[Job, Result]]:
        waiting, running, shared = iter(jobs), dict[Any, Attempt](), SharedParts(self._ray)
        try:
            while True:
                for job in islice(waiting, max(0, self._room() - len(running))):
                    running[self._submit(task, job, shared)] = Attempt(job)
                if not running:
                    return
                for reference in self._ray.wait(list(running), timeout=PATIENCE)[0]:
                    attempt = running.pop(reference)
                    try:
                        result = self._result(reference)
                    except self._losses() as error:
                        again = self._after(attempt, error)
                        running[self._submit(task, again.job, shared)] = again
                        continue
                    yield attempt.job, result
        finally:  # also when the caller has seen enough, or Ctrl-C was pressed
            for reference in running:
                with contextlib.suppress(self._ray.exceptions.RayError):
                    self._ray.cancel(reference)

    def nodes(self) -> list[NodeFacts]:
        """Ask every node what it is."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415

        asked = self._ray.remote(num_cpus=0, max_retries=0)(describe_worker)
        alive = [node for node in self._ray.nodes() if node["Alive"]]
        answers = [
            asked.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)).remote(
                environment(), forwarded_variables()
            )
            for node in alive
        ]
        return [self._facts(node, answer) for node, answer in zip(alive, answers, strict=True)]

    def _facts(self, node: Mapping[str, Any], answer: Any) -> NodeFacts:
        try:
            processor, problem = self._ray.get(answer, timeout=ANSWERING)
        except self._ray.exceptions.RayError as error:
            processor, problem = "", reason_of(error).rpartition("Error: ")[2]
        return NodeFacts(node["NodeManagerHostname"], node["NodeManagerAddress"], _cores_of(node), processor, problem)

    def _submit(self, task: Task[Job, Result], job: Job, shared: "SharedParts") -> Any:
        content, parts = serialized_job(task, job)
        return self._remote.remote(environment(), forwarded_variables(), content, *map(shared.reference_to, parts))

    def _result(self, reference: Any) -> Any:
        """Fetch a result. What a task raised is raised here."""
        try:
            answer: WorkerAnswer = pickle.loads(self._ray.get(reference))  # noqa: S301 (its own bytes)
        except self._ray.exceptions.RayTaskError as error:
            raise _raised(error) from error
        except self._losses():
            raise
        except self._ray.exceptions.RayError as error:
            raise ForethoughtError(
                f"The cluster is lost: {reason_of(error)[:300]}; what is finished is kept, and resume goes on with it."
            ) from error
        self._note_processor(answer.processor)
        return answer.result

    def _losses(self) -> tuple[type[Exception], ...]:
        """Return what tells that a worker, a node or a result is lost."""
        known = self._ray.exceptions
        return (known.WorkerCrashedError, known.NodeDiedError, known.OutOfMemoryError, known.ObjectLostError)

    def _after(self, attempt: Attempt, error: Exception) -> Attempt:
        """Count a loss; too many of one job end the work."""
        self._lost += 1
        losses = attempt.losses + 1
        if losses >= self._settings.attempts:
            raise ForethoughtError(
                f"A job lost its worker {losses} times, the last time by {type(error).__name__}: "
                f"{description_of(attempt.job)}; run it on one machine with --workers 1 to see why."
            ) from error
        return Attempt(attempt.job, losses)

    def _note_processor(self, processor: str) -> None:
        """Keep the kinds of processors, and warn of each that differs from the first."""
        if self._processors and processor not in self._processors:
            kinds = ", ".join(sorted(self._processors | {processor}))
            warnings.warn(
                f"The cluster has different processors, {kinds}, which may round differently; "
                "NUMBA_CPU_NAME=x86-64-v3 with an empty NUMBA_CPU_FEATURES gives all the same bits.",
                stacklevel=2,
            )
        self._processors.add(processor)

    def _room(self) -> int:
        """Return how many jobs may be on their way: those that run, and as many again so that nobody waits."""
        limited = self._settings.workers and self._settings.address != LOCAL
        return self.workers * (1 if limited else AHEAD)

    @property
    def _cores(self) -> int:
        return self._look()[1]

    def _look(self) -> tuple[int, int]:
        """Return how many nodes and cores there are, as they were a moment ago."""
        if time.monotonic() - self._looked >= PATIENCE:
            alive = [node for node in self._ray.nodes() if node["Alive"]]
            self._size, self._looked = (len(alive), sum(map(_cores_of, alive))), time.monotonic()
        return self._size


class SharedParts:
    """Large parts of jobs in the object store: what several jobs share is put there once, the oldest are dropped."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._kept: OrderedDict[int, tuple[LargePart, Any]] = OrderedDict()  # by identity; a part that is kept lives

    def reference_to(self, part: LargePart) -> Any:
        if id(part) not in self._kept:
            self._kept[id(part)] = part, self._ray.put(part)
        self._kept.move_to_end(id(part))
        while len(self._kept) > SHARED_PARTS:
            self._kept.popitem(last=False)
        return self._kept[id(part)][1]


def serialized_job(task: Task[Job, Result], job: Job) -> tuple[bytes, list[LargePart]]:
    """Return a task and its job as bytes and large parts."""
    try:
        return serialize((task, job))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ForethoughtError(f"A job cannot be sent to another process: {reason_of(error)}.") from error


def _raised(error: Any) -> Exception:
    """Return what a task raised in another process."""
    cause = error.cause
    if isinstance(cause, ForethoughtError):
        return cause
    if isinstance(cause, ImportError) or "failed to import" in str(cause):
        return ForethoughtError(
            f"A node cannot load what a job needs: {reason_of(cause)}; install the same packages on all nodes."
        )
    found: Exception = error.as_instanceof_cause()
    return found


def _cores_of(node: Mapping[str, Any]) -> int:
    return int(node["Resources"].get("CPU", 0))


def connected(address: str, workers: int) -> Any:
    """Join a cluster, or start one of processes of this machine; return the module ray, ready to use.

    A process belongs to one cluster at a time, until it joins another or ends. Ray's own exit hook then ends all
    processes that were started here.
    """
    if find_spec("ray") is None:
        raise ForethoughtError("A cluster needs Ray: pip install 'forethought[ray]'.")
    wanted = address, workers if address == LOCAL else 0
    _set_up_security(address)
    import ray  # noqa: PLC0415 (as above)

    if ray.is_initialized() and (_connection == [wanted] or address == AUTO):
        return ray
    if ray.is_initialized():
        if not _connection:
            raise ForethoughtError("This program has joined a cluster of Ray itself; name it by auto.")
        ray.shutdown()
    _connection[:] = []
    reread_environment()
    _join(ray, *wanted)
    _connection[:] = [wanted]
    return ray


def _join(ray: Any, address: str, workers: int) -> None:
    import ray._private.worker as messages  # noqa: PLC0415

    # What nodes that die say would go to stdout, into the midst of --json; the executor itself tells what is lost.
    messages.print_to_stdstream = lambda *_data, **_options: None
    options = {"num_cpus": workers or os.cpu_count(), "include_dashboard": False} if address == LOCAL else {}
    for left in reversed(range(STARTS if address == LOCAL else 1)):
        try:
            ray.init(address=address, log_to_driver=False, logging_level="CRITICAL", **options)
        except Exception as error:  # Ray raises many, down to a bare Exception where a start takes too long
            ray.shutdown()
            if left == 0:
                raise _not_joined(address, reason_of(error)[:300]) from error
        else:
            return


def _not_joined(address: str, reason: str) -> ForethoughtError:
    if address == LOCAL:
        return ForethoughtError(f"A cluster on this machine cannot be started: {reason}.")
    return ForethoughtError(
        f"No cluster at {address}: {reason}; this machine must be one of its nodes, and have its token."
    )


def _set_up_security(address: str) -> None:
    """Ask for the token of a cluster, also where Ray would not; send no usage reports unless the user wants to."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if os.environ.setdefault(MODE, "token") != "token" or _has_token():
        return
    if address != LOCAL:
        raise ForethoughtError(
            f"A cluster needs a token, the same on all nodes: set {TOKEN} or {TOKEN_FILE}, or write "
            "~/.ray/auth_token (`ray get-auth-token --generate`)."
        )
    os.environ[TOKEN] = secrets.token_hex(32)  # for the processes that this one starts


def reread_environment() -> None:
    """Let Ray read the mode and the token again: it keeps what they were when it was imported."""
    from ray._raylet import AuthenticationTokenLoader, Config  # noqa: PLC0415

    Config.initialize("")
    AuthenticationTokenLoader.instance().reset_cache()


def _has_token() -> bool:
    named = os.environ.get(TOKEN_FILE)
    return TOKEN in os.environ or Path(named or "~/.ray/auth_token").expanduser().is_file()
