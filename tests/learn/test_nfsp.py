"""The learner `nfsp`: its average strategy comes near an equilibrium, and no end changes what is learned."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.learn.algorithms.nfsp import NfspMemory, slowed
from forethought.learn.run import Run
from tests.learn.killing import assert_killing_changes_nothing
from tests.learn.trainings import advanced, assert_same, assert_seed_decides, finished, interrupted_at, new_run

SMALL: dict[str, Any] = {
    "algorithm": "nfsp",
    "iterations": 3,
    "games": 50,
    "workers": 1,
    "memory.transitions": 100,
    "memory.least": 30,
    "memory.share": 0.2,
    "memory.reservoir": 40,
    "learning.hidden": "16",
    "learning.batch": 16,
    "learning.steps": 12,
    "learning.target_updates": 5,
    "play.anticipation": 0.3,
    "play.batches": 3,
    "play.together": 8,
    "evaluation.games": 4,
}


def small_run(directory: Path, game: str = "leduc", seed: int = 3, **settings: Any) -> Run:
    return new_run(directory, game, seed, **(SMALL | settings))


@pytest.mark.slow
def test_kuhn_is_nearly_solved(tmp_path: Path) -> None:
    """Uniform play has a NashConv of 0.92."""
    settings = {
        "algorithm": "nfsp",
        "iterations": 40,
        "games": 2_048,
        "workers": 1,
        "memory.least": 20_000,
        "learning.hidden": "32",
        "learning.steps": 128,
        "learning.target_updates": 100,
        "evaluation.every": 40,
        "evaluation.games": 2,
    }
    run = new_run(tmp_path / "run", "kuhn", 1, **settings)
    assert finished(run)[-1].values["nashconv"] < 0.25


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A training that nothing disturbed."""
    run = small_run(tmp_path_factory.mktemp("runs") / "whole")
    finished(run)
    return run


def test_same_seed_same_weights_whoever_works_and_another_seed_others(whole: Run, tmp_path: Path) -> None:
    assert_seed_decides(whole, small_run(tmp_path / "again", workers=2), small_run(tmp_path / "other", seed=4))


@pytest.mark.parametrize("place", [(1, 16), (3, 33)])
def test_stopped_within_an_iteration_it_goes_on_as_if_it_had_not(
    whole: Run, tmp_path: Path, place: tuple[int, int]
) -> None:
    run = small_run(tmp_path / "stopped")
    interrupted_at(run, place)
    assert [report.iteration for report in finished(Run.open(run.directory))] == list(range(place[0], 4))
    assert_same(run, whole)


def test_stopped_between_iterations_it_goes_on_as_if_it_had_not(whole: Run, tmp_path: Path) -> None:
    run = small_run(tmp_path / "stopped")
    advanced(run, 2)
    assert len(finished(Run.open(run.directory))) == 1
    assert_same(run, whole)


@pytest.mark.slow
def test_killed_at_every_fault_it_ends_with_the_same_weights(tmp_path: Path) -> None:
    assert_killing_changes_nothing(tmp_path, "leduc", SMALL)


def test_what_is_reported(whole: Run) -> None:
    reports = [report.values for report in whole.reports()]
    for values in reports:
        assert values["games"] == 50
        assert values["samples"] > 100
        assert values["value_error"] > 0.0
        assert 0.0 < values["imitation_loss"] < 2.0
    assert reports[-1]["responses"] == 40
    assert {"nashconv", "win_rate"} <= reports[-1].keys()
    assert whole.complete_iterations() == []  # no game is kept


def test_rates_fall_as_the_inverse_square_root_of_the_iteration() -> None:
    """To a half after three times the iterations of the setting."""
    assert [slowed(number, 10.0) for number in (1, 31, 81)] == [1.0, 0.5, pytest.approx(1 / 3)]


@pytest.mark.parametrize(("slowing", "same"), [(1e9, False), (1e-30, True)])
def test_both_networks_learn_at_rates_that_fall(tmp_path: Path, slowing: float, same: bool) -> None:
    """Once they have fallen to nothing, no weight changes."""
    run = small_run(tmp_path / "run", "kuhn", iterations=2, **{"learning.slowing": slowing})
    finished(run)
    before, after = (run.checkpoint(number).arrays for number in (1, 2))
    for network in ("response", "average"):
        name = f"networks.{network}.weights"
        assert np.array_equal(before[name], after[name]) == same


def test_the_decisions_that_are_learned_from_become_more() -> None:
    memory = NfspMemory(least=100, share=0.25)
    assert [memory.window(made) for made in (10, 400, 401, 404, 4_000)] == [100, 100, 100, 101, 1_000]


@pytest.mark.parametrize("spec", ["tic_tac_toe", "tests/userfiles/kuhn3.py"])
def test_any_game_is_learned(tmp_path: Path, spec: str) -> None:
    run = small_run(tmp_path / "run", spec, iterations=1)
    assert 0.0 <= finished(run)[-1].values["win_rate"] <= 1.0
    assert ft.match(spec, f"net:{run.weights_file(1)}", "random", games=6, seed=1).games == 6
