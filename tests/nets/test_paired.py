"""Two evaluators as one answer as each would alone."""

from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.nets.convolution import layout_of
from forethought.nets.evaluator import Evaluator, FunctionEvaluator, answer_of, is_compiled
from forethought.nets.mlp import make_mlp
from forethought.nets.paired import paired
from forethought.nets.questions import Questions
from forethought.nets.tower import Shape, tower_of
from forethought.randomness import generator
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.settings import MctsSettings
from tests.naive import tower as naive_tower
from tests.naive.mcts import known_to
from tests.search.tables import decisions_of_a_game

GAME = "connect_four"


def networks(game: ft.Game) -> tuple[Evaluator, Evaluator]:
    """A policy network without values, and a value network of another kind."""
    shape = Shape(1, 4, 8, game.actions, 1, layout_of(game))
    policy = make_mlp(game.facts, game.actions, (16,), np.random.default_rng(1))
    wild = np.random.default_rng(2).normal(0.0, 0.5, policy.panels.shape)
    panels = np.where(policy.panels == 0.0, 0.0, wild).astype(np.float32)
    panels.flags.writeable = False  # as those of every network: kernels are compiled once for all
    return policy._replace(panels=panels), tower_of(naive_tower.random_parameters(shape, 1), shape)


def called(evaluator: Evaluator) -> FunctionEvaluator:
    """The same network, which only Python can ask."""

    def answers(questions: Questions, rows: int) -> None:
        evaluator.answer(questions, rows, evaluator.scratch(rows))

    return FunctionEvaluator(evaluator.facts, evaluator.actions, evaluator.values, answers)


@pytest.mark.parametrize("outside", [(), (0,), (1,), (0, 1)])
@pytest.mark.quick_cases(2)
def test_a_pair_answers_as_its_two_do_alone(outside: tuple[int, ...]) -> None:
    game = ft.load(GAME)
    policy, value = networks(game)
    two = [called(one) if place in outside else one for place, one in enumerate((policy, value))]
    pair = paired(*two)
    assert is_compiled(pair) == (not outside)
    assert (pair.facts, pair.actions, pair.values) == (game.facts, game.actions, 1)
    for s in decisions_of_a_game(game, 1):
        asked = s.facts(s.player), s.legal_actions()
        chances, values = answer_of(pair, *asked)
        assert np.array_equal(chances, answer_of(policy, *asked)[0])
        assert np.array_equal(values, answer_of(value, *asked)[1])
        assert not np.array_equal(chances, answer_of(value, *asked)[0])


@pytest.mark.slow
def test_searches_inside_and_outside_kernels_are_the_same() -> None:
    game, known = ft.load(GAME), list[Any]()
    policy, value = networks(game)
    settings = MctsSettings(selection="puct", exploration=1.5, rollout_weight=0.0, parallel_simulations=5)
    for pair in (paired(policy, value), paired(called(policy), called(value))):
        forest = Forest(game, settings, [generator(1), generator(2)], pair)
        for tree, s in enumerate(decisions_of_a_game(game, 2)[:2]):
            forest.aim(tree, s)
        forest.search(60)
        known.append([known_to(forest, tree) for tree in range(2)])
    assert known[0] == known[1]


def test_networks_of_different_games_make_no_pair() -> None:
    policy, _ = networks(ft.load(GAME))
    other = make_mlp(5, 3, (4,), np.random.default_rng(1), 1)
    with pytest.raises(ft.ForethoughtError, match="Two evaluators of different games cannot answer as one"):
        paired(policy, other)
