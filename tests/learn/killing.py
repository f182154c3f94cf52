"""Programs in processes of their own, killed with SIGKILL at named instants or at random ones."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from forethought.learn.run import Run
from tests.learn.server import Fault
from tests.learn.trainings import assert_same

KILLED = -signal.SIGKILL


class Ended(NamedTuple):
    """A program that has run: its exit code, and what it printed."""

    code: int
    out: str


class Server:
    """A process that starts a program at once, saving the seconds it takes to import torch; see `server.py`."""

    def __init__(self, module: str, *arguments: object, **environment: str) -> None:
        """Run the program once with these arguments, and with more variables in its environment."""
        command = [sys.executable, "-m", "tests.learn.server", module, *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | environment
        )
        try:
            self._lines_until("ready")
        except AssertionError:
            self.__exit__()
            raise

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_reason: object) -> None:
        self.process.kill()
        self.process.communicate()

    def run(self, *arguments: object, fault: Fault | None = None, seconds: float | None = None) -> Ended:
        """Run the program until it ends, comes to a fault or has run for so long."""
        self._tell([[*map(str, arguments)], fault])
        process = int(self._lines_until("")[0])
        if seconds is not None:
            time.sleep(seconds)
            os.kill(process, signal.SIGKILL)
        self._tell("wait")
        *printed, last = self._lines_until("exit ")
        return Ended(int(last.removeprefix("exit ")), "".join(printed))

    def _tell(self, what: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def _lines_until(self, beginning: str) -> list[str]:
        """Read lines up to the first that begins so."""
        assert self.process.stdout is not None
        lines = [""]
        while not lines[-1] or not lines[-1].startswith(beginning):
            lines.append(self.process.stdout.readline())
            assert lines[-1], "the server has died"
        return lines[1:]


class Trainings:
    """Trainings of one kind, begun by a command, each in a directory; `whole` is one that nothing disturbed."""

    def __init__(self, home: Path, *begin: str, **environment: str) -> None:
        self.home, self.whole, self._begin = home, home / "whole", begin
        self.server = Server("forethought.cli", *begin, "--json", "--run", self.whole, **environment)

    def __enter__(self) -> "Trainings":
        return self

    def __exit__(self, *reason: object) -> None:
        self.server.__exit__(*reason)

    def train(self, directory: Path, fault: Fault | None = None, seconds: float | None = None) -> int:
        """Begin a run, or resume it where there is one."""
        begun = (directory / "configuration.toml").exists()
        command = ("resume", directory) if begun else (*self._begin, "--run", directory)
        return self.server.run(*command, "--json", fault=fault, seconds=seconds).code

    def killed_at(self, faults: Sequence[Fault]) -> Path:
        """Return a run that was killed at one fault after another, and then came to its end."""
        directory = self.home / "killed"
        for fault in faults:
            assert self.train(directory, fault) == KILLED, fault
        assert self.train(directory) == 0
        return directory

    def killed_at_random(self, kills: int, longest: float) -> list[Path]:
        """Return runs that were killed so many times, after at most so many seconds each, and came to their ends."""
        delays, done, runs = np.random.default_rng(1), 0, [self.home / "killed-0"]
        while done < kills:
            if self.train(runs[-1], seconds=delays.uniform(longest / 10, longest)) == 0:
                runs.append(self.home / f"killed-{len(runs)}")  # that one came to its end between two kills
            else:
                done += 1
        assert self.train(runs[-1]) == 0
        return runs


FAULTS = (
    Fault(r"weights/000001\.safetensors$", "os.rename"),
    Fault(r"checkpoints/000002\.safetensors$", "os.rename"),
)


def assert_killing_changes_nothing(home: Path, game: str, settings: Mapping[str, Any]) -> None:
    """Train with the seed 3, once undisturbed and once killed at every fault: both end with the same weights."""
    flags = [f"--set={key}={value}" for key, value in settings.items() if key not in ("algorithm", "workers")]
    with Trainings(home, "train", game, "--algorithm", settings["algorithm"], "--seed", "3", *flags) as server:
        killed = server.killed_at(FAULTS)
    assert_same(Run.open(killed, lock=False), Run.open(server.whole, lock=False))
