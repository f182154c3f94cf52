"""The learner `deep-cfr`: its average strategy comes near an equilibrium, and no end changes what is learned."""

from pathlib import Path
from typing import Any

import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.learn.run import Run
from tests.learn.killing import assert_killing_changes_nothing
from tests.learn.trainings import assert_goes_on, assert_seed_decides, finished, new_run

SMALL: dict[str, Any] = {
    "algorithm": "deep-cfr",
    "iterations": 3,
    "games": 40,
    "workers": 1,
    "memory.advantages": 90,
    "memory.strategies": 90,
    "memory.transitions": 60,
    "learning.hidden": "16",
    "learning.batch": 16,
    "learning.steps": 12,
    "learning.baseline_steps": 6,
    "learning.average_steps": 6,
    "sampling.together": 16,
    "evaluation.games": 4,
}


def small_run(directory: Path, game: str = "leduc", seed: int = 3, **settings: Any) -> Run:
    return new_run(directory, game, seed, **(SMALL | settings))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A training that nothing disturbed."""
    run = small_run(tmp_path_factory.mktemp("runs") / "whole")
    finished(run)
    return run


@pytest.mark.slow
@pytest.mark.parametrize("baseline", ["network", "none"])
def test_kuhn_is_nearly_solved(tmp_path: Path, baseline: str) -> None:
    """Uniform play has a NashConv of 0.92."""
    settings = {
        "algorithm": "deep-cfr",
        "iterations": 60,
        "games": 1_024,
        "workers": 1,
        "learning.hidden": "32",
        "learning.batch": 256,
        "learning.rate": 0.01,
        "learning.steps": 200,
        "learning.baseline_steps": 100,
        "learning.average_steps": 100,
        "sampling.baseline": baseline,
        "evaluation.every": 60,
        "evaluation.games": 2,
    }
    run = new_run(tmp_path / "run", "kuhn", 1, **settings)
    assert finished(run)[-1].values["nashconv"] < 0.1


def test_same_seed_same_weights_whoever_works_and_another_seed_others(whole: Run, tmp_path: Path) -> None:
    assert_seed_decides(whole, small_run(tmp_path / "again", workers=2), small_run(tmp_path / "other", seed=4))


def test_stopped_it_goes_on_as_if_it_had_not(whole: Run, tmp_path: Path) -> None:
    assert_goes_on(whole, small_run(tmp_path / "stopped"), (3, 40))


@pytest.mark.slow
def test_killed_at_every_fault_it_ends_with_the_same_weights(tmp_path: Path) -> None:
    assert_killing_changes_nothing(tmp_path, "leduc", SMALL)


def test_what_is_reported(whole: Run) -> None:
    for values in (report.values for report in whole.reports()):
        assert values["games"] == 40
        assert values["samples"] > 80
        assert min(values[name] for name in ("advantage_loss", "baseline_loss", "strategy_loss", "spread")) > 0.0
    assert {"nashconv", "win_rate"} <= values.keys()
    assert whole.complete_iterations() == []  # no game is kept


def test_without_a_baseline_and_where_nothing_is_hidden(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", "tic_tac_toe", iterations=2, **{"sampling.baseline": "none"})
    assert "baseline_loss" not in finished(run)[-1].values
    assert not any(run.checkpoint(2).arrays["networks.baseline.mean"])  # it never learned
    assert ft.match("tic_tac_toe", f"net:{run.weights_file(2)}", "random", games=6, seed=1).games == 6


def test_other_games_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ForethoughtError, match="deep-cfr learns zero-sum games of two players"):
        finished(small_run(tmp_path / "run", "tests/userfiles/kuhn3.py"))
