"""Exams: the network's policy in all information sets, its exact exploitability, its games."""

import numpy as np
import pytest

import forethought as ft
from forethought.learn.progress import Examiner, tabulated
from forethought.nets.mlp import Mlp, make_mlp, mlp_of, parameters_of
from forethought.nets.networks import policy_of
from tests.naive.best_response import nash_conv
from tests.solve.trees import tree_of

SPECS = ["kuhn", "leduc", "goofspiel(cards=4)"]


def opinionated(game: ft.Game) -> Mlp:
    rng = np.random.default_rng(3)
    shapes = parameters_of(make_mlp(game.facts, game.actions, (16, 8), rng))
    return mlp_of({name: rng.normal(0.0, 0.7, array.shape).astype(np.float32) for name, array in shapes.items()})


@pytest.mark.parametrize("spec", SPECS)
def test_every_information_set_is_asked_about(spec: str) -> None:
    game, tree = ft.load(spec), tree_of(spec)
    net = opinionated(game)
    strategy = tabulated(tree, net)
    for row in range(tree.infosets):
        first, count = tree.rows.first[row], tree.rows.count[row]
        alone = policy_of(net, tree.row_facts(row), tree.row_actions(row))
        assert np.array_equal(strategy[first : first + count], alone)


@pytest.mark.parametrize("spec", SPECS)
def test_nashconv_is_exact(spec: str) -> None:
    game, tree = ft.load(spec), tree_of(spec)
    net = opinionated(game)
    policy = {}
    for row in range(tree.infosets):
        facts, actions = tuple(tree.row_facts(row)), tuple(tree.row_actions(row))
        policy[facts] = (actions, tuple(policy_of(net, facts, actions).tolist()))
    found = Examiner(game, "random", 4, 1).measure(net).nashconv
    assert found == pytest.approx(nash_conv(game, policy), abs=1e-9)
    assert found > 0.01


def test_a_large_game_is_only_played() -> None:
    game = ft.load("goofspiel(cards=13)")
    measured = Examiner(game, "random", 20, 1).measure(opinionated(game))
    assert measured.nashconv is None
    assert 0.0 <= measured.win_rate_low <= measured.win_rate <= measured.win_rate_high <= 1.0


def test_who_plays_as_its_opponent_does_wins_half_and_who_saves_high_cards_more() -> None:
    game = ft.load("goofspiel(cards=3)")
    shapes = parameters_of(make_mlp(game.facts, game.actions, (), np.random.default_rng(1)))
    silent = {name: np.zeros_like(array) for name, array in shapes.items()}
    even = Examiner(game, "random", 2000, 1).measure(mlp_of(silent))
    assert even.win_rate_low < 0.5 < even.win_rate_high
    assert even.win_rate_high - even.win_rate_low < 0.06
    saving = silent | {"bias0": np.array([50.0, 0.0, 25.0], np.float32)}  # the lowest card goes for the lowest prize
    assert Examiner(game, "random", 2000, 1).measure(mlp_of(saving)).win_rate_low > 0.5


@pytest.mark.parametrize("against", ["oos:50", "random"])
def test_the_same_seed_measures_the_same(against: str) -> None:
    game = ft.load("leduc")
    first, second = (Examiner(game, against, 40, 7).measure(opinionated(game)) for _ in range(2))
    assert first == second
    assert Examiner(game, against, 40, 8).measure(opinionated(game)) != first


def test_an_unknown_opponent_is_refused_before_anything_is_played() -> None:
    with pytest.raises(ft.ForethoughtError, match="There is no player 'nobody'"):
        Examiner(ft.load("kuhn"), "nobody", 4, 1)
