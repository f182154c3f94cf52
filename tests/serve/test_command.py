"""`forethought serve`, as a user types it."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.cli.conftest import run
from tests.cli.processes import Run

__all__ = ["run"]  # a fixture


def begun(*arguments: str, env: dict[str, str] | None = None, deaf: bool = False) -> "subprocess.Popen[str]":
    """Begin to serve; deaf to Ctrl-C if asked for, as a shell makes what it runs in the background."""
    command = [sys.executable, "-P", "-m", "forethought", "serve", *arguments]
    if deaf:
        command = ["/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh", *command]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})}
    )


@pytest.mark.parametrize(
    ("arguments", "route"),
    [
        pytest.param((), "/", marks=pytest.mark.slow),
        pytest.param(("goofspiel(6)",), "/#play?game=goofspiel%28cards%3D6%29", marks=pytest.mark.slow),
        (("tests/userfiles/take_away.py",), "/#play?game=yours"),
        (("--token", "open sesame, open sesame", "leduc"), "/?token=open%20sesame%2C%20open%20sesame#play?game=leduc"),
    ],
)
@pytest.mark.quick_cases(1)
def test_it_prints_its_address_answers_there_and_ends_with_ctrl_c(arguments: tuple[str, ...], route: str) -> None:
    with begun("--port", "0", *arguments) as server:
        assert server.stdout
        assert server.stderr
        said = server.stdout.readline()
        address = re.match(r"(http://127\.0\.0\.1:\d+)(/\S*)", said)
        assert address, said + server.stderr.read()
        assert address[2] == route
        headers = {"Authorization": "Bearer open sesame, open sesame"}
        assert httpx.get(f"{address[1]}/api/games", headers=headers).status_code == 200
        server.send_signal(signal.SIGINT)
        assert server.wait(30) in (0, 130)
        assert "Traceback" not in server.stderr.read()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--host", "0.0.0.0"), "Others can reach 0.0.0.0; add --token"),  # noqa: S104
        (("nothing",), "There is no game or run 'nothing'; `forethought games` and `forethought runs` list"),
        (("ledcu",), "There is no game or run 'ledcu'; did you mean leduc?"),
        (("goofspiel(card=6)",), "goofspiel has no parameter 'card'"),
        (("hex(size=999999)",), "hex: size must be from 2 to 19"),
        (("nothing.py",), "There is no file 'nothing.py'"),
        (("--token", "0123456789abcdefghi"), "A token needs at least 20 characters; --token new draws one."),
        (("--host", "203.0.113.1", "--token", "new"), "The server cannot listen on 203.0.113.1, port 8000"),
    ],
)
def test_a_mistake_is_a_sentence(run: Run, arguments: tuple[str, ...], said: str) -> None:
    done = run("serve", *arguments)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_taken_port_is_told_with_another_to_try(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port))
    assert done.code == 2
    assert f"Port {port} is taken; name another with --port {port + 1}." in done.err


def test_without_its_packages_it_says_how_to_get_them(tmp_path: Path) -> None:
    (tmp_path / "fastapi.py").write_text("raise ModuleNotFoundError(\"No module named 'fastapi'\", name='fastapi')")
    paths = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    with begun(env={"PYTHONPATH": paths}) as server:
        _, told = server.communicate()
    assert server.returncode == 2
    assert "pip install 'forethought[web]'" in told
    assert "Traceback" not in told
