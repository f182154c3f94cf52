"""`forethought runs`, as a user types it."""

import json
from pathlib import Path

import pytest

from forethought.learn.algorithms.exit_oos import ExitOos, ExitOosConfiguration
from forethought.learn.metrics import COMMON, IterationReport
from forethought.learn.run import Run
from tests.cli.processes import Run as RunVerb


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    return tmp_path


def told(made: Run, iteration: int, nashconv: float | None = None, win_rate: float | None = None) -> None:
    """Let a run report an iteration of half a minute."""
    made.describe_metrics([*COMMON, *ExitOos.metrics])
    values = {"seconds": 30.0, "games": 2, "loss": 0.3} | ({} if nashconv is None else {"nashconv": nashconv})
    if win_rate is not None:
        values |= {"win_rate": win_rate, "win_rate_low": win_rate - 0.05, "win_rate_high": win_rate + 0.05}
    made.report_iteration(IterationReport(iteration, values))


def test_where_there_is_no_run_it_says_how_to_make_one(run: RunVerb, home: Path) -> None:
    assert "forethought train leduc" in run("runs").out
    assert json.loads(run("runs", "--json").out) == []


def test_each_run_is_a_line_with_how_far_how_strong_and_whether_it_goes_on(run: RunVerb, home: Path) -> None:
    with Run.create(home / "leduc-1", ExitOosConfiguration(game="leduc", seed=1, iterations=50)) as stopped:
        told(stopped, 1, 2.5, 0.5)
        told(stopped, 2, 1.234, 0.625)
        told(stopped, 3)
    Run.create(home / "kuhn-1", ExitOosConfiguration(game="kuhn", seed=1)).close()
    (home / "odd").mkdir()
    (home / "odd" / "configuration.toml").write_text("what = 1")
    with Run.create(home / "goofspiel-1", ExitOosConfiguration(game="goofspiel(cards=4)", seed=1)) as going_on:
        told(going_on, 1, None, 0.75)
        listed = {one["run"]: one for one in json.loads(run("runs", "--json").out)}
        table = run("runs").out
    assert {name: one["state"] for name, one in listed.items()} == {
        "leduc-1": "stopped",
        "kuhn-1": "stopped",
        "odd": "damaged",
        "goofspiel-1": "training",
    }
    leduc = listed["leduc-1"]
    assert (leduc["game"], leduc["iterations"], leduc["wanted"]) == ("leduc", 3, 50)
    assert (leduc["nashconv"], leduc["win_rate"]) == (1.234, 0.625)
    assert (listed["kuhn-1"]["iterations"], listed["kuhn-1"]["changed"]) == (0, None)
    lines = {line.split()[0]: line for line in table.splitlines() if line.strip()}
    assert all(part in lines["leduc-1"] for part in ("3 of 50", "1.23", "62.5%", leduc["changed"][:10], "stopped"))
    assert all(part in lines["goofspiel-1"] for part in ("goofspiel(cards=4)", "1 of 100", "75.0%", "training"))
