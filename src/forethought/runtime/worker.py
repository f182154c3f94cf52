"""What another process does with a job that it is sent, after it has seen that it runs the same."""

import pickle
import socket
from collections.abc import Mapping
from typing import Any, NamedTuple

from forethought.errors import ForethoughtError
from forethought.registry import load_plugins
from forethought.runtime.environment import Environment, adopt_variables, environment
from forethought.runtime.serialization import LargePart, deserialize


class WorkerAnswer(NamedTuple):
    """What a worker sends back."""

    result: Any
    processor: str  # that the machine code was made for


def run_in_worker(wanted: Environment, variables: Mapping[str, str], content: bytes, *parts: LargePart) -> bytes:
    """Run a task on its job; return the answer as bytes."""
    _refuse_other_environment(wanted)
    adopt_variables(variables)
    load_plugins()
    task, job = deserialize(content, parts)
    result = task(job, lambda: False)
    return pickle.dumps(WorkerAnswer(result, _processor()), protocol=pickle.HIGHEST_PROTOCOL)


def describe_worker(wanted: Environment, variables: Mapping[str, str]) -> tuple[str, str]:
    """Return the processor of a node, and what is not there as wanted."""
    adopt_variables(variables)
    return _processor(), environment().differences(wanted)


def _processor() -> str:
    from forethought.compiler.processor import processor  # noqa: PLC0415 (imports Numba)

    return processor()


def _refuse_other_environment(wanted: Environment) -> None:
    found = environment().differences(wanted)
    if found:
        raise ForethoughtError(f"The node {socket.gethostname()} has {found}; install the same on all nodes.")
