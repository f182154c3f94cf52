"""Verbs in other processes: many in one, which imports everything once, or each in its own."""

import subprocess
import sys
from typing import Protocol

from tests.check.verbs import Ending


class Run(Protocol):
    """Runs verbs in one process; the fixture `run` is one."""

    def __call__(self, *arguments: str, answers: str = "") -> Ending: ...


def in_new_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a verb in the environment of the test."""
    command = [sys.executable, "-m", "forethought", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)
