"""The learner `td-lambda`: every step equals its definition, a small game is played right, it goes on where it was."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.learn.run import Run
from forethought.learn.temporal_difference import TemporalDifference, learn_by_playing
from forethought.nets.afterstates import load_network, new_network, save_network
from forethought.players.afterstate import AfterstatePlayer
from forethought.playouts import largest_return
from forethought.randomness import generator
from tests.learn.trainings import advanced, assert_same, finished, interrupted, new_run, outcome
from tests.naive import temporal_difference as naive

RACE = "tests/userfiles/dice_race.py"
SHORT_RACE = f"{RACE}(steps=4,rounds=3)"
SMALL: dict[str, Any] = {
    "algorithm": "td-lambda",
    "iterations": 3,
    "games": 250,
    "learning.hidden": 8,
    "evaluation.games": 4,
}


@pytest.mark.parametrize(("spec", "games"), [(RACE, 6), ("tic_tac_toe", 4), ("backgammon", 1)])
@pytest.mark.parametrize("decay", [0.7, 0.0])
@pytest.mark.quick_cases(1)
def test_every_step_equals_its_definition(spec: str, games: int, decay: float) -> None:
    game = ft.load(spec)
    network = new_network(game.facts, 6, np.random.default_rng(1))
    weights = {name: array.astype(np.float64) for name, array in network._asdict().items()}
    how, rng = TemporalDifference(0.1, decay, 0.2), generator(7)
    learn_by_playing(game, network, how, games, generator(7))
    for _ in range(games):
        naive.play_and_learn(weights, game.start(), how, largest_return(game), rng)
    for name, array in network._asdict().items():
        assert array == pytest.approx(weights[name], abs=2e-5)


def test_the_gradient_of_the_definition_is_one() -> None:
    rng, small = np.random.default_rng(2), 1e-6
    network = new_network(9, 4, rng)._asdict()
    weights = {name: rng.normal(size=array.shape) for name, array in network.items()}
    _, gradient = naive.value_and_gradient(weights, [1, 4, 5])
    for name, array in weights.items():
        for place in np.ndindex(array.shape):
            values = []
            for moved in (small, -small):
                array[place] += moved
                values.append(naive.value_and_gradient(weights, [1, 4, 5])[0])
                array[place] -= moved
            assert (values[0] - values[1]) / (2 * small) == pytest.approx(gradient[name][place], abs=1e-8)


Decide = Callable[[ft.State, list[float]], float]  # what a decision is worth, given what its actions are worth


def worth(state: ft.State, decide: Decide) -> float:
    """What player 0 wins in the mean where `decide` does."""
    if state.is_terminal:
        return state.returns()[0]
    worths = [worth(one, decide) for one in after_each(state)]
    return float(np.dot(state.chance(), worths)) if state.is_chance else decide(state, worths)


def after_each(state: ft.State) -> list[ft.State]:
    following = [state.clone() for _ in state.legal_actions()]
    for one, action in zip(following, state.legal_actions(), strict=True):
        one.apply(action)
    return following


def best(state: ft.State, worths: list[float]) -> float:
    return max(worths) if state.player == 0 else min(worths)


def uniform(_state: ft.State, worths: list[float]) -> float:
    return float(np.mean(worths))


@pytest.mark.slow
def test_values_of_random_play_are_learned() -> None:
    """Where all actions are random, values are what random play wins from there."""
    game = ft.load(SHORT_RACE)
    network = new_network(game.facts, 40, np.random.default_rng(1))
    for rate in (0.3, 0.1, 0.03):
        learn_by_playing(game, network, TemporalDifference(rate, 0.9, 1.0), 20_000, generator(1))
    weights = {name: array.astype(np.float64) for name, array in network._asdict().items()}
    errors, worths, pending = [], [], [game.start()]
    while pending:
        state = pending.pop()
        if not state.is_terminal and not state.is_chance:
            sign = 1.0 if state.player == 0 else -1.0
            values = [sign * naive.value_after(weights, one, state.player, 1.0) for one in after_each(state)]
            exact = [worth(one, uniform) for one in after_each(state)]
            errors += [value - won for value, won in zip(values, exact, strict=True)]
            worths += exact
        pending += [] if state.is_terminal else after_each(state)
    assert len(errors) > 500
    assert np.abs(errors).mean() < 0.1
    assert np.abs(worths).mean() > 0.3  # which is what a network that says 0 is wrong by


def test_a_race_is_played_nearly_as_well_as_possible(tmp_path: Path) -> None:
    """Against an opponent who plays perfectly from there on."""
    settings = SMALL | {"games": 13_000, "learning.hidden": 40, "learning.rate": 0.2, "play.epsilon": 0.2}
    run = new_run(tmp_path / "run", SHORT_RACE, 1, **settings)
    finished(run)
    game = ft.load(SHORT_RACE)
    player = AfterstatePlayer(game, load_network(run.weights_file(3), game))

    def learned(state: ft.State, worths: list[float]) -> float:
        probabilities = player.think(state.observation(0)).probabilities if state.player == 0 else ()
        return float(np.dot(probabilities, worths)) if state.player == 0 else min(worths)

    def careless(state: ft.State, worths: list[float]) -> float:
        return uniform(state, worths) if state.player == 0 else min(worths)

    possible, reached, by_chance = (worth(game.start(), decide) for decide in (best, learned, careless))
    assert by_chance < possible - 0.3
    assert reached > possible - 0.1


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A training that nothing disturbed."""
    run = new_run(tmp_path_factory.mktemp("runs") / "whole", RACE, 3, **SMALL)
    finished(run)
    return run


