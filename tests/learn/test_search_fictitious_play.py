"""The learner `search-fictitious-play`: it comes near an equilibrium, and no end changes what is learned."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.learn.population import Population
from forethought.learn.run import Run
from tests.learn.killing import assert_killing_changes_nothing
from tests.learn.trainings import assert_goes_on, assert_seed_decides, finished, new_run

SMALL: dict[str, Any] = {
    "algorithm": "search-fictitious-play",
    "iterations": 3,
    "games": 10,
    "workers": 1,
    "search.simulations": 90,
    "search.population": 2,
    "memory.reservoir": 40,
    "learning.hidden": "16",
    "learning.batch": 16,
    "learning.steps": 6,
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
@pytest.mark.parametrize("population", [1, 3])
def test_kuhn_is_nearly_solved(tmp_path: Path, population: int) -> None:
    """Uniform play has a NashConv of 0.92."""
    settings = {
        "algorithm": "search-fictitious-play",
        "iterations": 60,
        "games": 200,
        "workers": 1,
        "search.simulations": 3_000,
        "search.population": population,
        "learning.hidden": "32",
        "learning.batch": 128,
        "learning.steps": 60,
        "evaluation.every": 60,
        "evaluation.games": 2,
    }
    run = new_run(tmp_path / "run", "kuhn", 1, **settings)
    assert finished(run)[-1].values["nashconv"] < 0.15


def test_same_seed_same_weights_whoever_works_and_another_seed_others(whole: Run, tmp_path: Path) -> None:
    assert_seed_decides(whole, small_run(tmp_path / "again", workers=2), small_run(tmp_path / "other", seed=4))


def test_stopped_it_goes_on_as_if_it_had_not(whole: Run, tmp_path: Path) -> None:
    assert_goes_on(whole, small_run(tmp_path / "stopped"), (3, 10))


@pytest.mark.slow
def test_killed_at_every_fault_it_ends_with_the_same_weights(tmp_path: Path) -> None:
    assert_killing_changes_nothing(tmp_path, "leduc", SMALL)


def test_what_is_reported(whole: Run) -> None:
    reports = [report.values for report in whole.reports()]
    for values in reports:
        assert values["games"] == 20
        assert 0.0 < values["imitation_loss"] < 2.0
    assert reports[-1]["responses"] == 40
    assert {"nashconv", "win_rate"} <= reports[-1].keys()


@pytest.mark.parametrize("spec", ["tic_tac_toe", "tests/userfiles/kuhn3.py"])
def test_any_game_is_learned(tmp_path: Path, spec: str) -> None:
    run = small_run(tmp_path / "run", spec, iterations=1)
    finished(run)
    assert ft.match(spec, f"net:{run.weights_file(1)}", "random", games=6, seed=1).games == 6


def test_a_population_is_the_latest_networks_and_is_restored() -> None:
    population, again = Population(11), Population(11)
    for number in range(14):
        population.add({"weight0": np.full((1, 2), number, np.float32), "bias0": np.zeros(2, np.float32)})
    again.restore(population.state())
    assert [member["weight0"][0, 0] for member in again.members] == list(range(3, 14))
