"""Players that a run has trained, by the names users give them."""

from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.nets.evaluator import policy_of
from forethought.nets.mlp import Mlp, make_mlp, mlp_of, parameters_of, save_mlp
from forethought.player import find_player
from forethought.players.network import NetworkPlayer
from forethought.randomness import generator
from forethought.runs import CONFIGURATION, WEIGHTS, numbered
from forethought.search.player import SearchPlayer

LEDUC = "leduc"


def network(game: ft.Game, seed: int) -> Mlp:
    rng = np.random.default_rng(seed)
    shapes = parameters_of(make_mlp(game.facts, game.actions, (16,), rng))
    return mlp_of({name: rng.normal(0.0, 0.7, array.shape).astype(np.float32) for name, array in shapes.items()})


@pytest.fixture(autouse=True)
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run with the networks of iterations 1, 2 and 10, as far as players look at it."""
    directory = tmp_path / "trained"
    directory.mkdir()
    (directory / CONFIGURATION).touch()
    (directory / WEIGHTS).mkdir()
    game = ft.load(LEDUC)
    for iteration in (1, 2, 10):
        save_mlp(numbered(directory / WEIGHTS, iteration), network(game, iteration), game)
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    return directory


def decisions(game: ft.Game) -> list[ft.Observation]:
    rng, found = np.random.default_rng(1), []
    for _ in range(10):
        s = game.start()
        while not s.is_terminal:
            if not s.is_chance:
                found.append(s.observation(s.player))
            s.apply(int(rng.choice(s.legal_actions())))
    return found


@pytest.mark.parametrize(("spec", "iteration"), [("net:trained", 10), ("net:trained@1", 1), ("net(run=trained@2)", 2)])
def test_a_run_is_named_with_or_without_its_iteration(spec: str, iteration: int) -> None:
    game = ft.load(LEDUC)
    player, net = find_player(spec).new_player(game)(generator(1)), network(game, iteration)
    assert isinstance(player, NetworkPlayer)
    for observation in decisions(game):
        found = player.think(observation)
        assert found.actions == observation.legal_actions
        assert found.probabilities == tuple(policy_of(net, observation.facts, observation.legal_actions))
        assert sum(found.probabilities) == pytest.approx(1.0)


def test_a_threshold_of_one_is_greedy() -> None:
    game = ft.load(LEDUC)
    first, second = (
        find_player(f"net(run=trained,{words})").new_player(game)(generator(1))
        for words in ("greedy=always", "threshold=1")
    )
    assert all(first.think(seen) == second.think(seen) for seen in decisions(game))


def test_a_run_is_named_by_its_directory_too(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORETHOUGHT_RUNS")
    assert find_player(f"net:{trained}@2").new_player(ft.load(LEDUC))(generator(1))


def test_a_planner_rolls_out_by_the_network() -> None:
    game = ft.load(LEDUC)
    player = find_player("oos(simulations=300, net=trained@2)").new_player(game)(generator(1))
    assert isinstance(player, SearchPlayer)
    used = player.search.evaluator
    assert isinstance(used, Mlp)
    assert np.array_equal(used.panels, network(game, 2).panels)
    others = [
        find_player(spec).new_player(game)(generator(1)) for spec in ("oos:300", "oos(simulations=300, net=trained@1)")
    ]
    observation = decisions(game)[0]
    thoughts = [planner.think(observation).probabilities for planner in (player, *others)]
    assert len(set(thoughts)) == 3


@pytest.mark.parametrize(
    ("spec", "game", "message"),
    [
        ("net:trained@3", LEDUC, "has no weights of iteration 3, only of 1, 2, 10"),
        ("net:trained@last", LEDUC, "has no weights of iteration last"),
        ("net:trianed", LEDUC, "There is no run 'trianed'; did you mean trained?"),
        ("net:trained", "kuhn", "is a network of leduc, not of kuhn"),
        ("oos(net=trained)", "goofspiel(cards=4)", r"is a network of leduc, not of goofspiel\(cards=4\)"),
        ("net", LEDUC, "net needs a value for 'run'"),
    ],
)
def test_what_is_not_there_is_refused_in_one_sentence(spec: str, game: str, message: str) -> None:
    with pytest.raises(ft.ForethoughtError, match=message):
        find_player(spec).new_player(ft.load(game))


def test_a_run_that_has_learnt_nothing_yet_says_so(trained: Path) -> None:
    for file in (trained / WEIGHTS).glob("*"):
        file.unlink()
    with pytest.raises(ft.ForethoughtError, match="has no weights yet; train it on with `forethought resume`"):
        find_player("net:trained").new_player(ft.load(LEDUC))