def test_another_seed_gives_other_weights(whole: Run, tmp_path: Path) -> None:
    other = new_run(tmp_path / "other", RACE, 4, **SMALL)
    finished(other)
    assert not np.array_equal(outcome(other)[-1], outcome(whole)[-1])


def test_stopped_within_an_iteration_it_goes_on_as_if_it_had_not(whole: Run, tmp_path: Path) -> None:
    def listen(iteration: int, games: int) -> None:
        if (iteration, games) == (2, 100):
            raise KeyboardInterrupt

    run = new_run(tmp_path / "stopped", RACE, 3, **SMALL)
    interrupted(run, listen)
    assert [report.iteration for report in finished(Run.open(run.directory))] == [2, 3]
    assert_same(run, whole)


def test_stopped_between_iterations_it_goes_on_as_if_it_had_not(whole: Run, tmp_path: Path) -> None:
    run = new_run(tmp_path / "stopped", RACE, 3, **SMALL)
    advanced(run, 2)
    assert len(finished(Run.open(run.directory))) == 1
    assert_same(run, whole)


def test_other_games_are_refused(tmp_path: Path) -> None:
    for spec in ("leduc", "tests/userfiles/kuhn3.py"):
        with pytest.raises(ft.ForethoughtError, match="nothing is hidden"):
            finished(new_run(tmp_path / spec.replace("/", "-"), spec, 1, **SMALL))


def test_a_file_of_wrong_shapes_is_refused(tmp_path: Path) -> None:
    game = ft.load("tic_tac_toe")
    network = new_network(game.facts, 5, np.random.default_rng(1))
    save_network(tmp_path / "sound", network, game)
    assert all(np.array_equal(a, b) for a, b in zip(load_network(tmp_path / "sound", game), network, strict=True))
    save_network(tmp_path / "unsound", network._replace(output_weights=np.zeros(4, np.float32)), game)
    with pytest.raises(ft.ForethoughtError, match="damaged"):
        load_network(tmp_path / "unsound", game)
    with pytest.raises(ft.ForethoughtError, match="tic_tac_toe"):
        load_network(tmp_path / "sound", ft.load("connect_four"))


@pytest.mark.slow
def test_backgammon_is_won_against_random(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run", "backgammon", 1, algorithm="td-lambda", iterations=2, **{"evaluation.games": 200})
    assert finished(run)[-1].values["win_rate_low"] > 0.95
