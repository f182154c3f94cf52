"""The learner `mmd`: it comes to the quantal-response equilibrium that the solver finds, and no end changes where."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.evaluate.rounds import entrant
from forethought.evaluate.tabulation import tabulate
from forethought.learn.run import Run
from forethought.playouts import return_size
from forethought.runtime.threads import Threads
from forethought.solve.best_response import strength
from forethought.solve.mmd import MmdSolver
from tests.learn.killing import Trainings
from tests.learn.server import Fault
from tests.learn.trainings import advanced, assert_same, assert_seed_decides, finished, interrupted_at, new_run
from tests.solve.trees import tree_of

SMALL: dict[str, Any] = {
    "algorithm": "mmd",
    "iterations": 3,
    "games": 50,
    "workers": 1,
    "network.hidden": "16-16",
    "network.critic_hidden": "16",
    "play.batches": 3,
    "play.together": 8,
    "learning.batch": 32,
    "learning.temperature": 0.5,
    "learning.last_temperature": 0.02,
    "evaluation.games": 4,
}
KUHN = SMALL | {
    "iterations": 12,
    "games": 16_384,
    "evaluation.every": 12,
    "network.hidden": "32-32",
    "network.critic_hidden": "32-32",
    "play.batches": 8,
    "play.together": 1024,
    "learning.batch": 256,
    "learning.rate": 5e-3,
    "learning.proximal_weight": 0.0,
}


def small_run(directory: Path, game: str = "leduc", seed: int = 3, **settings: Any) -> Run:
    return new_run(directory, game, seed, **(SMALL | settings))


def strategy_of(run: Run) -> np.ndarray:
    """What the network plays in every information set."""
    weights = run.weights_file(run.configuration.iterations)
    return tabulate(tree_of(run.configuration.game), entrant(f"net:{weights}"), 0, Threads(1))


def kuhn_strategy(directory: Path, **settings: Any) -> np.ndarray:
    run = new_run(directory, "kuhn", 1, **(KUHN | settings))
    finished(run)
    return strategy_of(run)


def constant(temperature: float) -> dict[str, float]:
    return {"learning.temperature": temperature, "learning.last_temperature": temperature}


@pytest.mark.slow
@pytest.mark.parametrize("sees", ["all", "mover"])
@pytest.mark.quick_cases(1)
def test_at_a_constant_temperature_it_comes_to_the_quantal_responses(tmp_path: Path, sees: str) -> None:
    found = kuhn_strategy(tmp_path / "run", **constant(0.2), **{"learning.magnet": "none", "network.critic_sees": sees})
    solver = MmdSolver(tree_of("kuhn"), 0.2 * return_size(ft.load("kuhn")))
    solver.iterate(2_000)
    assert np.abs(found - solver.solution()).max() < 0.05
    assert np.abs(tree_of("kuhn").uniform() - solver.solution()).max() > 0.4


@pytest.mark.slow
def test_a_uniform_magnet_is_a_higher_temperature(tmp_path: Path) -> None:
    found = kuhn_strategy(
        tmp_path / "run", **constant(0.05), **{"learning.magnet": "uniform", "learning.magnet_weight": 0.15}
    )
    solver = MmdSolver(tree_of("kuhn"), 0.2 * return_size(ft.load("kuhn")))
    solver.iterate(2_000)
    assert np.abs(found - solver.solution()).max() < 0.05


def test_a_magnet_that_trails_leads_past_the_quantal_responses(tmp_path: Path) -> None:
    """A magnet of this weight that stays where it began, at uniform play, would hold the policy at its responses."""
    settings = constant(0.01) | {"learning.magnet": "trailing", "learning.magnet_weight": 0.4}
    tree, unit = tree_of("kuhn"), return_size(ft.load("kuhn"))
    stale = MmdSolver(tree, 0.41 * unit)
    stale.iterate(500)
    found = strength(tree, kuhn_strategy(tmp_path / "run", **settings)).nashconv
    assert found < 0.5 * strength(tree, stale.solution()).nashconv


# Runs: the same seed leads to the same weights, whoever plays and whenever it is stopped.


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A training that nothing disturbed."""
    run = small_run(tmp_path_factory.mktemp("runs") / "whole")
    finished(run)
    return run


def test_same_seed_same_weights_whoever_works_and_another_seed_others(whole: Run, tmp_path: Path) -> None:
    assert_seed_decides(whole, small_run(tmp_path / "again", workers=2), small_run(tmp_path / "other", seed=4))


@pytest.mark.parametrize("place", [(1, 16), (2, 33), (3, 50)])
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


FAULTS = (
    Fault(r"weights/000001\.safetensors$", "os.rename"),
    Fault(r"checkpoints/000001\.safetensors$", "os.rename"),
    Fault(r"checkpoints/000002\.safetensors$", "os.rename"),
)


@pytest.mark.slow
def test_killed_at_every_fault_it_ends_with_the_same_weights(tmp_path: Path) -> None:
    flags = [f"--set={key}={value}" for key, value in SMALL.items() if key not in ("algorithm", "workers")]
    with Trainings(tmp_path, "train", "leduc", "--algorithm", "mmd", "--seed", "3", *flags) as server:
        killed = server.killed_at(FAULTS)
    assert_same(Run.open(killed, lock=False), Run.open(server.whole, lock=False))


def test_what_is_reported(whole: Run) -> None:
    for report in whole.reports():
        values = report.values
        assert values["games"] == 50
        assert values["samples"] > 100
        assert 0.0 < values["search_seconds"] < values["seconds"]
        assert 0.0 < values["entropy"] < np.log(3)
        assert values["value_loss"] > 0.0
        assert "simulations" not in values
    temperatures = [report.values["temperature"] for report in whole.reports()]
    assert temperatures == pytest.approx([0.5 * 0.04 ** (part / 3) for part in (1, 2, 3)])
    assert {"nashconv", "win_rate"} <= whole.reports()[-1].values.keys()
    assert whole.complete_iterations() == []  # no game is kept


@pytest.mark.parametrize("spec", ["tic_tac_toe", "tests/userfiles/kuhn3.py", "tests/userfiles/dice_race.py"])
def test_any_game_is_learned(tmp_path: Path, spec: str) -> None:
    """Nothing hidden; three players; chance between moves of a user's game."""
    run = small_run(tmp_path / "run", spec, iterations=1)
    report = finished(run)[-1]
    assert 0.0 <= report.values["win_rate"] <= 1.0
    weights = run.weights_file(1)
    assert ft.match(spec, f"net:{weights}", "random", games=6, seed=1).games == 6
