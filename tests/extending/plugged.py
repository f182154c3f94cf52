"""The command line and the page, with files of this directory as plugins."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from forethought.registry import PLUGINS
from tests.serve.running_server import PATIENCE

HERE = Path(__file__).parent


def plugins(*files: str | Path) -> dict[str, str]:
    """The environment that names files as plugins: those of this directory, or any by their paths."""
    return {PLUGINS: ",".join(str(HERE / file) for file in files)}


def forethought(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a verb in a process of its own."""
    command = [sys.executable, "-m", "forethought", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)


@contextmanager
def page(**environment: str) -> Iterator[httpx.Client]:
    """Run `forethought serve`; yield a client of it."""
    command = [sys.executable, "-m", "forethought", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | environment) as server:
        assert server.stdout is not None
        address = re.match(r"http://[\d.:]+", server.stdout.readline())
        try:
            assert address is not None
            with httpx.Client(base_url=address[0], timeout=PATIENCE) as client:
                yield client
        finally:
            server.send_signal(signal.SIGINT)
