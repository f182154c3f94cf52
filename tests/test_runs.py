"""Runs and their weights are found by name and by path."""

from pathlib import Path

import pytest

from forethought.errors import ForethoughtError
from forethought.learn.algorithms.exit_oos import ExitOosConfiguration
from forethought.learn.run import Run
from forethought.runs import all_runs, find_run, new_run, shortest_name, weights_of

CONFIGURATION = ExitOosConfiguration(game="kuhn", seed=1)


def test_runs_are_found_by_name_and_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert all_runs() == []
    assert new_run(None, "goofspiel(cards=6)") == Path("runs/goofspiel-1")
    assert new_run(None, "games/my_game.py:make(size=5)") == Path("runs/my_game-1")
    assert new_run("mine", "kuhn") == Path("runs/mine")
    assert new_run("here/mine", "kuhn") == Path("here/mine")
    for name in (".", ".."):
        with pytest.raises(ForethoughtError, match="is no name of a run; give --run a name"):
            new_run(name, "kuhn")
    for number in (1, 9, 10):
        Run.create(Path(f"runs/kuhn-{number}"), CONFIGURATION).close()
    assert new_run(None, "kuhn") == Path("runs/kuhn-11")
    assert find_run("kuhn-9") == find_run("runs/kuhn-9") == Path("runs/kuhn-9")
    assert find_run(str(tmp_path / "runs" / "kuhn-9")) == tmp_path / "runs" / "kuhn-9"
    for path in (Path("runs/kuhn-9"), tmp_path / "runs" / "kuhn-9"):
        assert find_run(shortest_name(path)) == Path("runs/kuhn-9")
        assert shortest_name(path) == "kuhn-9"
    assert shortest_name(Path("here/kuhn-9")) == "here/kuhn-9"
    with pytest.raises(ForethoughtError, match=r"There is no run 'khun-9'; did you mean kuhn-9\?"):
        find_run("khun-9")
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path / "elsewhere"))
    with pytest.raises(
        ForethoughtError, match=r"There is no run 'kuhn-9'; `forethought runs` lists those in .*elsewhere"
    ):
        find_run("kuhn-9")


def test_weights_are_named_by_run_and_iteration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    run = Run.create(tmp_path / "kuhn-1", CONFIGURATION)
    run.close()
    with pytest.raises(ForethoughtError, match="'kuhn-1' has no weights yet"):
        weights_of("kuhn-1")
    for iteration in (5, 10):
        run.weights_file(iteration).parent.mkdir(exist_ok=True)
        run.weights_file(iteration).write_bytes(b"")
    assert weights_of("kuhn-1") == run.weights_file(10)
    assert weights_of("kuhn-1@5") == weights_of(f"{run.directory}@5") == run.weights_file(5)
    for wrong in ("7", "x", ""):
        with pytest.raises(ForethoughtError, match=f"no weights of iteration {wrong}, only of 5, 10"):
            weights_of(f"kuhn-1@{wrong}")
