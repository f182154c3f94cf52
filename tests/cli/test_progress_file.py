"""Progress that another program reads."""

import json
from pathlib import Path

import pytest

from forethought.cli.output import progress
from forethought.cli.progress_file import EVERY, FILE, ProgressFile


def test_the_file_holds_the_newest_progress_and_the_time_left(tmp_path: Path) -> None:
    now, path = [100.0], tmp_path / "progress.json"
    written = ProgressFile(path, lambda: now[0])
    written.write("begun", 0.1)
    assert json.loads(path.read_text()) == {"what": "begun", "part": 0.1, "seconds_left": None}
    now[0] += EVERY / 2
    written.write("too soon", 0.2)
    assert json.loads(path.read_text())["what"] == "begun"
    now[0] += 4 - EVERY / 2
    written.write("on its way", 0.3)
    found = json.loads(path.read_text())
    assert (found["what"], found["part"]) == ("on its way", 0.3)
    assert found["seconds_left"] == pytest.approx(4 * 0.7 / 0.2)
    written.write("done", 1.5)  # the last one always
    assert json.loads(path.read_text()) == {"what": "done", "part": 1.0, "seconds_left": pytest.approx(0.0, abs=2.0)}
    assert [one.name for one in tmp_path.iterdir()] == ["progress.json"]


def test_a_verb_writes_where_the_environment_says_and_a_bad_place_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FILE, str(tmp_path / "here"))
    with progress("match") as report:
        report("half", 0.5)
    assert json.loads((tmp_path / "here").read_text())["part"] == 0.5
    monkeypatch.setenv(FILE, str(tmp_path / "no" / "where"))
    with progress("match") as report:
        report("half", 0.5)
