"""The response that policy gradient learns: it comes near the exact best response, and the bound stays below it."""

from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.evaluate.lockstep import CompiledStrategy
from forethought.evaluate.lower_bound import Exploited, LowerBound, find_response, lower_bound
from forethought.evaluate.rounds import entrant
from forethought.evaluate.tabulation import tabulate
from forethought.learn import lockstep, response
from forethought.nets.mlp import parameters_of
from forethought.runtime.threads import Threads
from forethought.solve.best_response import strength
from tests.evaluate.test_lockstep import save_network
from tests.solve.trees import tree_of
from tests.tiers import others_slow

SEED = 2
SETTINGS = {
    "kuhn": "games=8000,batches=40,hidden=32-32,batch=64",
    "leduc": "games=30000,batches=50,hidden=64-64,batch=256",
    "goofspiel(cards=4)": "games=20000,batches=50,hidden=64-64,batch=256",
}


def best_responses(spec: str, player: str) -> list[float]:
    """What an exact best response wins, by seat."""
    tree = tree_of(spec)
    return strength(tree, tabulate(tree, entrant(player), 0, Threads(1))).best_responses


def bound_of(
    spec: str, player: str, seat: int, seed: int = SEED, settings: str = "", games: int = 20_000
) -> LowerBound:
    learned = find_response(f"policy-gradient({settings or SETTINGS[spec]})")
    return lower_bound(learned, Exploited(ft.load(spec), entrant(player), seat, seed), games)


@pytest.mark.parametrize("against", ["random", "a network"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("spec", others_slow(SETTINGS, ("kuhn", "goofspiel(cards=4)")))
@pytest.mark.quick_cases(1)
def test_a_response_comes_near_the_exact_best_response(spec: str, seat: int, against: str, tmp_path: Path) -> None:
    """A response taught what another seat wins would lose nearly all of that."""
    player = "random"
    if against == "a network":
        save_network(tmp_path / "net.safetensors", ft.load(spec))
        player = f"net:{tmp_path / 'net.safetensors'}"
    exact = best_responses(spec, player)[seat]
    bound = bound_of(spec, player, seat)
    assert bound.low < bound.value < bound.high
    assert bound.low <= exact
    assert bound.high >= 0.95 * exact
    assert bound.value >= 0.93 * exact


def test_a_response_that_is_taught_the_other_seats_returns_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would fail: what is learned then loses."""

    def swapped(played: lockstep.Played, *others: float) -> np.ndarray:
        return lockstep.advantages(played._replace(returns=played.returns[:, ::-1].copy()), *others)

    monkeypatch.setattr(response, "advantages", swapped)
    assert bound_of("goofspiel(cards=4)", "random", 0).high < 0.0


@pytest.mark.slow
def test_a_player_that_is_asked_from_python_is_exploited_too() -> None:
    """One simulation per decision is easily beaten, and it cannot be asked by a kernel."""
    bound = bound_of("kuhn", "oos:1", 1, settings="games=2000,batches=20,hidden=32,batch=64", games=2_000)
    assert bound.low > 0.1


def test_three_players() -> None:
    bound = bound_of("tests/userfiles/kuhn3.py", "random", 1, settings="games=8000,batches=40,hidden=32", games=4_000)
    assert bound.low > 0.3


def test_nothing_hidden() -> None:
    bound = bound_of("tic_tac_toe", "random", 0, settings="games=10000,batches=50,hidden=64,batch=256", games=2_000)
    assert bound.low > 0.8


def learned_weights(seed: int, seat: int = 0) -> np.ndarray:
    found = find_response("policy-gradient(games=400,batches=4,hidden=16)")
    strategy = found.learn(Exploited(ft.load("leduc"), entrant("random"), seat, seed), lambda _part: None)
    assert isinstance(strategy, CompiledStrategy)
    parameters = parameters_of(strategy.evaluator.network)
    return np.concatenate([array.ravel() for array in parameters.values()])


def test_a_seed_gives_the_same_response_and_another_seed_or_seat_another() -> None:
    first, again, other, elsewhere = (learned_weights(1), learned_weights(1), learned_weights(2), learned_weights(1, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert not np.array_equal(first, elsewhere)


@pytest.mark.parametrize("player", ["random", "oos:5"])
def test_two_workers_find_the_same_bound_as_one(player: str) -> None:
    settings = {"max_nodes": 1, "response": "policy-gradient(games=100,batches=3,hidden=16)", "games": 100, "seed": 4}
    one, two = (ft.exploitability("leduc", player, workers=workers, **settings) for workers in (1, 2))
    assert one.response_mean == two.response_mean
    assert one.best_responses == two.best_responses
    assert one.method == "learned response, policy-gradient(games=100,batches=3,hidden=16)"


def test_progress_rises_and_more_batches_than_games_are_no_harm() -> None:
    told: list[float] = []
    learned = find_response("policy-gradient(games=2,batches=5,hidden=8)")
    lower_bound(learned, Exploited(ft.load("kuhn"), entrant("random"), 0, 1), 50, told.append)
    assert told == sorted(told)
    assert told[0] == 0.0
    assert told[-1] >= 0.9
