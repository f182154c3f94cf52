"""Sequential halving deals out walks as it should; with few walks it makes more of a bad prior than PUCT does."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import forethought as ft
from forethought.nets.evaluator import evaluator_of
from forethought.nets.questions import Questions
from forethought.randomness import generator
from forethought.search.mcts.forest import Forest, Found
from forethought.search.mcts.gumbel import completed, draw_noise, halving_schedule, improved_policy
from forethought.search.mcts.search import learning_policy, playing_policy
from forethought.search.mcts.settings import MctsSettings
from tests.naive.mcts import Perfect, hashed_answers, hashed_evaluator

EULER = 0.5772156649


def visits_by_halving(considered: int, walks: int) -> list[int]:
    """Visits of the actions, best first, if their order never changes: phase by phase the worse half is dropped."""
    visits, left, spent = [0] * considered, considered, 0
    phases = max(1, math.ceil(math.log2(considered)))
    while spent < walks:
        for _ in range(max(1, walks // (phases * left))):
            for action in range(left):
                if spent < walks:
                    visits[action] += 1
                    spent += 1
        left = max(min(2, considered), left // 2)
    return visits


@pytest.mark.parametrize("considered", range(1, 20))
def test_schedules_are_those_of_sequential_halving(considered: int) -> None:
    for walks in range(1, 150):
        schedule = halving_schedule(considered, walks)
        assert len(schedule) == walks
        assert (schedule == 0).sum() == min(considered, walks)  # every action is visited if there are walks enough
        visits = [0] * considered
        for wanted in schedule:
            visits[visits.index(wanted)] += 1  # fails if no action has been visited so often
        assert visits == visits_by_halving(considered, walks)


def test_noise_has_gumbels_distribution() -> None:
    noise = draw_noise(20_000, generator(1))
    assert noise.mean() == pytest.approx(EULER, abs=0.03)
    assert stats.kstest(noise, stats.gumbel_r.cdf).pvalue > 0.01


PUCT: dict[str, Any] = {"selection": "puct", "rollout_weight": 0.0, "temperature": 1.0}


def halved(game: ft.Game, state: ft.State, seed: int, answers: Any, **settings: Any) -> Found:
    forest = Forest(game, MctsSettings(**PUCT, **settings), [generator(seed)], evaluator_of(game, answers))
    forest.aim(0, state)
    forest.search(settings["simulations"])
    return forest.found(0)


@pytest.mark.parametrize(("considered", "planned"), [(1, 5), (2, 8), (4, 16), (7, 14), (16, 30), (3, 2)])
@pytest.mark.parametrize("width", [1, 2])
def test_walks_are_dealt_out_as_scheduled(considered: int, planned: int, width: int) -> None:
    game = ft.load("connect_four")
    given = {"max_considered_actions": considered, "simulations": 1 + planned, "parallel_simulations": width}
    for seed in range(5):
        found = halved(game, game.start(), seed, hashed_answers, **given)
        assert sorted(found.visits, reverse=True)[: min(considered, 7)] == visits_by_halving(
            min(considered, 7), planned
        )
        first = np.argsort(-(found.noise + np.log(found.priors)))[: min(considered, 7, planned)]
        assert set(np.flatnonzero(found.visits)) == set(first)
        policy = playing_policy(found, 0.0, halving=True)
        assert found.visits[policy.argmax()] == found.visits.max()
        assert policy.max() == 1.0


def test_each_new_position_is_halved_from_the_beginning() -> None:
    game = ft.load("connect_four")
    settings = MctsSettings(**PUCT, max_considered_actions=4, simulations=17)
    forest, s = Forest(game, settings, [generator(1)], hashed_evaluator(game)), game.start()
    for action in (3, 2, 3):
        forest.aim(0, s)
        forest.search(17)
        assert sorted(forest.found(0).visits)[-4:] == sorted(visits_by_halving(4, 16))
        s.apply(action)


def test_the_policy_to_learn_is_as_the_paper_says() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        priors, visits, value = rng.dirichlet(np.ones(6)), rng.integers(0, 4, 6).astype(float), rng.uniform(-1, 1)
        values = np.where(visits > 0, rng.uniform(-1, 1, 6), 0.0)
        tried = [i for i in range(6) if visits[i] > 0]
        seen = sum(priors[i] * values[i] for i in tried) / sum(priors[i] for i in tried) if tried else 0.0
        mixed = (value + sum(visits) * seen) / (1 + sum(visits))
        complete = [values[i] if visits[i] > 0 else mixed for i in range(6)]
        assert completed(priors, visits, values, value) == pytest.approx(complete)
        weights = [p * math.exp((50 + max(visits)) * (q + 1) / 2) for p, q in zip(priors, complete, strict=True)]
        expected = np.array(weights) / sum(weights)
        assert improved_policy(priors, visits, values, value) == pytest.approx(expected, abs=1e-12)


# Few walks, a bad prior and right values.


TIC_TAC_TOE, PERFECT = ft.load("tic_tac_toe"), Perfect()


def misled(questions: Questions, count: int) -> None:
    """Know the value of every position, and prefer the worst actions by far."""
    for row in range(count):
        s = ft.State(TIC_TAC_TOE, questions.states[row].copy())
        worth = np.array(list(PERFECT.after(s).values()))
        policy = np.where(worth == worth.min(), 20.0, 1.0)
        questions.policies[row, : len(worth)] = policy / policy.sum()
        questions.values[row, 0] = worth.max()


def positions_that_matter(count: int) -> list[ft.State]:
    """Positions of tic-tac-toe with five actions or more of which some are better than others."""
    rng, found = np.random.default_rng(1), list[ft.State]()
    while len(found) < count:
        s = TIC_TAC_TOE.start()
        for _ in range(int(rng.integers(5))):
            if not s.is_terminal:
                s.apply(int(rng.choice(s.legal_actions())))
        if len(set(PERFECT.after(s).values())) > 1:
            found.append(s)
    return found


@pytest.mark.parametrize("walks", [8, 16])
def test_few_walks_make_more_of_a_bad_prior_than_puct_does(walks: int) -> None:
    won: dict[str, list[float]] = {"puct": [], "gumbel": [], "learnt": [], "prior": []}
    for seed, s in enumerate(positions_that_matter(60)):
        worth = np.array(list(PERFECT.after(s).values()))
        found = halved(TIC_TAC_TOE, s, seed, misled, max_considered_actions=8, simulations=1 + walks)
        won["prior"].append(found.priors @ worth)
        won["gumbel"].append(playing_policy(found, 0.0, halving=True) @ worth)
        won["learnt"].append(learning_policy(found, halving=True) @ worth)
        found = halved(TIC_TAC_TOE, s, seed, misled, simulations=1 + walks)
        won["puct"].append(playing_policy(found, 0.0) @ worth)
    means = {name: float(np.mean(values)) for name, values in won.items()}
    assert means["gumbel"] > means["puct"] + 0.1, means
    assert means["learnt"] > means["prior"] + 0.5, means
