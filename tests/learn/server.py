"""Starts a program again and again without importing it anew: each start is a fork of this process.

    python -m tests.learn.server MODULE ARGUMENT ...

imports MODULE, calls its `main` with the arguments once (which compiles what must be, and leaves no thread behind) and
says "ready". Then each line of its input is JSON: the arguments of a start and, if it shall be killed on the way, the
fault. It answers with the number of the process; and after another line with "exit" and its exit code, which follow
what the program printed.
"""

import json
import os
import re
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

FILE_EVENTS = {"open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.truncate", "shutil.rmtree"}


class Fault(NamedTuple):
    """An instant at which a process is killed: right before it does something to a file, as Python's audit tells."""

    path: str  # a regular expression
    event: str = ""  # one of FILE_EVENTS; empty: any of them
    count: int = 1  # the how manieth time


def die_at(fault: Fault) -> None:
    """Let this process be killed as by `kill -9` when it comes to the fault."""
    wanted, left = {fault.event} if fault.event else FILE_EVENTS, [fault.count]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in wanted and any(re.search(fault.path, str(argument)) for argument in arguments):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def called(main: Any, arguments: Sequence[str]) -> int:
    """Call a program; return its exit code."""
    sys.argv = ["program", *arguments]
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        sys.stdout.flush()
    return 0


def say(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def serve(module: str, arguments: Sequence[str]) -> None:
    main = import_module(module).main
    if code := called(main, arguments):
        sys.exit(code)
    say("ready")
    for line in sys.stdin:
        started, fault = json.loads(line)
        process = os.fork()
        if process == 0:
            say(os.getpid())  # before anything that the program prints
            if fault is not None:
                die_at(Fault(*fault))
            os._exit(called(main, started))
        sys.stdin.readline()  # until then its number stays its own
        say(f"exit {os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])}")


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2:])
