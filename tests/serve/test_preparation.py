"""What is not compiled yet is compiled in a process: it tells how far it is, and ends when nobody waits for it."""

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from forethought.compiler import NotCompiledError, compilations, only_compiled
from forethought.games import load
from tests.serve.running_server import PATIENCE, UNHURRIED, Stream, opened, running

TAKE_AWAY = "tests/userfiles/take_away.py"
# Code at the head of a file that stops where it is compiled, and leaves the number of the process.
BLOCK = """import os, sys, time
from pathlib import Path

spec = sys.modules["__main__"].__spec__
if spec is not None and spec.name.endswith("compiling_process"):
    Path({mark!r}).write_text(str(os.getpid()))
    time.sleep(3600)

"""


def never_compiled() -> str:
    """Return the arguments of a game whose rules no cache has."""
    return f"stake={secrets.randbelow(10**9)}"


def preparation(game: str, *players: str) -> str:
    return str(httpx.URL("/api/preparation/events", params={"game": game, "player": ["human", *players]}))


@pytest.fixture
def base() -> Iterator[str]:
    with running(replace(UNHURRIED, file=TAKE_AWAY)) as address:
        yield address


def test_a_game_is_compiled_elsewhere_and_then_starts_at_once(base: str) -> None:
    game = f"yours({never_compiled()})"
    with Stream(base, preparation(game, "random")) as stream:
        first = stream.wait("preparation")
        assert (first["game"], first["ready"]) == ("Take away", False)
        stream.wait("preparation", lambda progress: progress["ready"])
        stream.wait_for_end()
    before = compilations()
    with httpx.Client(base_url=base, timeout=PATIENCE) as client:
        opened(client, game, "human", "random", "random")
    assert compilations() == before


def test_a_session_can_be_started_without_asking_for_preparation(base: str) -> None:
    before = compilations()
    with httpx.Client(base_url=base, timeout=PATIENCE) as client:
        opened(client, f"yours({never_compiled()})", "human", "random", "random")
    assert compilations() == before


@pytest.mark.parametrize(("game", "player"), [("nothing", "random"), ("kuhn", "nobody"), ("kuhn", "mccfr:10")])
def test_what_cannot_be_prepared_is_refused(base: str, game: str, player: str) -> None:
    assert httpx.get(f"{base}{preparation(game, player)}").status_code == 400


def test_one_game_does_not_wait_for_another_and_who_leaves_ends_the_process(tmp_path: Path) -> None:
    file, mark = tmp_path / "blocked.py", tmp_path / "process"
    file.write_text(BLOCK.format(mark=str(mark)) + Path(TAKE_AWAY).read_text())
    with running(replace(UNHURRIED, file=str(file))) as base, httpx.Client(base_url=base, timeout=PATIENCE) as client:
        with Stream(base, preparation(f"yours({never_compiled()})", "random")) as stream:
            stream.wait("preparation")
            process = int(_content(mark))
            opened(client, "tic_tac_toe", "human", "random")
            assert not any(b'"ready":true' in data for _, data in stream.events)
        _wait_for_end(process)


def test_only_what_is_compiled_can_be_asked_for() -> None:
    game = f"{TAKE_AWAY}({never_compiled()})"
    with only_compiled(), pytest.raises(NotCompiledError):
        load(game)
    load(game)
    with only_compiled():
        load(game)


@pytest.mark.slow
def test_common_searches_are_compiled_when_a_server_starts(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "forethought", "serve", "--port", "0"]
    places = {"FORETHOUGHT_CACHE": str(tmp_path / "cache"), "FORETHOUGHT_RUNS": str(tmp_path)}
    with subprocess.Popen(command, env=os.environ | places, stdout=subprocess.DEVNULL) as server:
        while not any((tmp_path / "cache").rglob("walk_alone-*")):  # of outcome sampling, which comes last
            assert server.poll() is None
            time.sleep(0.1)
        server.terminate()


def _content(path: Path) -> str:
    """Return what a file contains, as soon as it is there."""
    end = time.monotonic() + PATIENCE
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return path.read_text()


def _wait_for_end(process: int) -> None:
    end = time.monotonic() + PATIENCE
    while _is_alive(process):
        assert time.monotonic() < end
        time.sleep(0.01)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
