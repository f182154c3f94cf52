"""Run verbs of the command line in a process of their own, many in one: a crash or a hang is a result like any other.

As a program it reads commands from stdin, a line of JSON each, and answers each with a line on its first stdout.
A command brings the environment that it runs in.
"""

import contextlib
import io
import json
import os
import resource
import signal
import subprocess
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TextIO

PATIENCE = 30  # seconds of the processor that a verb may take
OUT_OF_PATIENCE = -signal.SIGXCPU


@dataclass(frozen=True)
class Ending:
    """How a verb ended."""

    code: int  # negative: killed by this signal
    out: str
    err: str

    @property
    def sentences(self) -> list[str]:
        """What it says to people on stderr, without notes about compilation."""
        return [line for line in self.err.splitlines() if line.strip() and not line.startswith("compiling")]


class VerbRunner:
    """A process that runs verbs in the environment of the test; another takes its place if it does not survive one."""

    def __init__(self, runs: Path) -> None:
        self._runs = runs
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, *arguments: str, answers: str = "") -> Ending:
        process = self._process = self._process or self._begun()
        assert process.stdin
        assert process.stdout
        environment = {"FORETHOUGHT_RUNS": str(self._runs)} | os.environ
        command = json.dumps([arguments, answers, environment]).encode() + b"\n"
        with contextlib.suppress(BrokenPipeError):  # it ended after the verb before
            process.stdin.write(command)
            process.stdin.flush()
        line = process.stdout.readline()
        if line:
            return Ending(**json.loads(line))
        self.close()
        return Ending(process.returncode, "", "")

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()  # its stdin ends, and so does it
            self._process = None

    def _begun(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "tests.check.verbs"]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def run_here(arguments: list[str], answers: str, environment: dict[str, str]) -> dict[str, Any]:
    """Run a verb in this process, its stdout and stderr in files."""
    from forethought.cli import main  # noqa: PLC0415 (slow to import)

    limit_processor_time()
    os.environ.clear()
    os.environ.update(environment)
    sys.argv, sys.stdin, code = ["forethought", *arguments], io.StringIO(answers), 0
    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            except BaseException:
                code = 70
                traceback.print_exc()
        return {"code": code, "out": _content(out), "err": _content(err)}


def _content(file: TextIO) -> str:
    file.seek(0)
    return file.read()


def limit_processor_time() -> None:
    """Let the system end this process if what comes takes too long: a hang has no other end."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + 1 + PATIENCE, hard))


if __name__ == "__main__":
    answering = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what machine code prints is no answer
    for command in sys.stdin.buffer:
        answering.write(json.dumps(run_here(*json.loads(command))) + "\n")
        answering.flush()
