"""Two heads: the first learns averages of a long memory, the second the policies that the last searches ended with."""

from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.learn.algorithms.exit_oos import ExitOosConfiguration, new_expert
from forethought.learn.learner import LearnerState
from forethought.learn.memory import Memory
from forethought.learn.priors import AveragesAndPriors
from forethought.learn.samples import Samples, samples_of
from forethought.nets.evaluator import policy_of
from forethought.nets.formats import load_weights
from forethought.nets.mlp import MlpWeights, make_mlp, parameters_of
from forethought.randomness import generator
from tests.learn.trainings import finished, new_run, training_of

torch = pytest.importorskip("torch")
from forethought.learn.apprentice import Apprentice  # noqa: E402 (only with torch)
from forethought.learn.models import PRIOR_HEAD, MlpModel  # noqa: E402

AVERAGE, CURRENT, OLDER = (0.9, 0.1), (0.2, 0.8), (0.5, 0.5)
SMALL = {
    "algorithm": "exit-oos",
    "iterations": 2,
    "games": 3,
    "workers": 1,
    "search.simulations": 100,
    "play.extra_samples": 20,
    "learning.steps": 10,
    "evaluation.games": 2,
}


def kuhn() -> ft.Game:
    return ft.load("kuhn")


def rows(current: tuple[float, float]) -> Samples:
    """Ten samples of the first decision, with one average and a current policy."""
    s = ft.position("kuhn", "J, Q")
    return samples_of(kuhn(), [(s.facts(0), s.legal_actions(), AVERAGE)] * 10, currents=[current] * 10)


def test_each_head_learns_its_own_policy() -> None:
    """The second one from the last iteration alone, though the memory holds another current policy."""
    game, memory = kuhn(), Memory(100, 1.0, 8, 2, currents=True)
    for samples in (rows(OLDER), rows(CURRENT)):
        memory.add(samples, np.random.default_rng(1))
    start = parameters_of(make_mlp(game.facts, game.actions, (16,), np.random.default_rng(2)))
    heads = dict(zip(PRIOR_HEAD, (start["weight1"].copy(), start["bias1"].copy()), strict=True))
    apprentice = Apprentice(MlpModel(2, has_prior=True), start | heads, 1e-2)
    apprentice.fit(AveragesAndPriors(memory, rows(CURRENT)), 300, 16, np.random.default_rng(3))
    weights, decision = MlpModel(2, has_prior=True).weights(apprentice.parameters()), ft.position("kuhn", "J, Q")
    asked = decision.facts(0), decision.legal_actions()
    assert policy_of(weights.compiled(), *asked) == pytest.approx(AVERAGE, abs=0.02)
    assert policy_of(weights.prior.compiled(), *asked) == pytest.approx(CURRENT, abs=0.02)


def test_a_search_begins_with_the_second_head_and_rolls_out_with_the_first() -> None:
    game, rng = kuhn(), np.random.default_rng(4)
    start = parameters_of(make_mlp(game.facts, game.actions, (8,), rng))
    head = {"weight": rng.normal(size=(8, 2)).astype(np.float32), "bias": rng.normal(size=2).astype(np.float32)}
    weights, configuration = MlpWeights(start, prior_head=head), ExitOosConfiguration(game="kuhn", seed=1)
    expert, decision = new_expert(game, configuration, weights, iteration=3), ft.position("kuhn", "J, Q")
    asked = decision.facts(0), decision.legal_actions()
    assert expert.rollouts is not None
    assert expert.prior is not None
    assert np.array_equal(policy_of(expert.rollouts, *asked), policy_of(weights.compiled(), *asked))
    assert np.array_equal(policy_of(expert.prior, *asked), policy_of(weights.prior.compiled(), *asked))
    assert not np.allclose(policy_of(expert.prior, *asked), policy_of(expert.rollouts, *asked))


def test_the_prior_weighs_more_with_each_iteration() -> None:
    game, configuration = kuhn(), ExitOosConfiguration(game="kuhn", seed=1)
    weights = MlpWeights(parameters_of(make_mlp(game.facts, game.actions, (8,), np.random.default_rng(4))))
    priors = [
        new_expert(game, configuration, weights, number).new_search(generator(1)).aim.prior for number in (1, 2, 10)
    ]
    assert priors == pytest.approx([priors[0], 2 * priors[0], 10 * priors[0]])
    assert priors[0] > 0.0


def test_a_training_begins_where_another_ended_and_may_ask_its_critic(tmp_path: Path) -> None:
    """The whole way: mmd learns a network and a critic, ExIt-OOS goes on with both."""
    few = {"algorithm": "mmd", "iterations": 1, "games": 64, "workers": 1, "play.batches": 2, "evaluation.games": 2}
    first = new_run(tmp_path / "first", "kuhn", **few, **{"network.hidden": "8"})
    finished(first)
    before = load_weights(first.weights_file(1), kuhn())
    assert isinstance(before, MlpWeights)
    assert before.critic is not None
    for leaf in ("value", "mix"):
        changes = {"learning.start": str(first.directory), "search.leaf": leaf}
        run = new_run(tmp_path / leaf, "kuhn", **SMALL, **changes)
        with run:
            training = training_of(run)
            begun = training.learner.state().arrays
            training.train()
        assert all(np.array_equal(begun[f"playing.{name}"], array) for name, array in before.parameters.items())
        after = load_weights(run.weights_file(2), kuhn())
        assert isinstance(after, MlpWeights)
        assert after.critic_parameters.keys() == before.critic_parameters.keys()
        again = training_of(run).learner  # resumed, with another critic in the run that it began with
        state = again.state()
        other = {name: array + 1 if name.startswith("critic.") else array for name, array in state.arrays.items()}
        again.restore(LearnerState(other), [run.games(1), run.games(2)])
        assert all(np.array_equal(again.state().arrays[name], array) for name, array in other.items())
        assert not np.array_equal(after.parameters["weight0"], before.parameters["weight0"])
        found = ft.match("kuhn", f"oos(simulations=50,net={run.directory},leaf={leaf})", "random", games=4, seed=1)
        assert found.games == 4


def test_a_prior_without_the_network_in_the_search_is_refused() -> None:
    with pytest.raises(ft.ForethoughtError, match=r"use search\.rollouts=network or search\.prior=0"):
        ft.train("kuhn", settings={"search.rollouts": "uniform"})
