"""Exams: the network's policy in all information sets, its exact exploitability, its games."""

from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.evaluate.rounds import entrant
from forethought.evaluate.tabulation import tabulate
from forethought.learn.algorithms.exit_oos import ExitOos, ExitOosConfiguration
from forethought.learn.exams import Examiner
from forethought.learn.sections import EvaluationSettings
from forethought.nets.evaluator import policy_of
from forethought.nets.mlp import Mlp, make_mlp, mlp_of, parameters_of, save_mlp
from forethought.player import PlayerSettings
from forethought.runtime.threads import Threads
from tests.naive.best_response import nash_conv
from tests.solve.trees import tree_of

SPECS = ["kuhn", "leduc", "goofspiel(cards=4)"]


def opinionated(game: ft.Game) -> Mlp:
    rng = np.random.default_rng(3)
    shapes = parameters_of(make_mlp(game.facts, game.actions, (16, 8), rng))
    return mlp_of({name: rng.normal(0.0, 0.7, array.shape).astype(np.float32) for name, array in shapes.items()})


def examiner(game: ft.Game, games: int = 4, seed: int = 1, against: str = "random", workers: int = 2) -> Examiner:
    chosen = EvaluationSettings(games=games, against=against)
    return Examiner(game, ExitOosConfiguration(game=game.spec, seed=seed, evaluation=chosen), Threads(workers))


def players_of(net: Mlp, game: ft.Game, directory: Path) -> dict[str, PlayerSettings]:
    """The players of a run that came to this network."""
    path = directory / "net.safetensors"
    save_mlp(path, net, game)
    return dict(ExitOos.players(str(path)))


@pytest.mark.parametrize("spec", SPECS)
def test_every_information_set_is_asked_about(spec: str, tmp_path: Path) -> None:
    game, tree = ft.load(spec), tree_of(spec)
    net = opinionated(game)
    player = entrant(players_of(net, game, tmp_path)["policy"])
    strategy = tabulate(tree, player, 1, Threads(2))
    for row in range(tree.infosets):
        first, count = tree.rows.first[row], tree.rows.count[row]
        alone = policy_of(net, tree.row_facts(row), tree.row_actions(row))
        assert np.array_equal(strategy[first : first + count], alone)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.quick_cases(1)
def test_nashconv_is_exact(spec: str, tmp_path: Path) -> None:
    game, tree = ft.load(spec), tree_of(spec)
    net = opinionated(game)
    policy = {}
    for row in range(tree.infosets):
        facts, actions = tuple(tree.row_facts(row)), tuple(tree.row_actions(row))
        policy[facts] = (actions, tuple(policy_of(net, facts, actions).tolist()))
    found = examiner(game).measure(players_of(net, game, tmp_path))["nashconv"]
    assert found == pytest.approx(nash_conv(game, policy), abs=1e-9)
    assert found > 0.01


def test_who_has_no_policy_is_only_played(tmp_path: Path) -> None:
    game = ft.load("kuhn")
    players = players_of(opinionated(game), game, tmp_path)
    del players["policy"]
    measured = examiner(game).measure(players)
    assert set(measured) == {f"{name}{end}" for name in ("mean_return", "win_rate") for end in ("", "_low", "_high")}
    assert measured["mean_return_low"] <= measured["mean_return"] <= measured["mean_return_high"]


def test_where_all_games_pay_the_same_sum_wins_are_what_counts(tmp_path: Path) -> None:
    game = ft.load("goofspiel(cards=4)")
    assert "mean_return" not in examiner(game, 20).measure(players_of(opinionated(game), game, tmp_path))


def test_a_large_game_is_only_played(tmp_path: Path) -> None:
    game = ft.load("goofspiel(cards=13)")
    measured = examiner(game, 20).measure(players_of(opinionated(game), game, tmp_path))
    assert "nashconv" not in measured
    assert 0.0 <= measured["win_rate_low"] <= measured["win_rate"] <= measured["win_rate_high"] <= 1.0


@pytest.mark.slow
def test_who_plays_as_its_opponent_does_wins_half_and_who_saves_high_cards_more(tmp_path: Path) -> None:
    game = ft.load("goofspiel(cards=3)")
    shapes = parameters_of(make_mlp(game.facts, game.actions, (), np.random.default_rng(1)))
    silent = {name: np.zeros_like(array) for name, array in shapes.items()}
    even = examiner(game, 2000).measure(players_of(mlp_of(silent), game, tmp_path))
    assert even["win_rate_low"] < 0.5 < even["win_rate_high"]
    assert even["win_rate_high"] - even["win_rate_low"] < 0.06
    saving = silent | {"bias0": np.array([50.0, 0.0, 25.0], np.float32)}  # the lowest card goes for the lowest prize
    assert examiner(game, 2000).measure(players_of(mlp_of(saving), game, tmp_path))["win_rate_low"] > 0.5


@pytest.mark.parametrize("against", ["oos:50", "random"])
def test_the_same_seed_measures_the_same_with_any_number_of_workers(against: str, tmp_path: Path) -> None:
    game = ft.load("leduc")
    players = players_of(opinionated(game), game, tmp_path)
    first, second = (examiner(game, 40, 7, against, workers).measure(players) for workers in (1, 3))
    assert first == second
    assert examiner(game, 40, 8, against).measure(players) != first


def test_an_unknown_opponent_is_refused_before_anything_is_played() -> None:
    with pytest.raises(ft.ForethoughtError, match="There is no player 'nobody'"):
        examiner(ft.load("kuhn"), against="nobody")
