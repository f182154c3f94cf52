"""Evaluators: searches find the same whoever answers, compiled or from Python; those of another game are refused."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import forethought as ft
from forethought.arrays import Float64s
from forethought.compiler import kernel
from forethought.nets.convolution import layout_of
from forethought.nets.evaluator import (
    Evaluator,
    FunctionEvaluator,
    QuestionBatch,
    answer,
    evaluator_of,
    is_compiled,
    policy_of,
)
from forethought.nets.mlp import make_mlp
from forethought.nets.questions import Questions
from forethought.nets.tower import Shape, tower_of
from forethought.nets.values import value_columns
from forethought.randomness import generator
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.settings import MctsSettings
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from tests.naive import tower as naive_tower
from tests.naive.mcts import known_to
from tests.nets.test_answers import random_net

GAME = "tic_tac_toe"
PUCT: dict[str, Any] = {"selection": "puct", "exploration": 1.5, "rollout_weight": 0.0}


class Habit(NamedTuple):
    """A compiled evaluator from outside the package: it likes each action as much as a table says."""

    liking: Float64s  # [actions]
    facts: int
    actions: int
    values: int

    def scratch(self, rows: int) -> Float64s:
        return np.zeros(rows)

    def answer(self, questions: Questions, rows: int, scratch: Any) -> None:
        answer(self, questions, rows, scratch)


@answer.register(Habit)
@kernel
def answer_by_habit(habit, questions, rows, scratch):
    for row in range(rows):
        scratch[row] = 0.0
        for i in range(questions.counts[row]):
            scratch[row] += habit.liking[questions.actions[row, i]]
        for i in range(questions.counts[row]):
            questions.policies[row, i] = habit.liking[questions.actions[row, i]] / scratch[row]
        for column in range(questions.values.shape[1]):
            questions.values[row, column] = questions.known[row] / 100.0


def habit(game: ft.Game) -> Habit:
    liking = np.random.default_rng(1).uniform(0.1, 1.0, game.actions)
    return Habit(liking, game.facts, game.actions, value_columns(game))


def perceptron(game: ft.Game) -> Evaluator:
    return random_net(game.facts, game.actions, (16, 8), 1, value_columns(game))


def tower(game: ft.Game) -> Evaluator:
    shape = Shape(1, 8, 8, game.actions, value_columns(game), layout_of(game))
    return tower_of(naive_tower.random_parameters(shape, 1), shape)


def from_python(evaluator: Evaluator, rows: int) -> FunctionEvaluator:
    """The same, one batch at a time."""
    scratch = evaluator.scratch(rows)

    def answers(questions: Questions, count: int) -> None:
        assert count <= rows
        evaluator.answer(questions, count, scratch)

    return FunctionEvaluator(evaluator.facts, evaluator.actions, evaluator.values, answers)


EVALUATORS = [perceptron, tower, habit]


@pytest.mark.parametrize("make", EVALUATORS)
@pytest.mark.parametrize(("trees", "parallel"), [(1, 1), (3, 4)])
@pytest.mark.quick_cases(2)
def test_a_tree_search_finds_the_same_whoever_answers(
    make: Callable[[ft.Game], Evaluator], trees: int, parallel: int
) -> None:
    game = ft.load(GAME)
    evaluator, settings = make(game), MctsSettings(**PUCT, parallel_simulations=parallel)
    python = from_python(evaluator, trees * parallel)
    assert is_compiled(evaluator)
    assert not is_compiled(python)
    found = []
    for one in (evaluator, python):
        forest = Forest(game, settings, [generator(seed) for seed in range(trees)], one)
        for tree in range(trees):
            forest.aim(tree, game.start())
        forest.search(60)
        found.append([known_to(forest, tree) for tree in range(trees)])
    assert found[0] == found[1]
    visits = [edge[1] for edge in found[0][0][3].values()]
    assert max(visits) > min(visits)  # the evaluator does guide


@pytest.mark.parametrize("make", EVALUATORS)
@pytest.mark.quick_cases(1)
def test_outcome_sampling_finds_the_same_whoever_answers(make: Callable[[ft.Game], Evaluator]) -> None:
    game = ft.load(GAME)
    evaluator = make(game)
    entries = []
    for one in (evaluator, from_python(evaluator, 7)):
        search = OnlineOutcomeSampling(game, OosSettings(parallel_simulations=7), generator(3), one)
        search.simulate(500)
        entries.append(search.table.entries[: int(search.table.used[0])])
    assert np.array_equal(*entries)
    assert np.abs(entries[0]).max() > 0.0


@pytest.mark.parametrize("make", EVALUATORS)
def test_a_batch_asks_as_one_question_does(make: Callable[[ft.Game], Evaluator]) -> None:
    game = ft.load(GAME)
    evaluator, s, asked = make(game), game.start(), []
    while not s.is_terminal:
        asked.append((s.facts(s.player), s.legal_actions()))
        s.apply(s.legal_actions()[0])
    for rows in (1, 3, 50):
        found = QuestionBatch(evaluator, game, rows).policies(asked)
        assert all(np.array_equal(mine, policy_of(evaluator, *one)) for mine, one in zip(found, asked, strict=True))


def test_an_evaluator_of_another_game_is_refused() -> None:
    """Kernels check no bounds: it must not read past its weights."""
    game, other = ft.load(GAME), ft.load("connect_four")
    evaluator = make_mlp(other.facts, other.actions, (8,), np.random.default_rng(1), 1)
    sentence = "tic_tac_toe: the evaluator is for 86 facts and 7 actions, and the game has 20 and 9"
    with pytest.raises(ft.ForethoughtError, match=sentence):
        Forest(game, MctsSettings(**PUCT), [generator(1)], evaluator)
    with pytest.raises(ft.ForethoughtError, match=sentence):
        OnlineOutcomeSampling(game, OosSettings(), generator(1), evaluator)
    with pytest.raises(ft.ForethoughtError, match=sentence):
        QuestionBatch(evaluator, game, 1)


@pytest.mark.parametrize("values", [0, 2])
def test_a_tree_search_needs_the_values_of_its_game(values: int) -> None:
    game = ft.load(GAME)
    evaluator = make_mlp(game.facts, game.actions, (8,), np.random.default_rng(1), values)
    with pytest.raises(ft.ForethoughtError, match="gives no values of this game"):
        Forest(game, MctsSettings(**PUCT), [generator(1)], evaluator)


def test_a_function_is_an_evaluator() -> None:
    game, asked = ft.load("tests/userfiles/kuhn3.py"), []

    def answers(questions: Questions, rows: int) -> None:
        asked.append(rows)
        questions.policies[:rows] = 1.0 / questions.counts[:rows, None]

    evaluator = evaluator_of(game, answers)
    assert (evaluator.facts, evaluator.actions, evaluator.values) == (game.facts, game.actions, 3)
    search = OnlineOutcomeSampling(game, OosSettings(parallel_simulations=5), generator(1), evaluator)
    search.simulate(100)
    assert set(asked) == {5}
