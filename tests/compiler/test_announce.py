"""Only a wait that lasts is announced, once, on stderr: with numbers where a line can change."""

import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import forethought
from forethought.compiler import announce
from forethought.compiler.announce import Announcer, OnStderr, Stopwatch

PACKAGE = Path(forethought.__file__).parent
COMMAND = [sys.executable, "-m", "forethought", "match", "kuhn", "random", "random", "--games", "2"]
LONGER = [sys.executable, "-m", "forethought", "match", "kuhn", "random", "ismcts:20", "--games", "2"]


class Texts(list[str]):
    """What was shown."""

    def wait(self) -> None:
        """Wait until something is shown."""
        while not self:
            time.sleep(0.01)


@pytest.fixture
def texts() -> Texts:
    return Texts()


@pytest.fixture
def announcer(monkeypatch, texts: Texts) -> Announcer:
    monkeypatch.setattr(announce, "PATIENCE_SECONDS", 0.01)
    return Announcer(texts.append)


def test_work_is_measured_without_the_wait_for_machine_code(monkeypatch) -> None:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(announce, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    watch = Stopwatch()
    clock.now += 1.0
    with announce.announcer.waiting(), announce.announcer.waiting():
        assert watch.seconds == 1.0
        clock.now += 32.0
        assert watch.seconds == 1.0  # it stands still
    clock.now += 4.0
    assert watch.seconds == 5.0


def test_a_long_wait_is_shown_with_what_is_done_until_the_outermost_ends(announcer: Announcer, texts: Texts) -> None:
    with announcer.waiting():
        announcer.expect(["a", "b", "c", "d"])
        with announcer.waiting():
            announcer.expect(["c", "d"])
            texts.wait()
        announcer.finish(["a", "b"])
        announcer.finish(["c", "something found on disk"])
    assert texts == [*(f"compiling, first run only: {done} of 4 functions" for done in (0, 2, 3)), ""]


def test_a_short_one_is_not(monkeypatch, texts: Texts) -> None:
    monkeypatch.setattr(announce, "PATIENCE_SECONDS", 60.0)
    announcer = Announcer(texts.append)
    with announcer.waiting():
        announcer.expect(["a"])
        announcer.finish(["a"])
    assert texts == []


def test_after_a_failure_the_next_is_announced_again(announcer: Announcer, texts: Texts) -> None:
    def fail() -> None:
        with announcer.waiting():
            announcer.expect(["a"])
            texts.wait()
            raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            fail()
        assert texts == ["compiling, first run only: 0 of 1 functions", ""]
        texts.clear()


def test_a_file_gets_the_first_text_only(capsys) -> None:
    show = OnStderr()
    for text in ("", "compiling, first run only: 0 of 2 functions", "compiling, first run only: 1 of 2 functions", ""):
        show(text)
    captured = capsys.readouterr()
    assert captured.err == "compiling, first run only ...\n"
    assert captured.out == ""


def test_a_command_on_an_empty_cache_says_it_in_one_line(tmp_path: Path) -> None:
    settings = {"FORETHOUGHT_CACHE": str(tmp_path / "cache"), "FORETHOUGHT_RUNS": str(tmp_path)}
    environment = {**os.environ, **settings, "PYTHONPATH": str(PACKAGE.parent)}
    first, second = (
        subprocess.run(COMMAND, env=environment, capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert first.stderr == "compiling, first run only ...\n"
    assert second.stderr == ""


@pytest.mark.slow
def test_a_terminal_sees_the_numbers_change(tmp_path: Path) -> None:
    settings = {"FORETHOUGHT_CACHE": str(tmp_path / "cache"), "FORETHOUGHT_RUNS": str(tmp_path), "COLUMNS": "120"}
    environment = {**os.environ, **settings, "PYTHONPATH": str(PACKAGE.parent)}
    ours, theirs = pty.openpty()
    with subprocess.Popen(LONGER, env=environment, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                seen += os.read(ours, 4096)
            except OSError:  # the terminal is closed
                break
    os.close(ours)
    assert process.returncode == 0
    numbers = [(int(done), int(total)) for done, total in re.findall(rb"first run only: (\d+) of (\d+)", seen)]
    assert len(set(numbers)) > 2
    assert all(done <= total for done, total in numbers)
