"""Gradients of regularised policy gradients: against finite differences of losses written out in Python."""

import numpy as np
import pytest
import torch

import forethought as ft
from forethought.learn.actor_critic import ActorCritic
from forethought.learn.lockstep import Decisions, advantages, play_games
from forethought.learn.one_hot import OneHotRows, make_one_hot_rows, write_inputs
from forethought.learn.perceptron import Perceptron
from forethought.learn.policy_gradient import (
    CLIPPED,
    ENTROPY,
    LOSS,
    MAGNET_WEIGHT,
    MEASURES,
    PROXIMAL_WEIGHT,
    BatchUpdate,
    Weights,
    policy_slopes,
    value_slopes,
)
from forethought.nets.mlp import make_mlp, mlp_of, parameters_of
from forethought.randomness import generators
from tests.learn.test_lockstep import networks_of
from tests.naive.policy_gradient import outputs_of, row_loss, seen_by_critic

ALL = Weights(temperature=0.3, magnet_weight=0.7, proximal_weight=0.2, clip=0.2)
NONE = Weights(0.0, 0.0, 0.0, 0.2)
ONLY = [NONE, *(NONE._replace(**{name: 0.5}) for name in ("temperature", "magnet_weight", "proximal_weight")), ALL]


def some_decisions(spec: str = "leduc") -> tuple[ft.Game, Decisions]:
    game = ft.load(spec)
    return game, play_games(game, networks_of(game, game.players), generators(12, 2)).decisions


def loss_of_row(decisions: Decisions, row: int, advantage: float, logits: np.ndarray, weights: Weights) -> float:
    count = decisions.counts[row]
    legal, old, magnet = (array[row, :count] for array in (decisions.actions, decisions.policies, decisions.magnets))
    rest = int(decisions.choices[row]), advantage, old.astype(float), magnet.astype(float)
    return row_loss(logits[legal].astype(float), *rest, weights)


@pytest.mark.parametrize("weights", ONLY)
def test_the_gradient_by_logits_is_that_of_finite_differences(weights: Weights) -> None:
    game, decisions = some_decisions()
    rng, rows = np.random.default_rng(1), np.arange(decisions.rows)
    gains = rng.normal(size=decisions.rows).astype(np.float32)
    logits = rng.normal(size=(decisions.rows, game.actions)).astype(np.float32)
    slopes, measures = np.full_like(logits, 9.0), np.zeros(MEASURES)
    policy_slopes(decisions, gains, rows, logits, weights, np.zeros(game.table.choices), slopes, measures)
    total = 0.0
    for row in rows:
        wide, small = logits[row].astype(float), 1e-6
        total += loss_of_row(decisions, row, float(gains[row]), wide, weights)
        for action in range(game.actions):
            move = np.zeros(game.actions)
            move[action] = small
            ahead, behind = (
                loss_of_row(decisions, row, float(gains[row]), wide + sign * move, weights) for sign in (1, -1)
            )
            assert slopes[row, action] * len(rows) == pytest.approx((ahead - behind) / (2 * small), abs=1e-4)
    assert measures[LOSS] == pytest.approx(total, rel=1e-5)
    assert 0 < measures[CLIPPED] < len(rows)


def test_what_is_measured_is_what_its_name_says() -> None:
    game, decisions = some_decisions()
    rows = np.arange(decisions.rows)
    old = np.full((decisions.rows, game.actions), -50.0, np.float32)  # the policy that played, as logits
    for row in rows:
        count = decisions.counts[row]
        old[row, decisions.actions[row, :count]] = np.log(decisions.policies[row, :count])
    measures = np.zeros(MEASURES)
    gains = np.ones(decisions.rows, np.float32)
    policy_slopes(decisions, gains, rows, old, ALL, np.zeros(game.table.choices), np.zeros_like(old), measures)
    p, m = (np.where(array > 0, array, 1.0).astype(float) for array in (decisions.policies, decisions.magnets))
    assert measures[PROXIMAL_WEIGHT] == pytest.approx(0.0, abs=1e-4)
    assert measures[ENTROPY] == pytest.approx(-(decisions.policies * np.log(p)).sum(), rel=1e-5)
    assert measures[MAGNET_WEIGHT] == pytest.approx((decisions.policies * np.log(p / m)).sum(), rel=1e-5)
    assert measures[CLIPPED] == 0


def write_facts(rows: OneHotRows, vectors: np.ndarray) -> None:
    """Write vectors of zeros and ones as the facts that hold."""
    for row, vector in enumerate(vectors):
        facts = np.flatnonzero(vector)
        rows.facts[row, : len(facts)], rows.known[row] = facts, len(facts)


@pytest.mark.parametrize("layers", [(), (7,), (9, 5)])
def test_back_propagation_is_that_of_torch(layers: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    parameters = parameters_of(make_mlp(6, 3, layers, rng))
    net, inputs, slopes = Perceptron(parameters, 8), rng.random((5, 6)) < 0.4, rng.normal(size=(5, 3))
    write_facts(net.inputs, inputs)
    net.slopes[:5] = slopes
    net.forward(5)
    leaves = {name: torch.tensor(array, requires_grad=True) for name, array in parameters.items()}
    outputs = torch.tensor(inputs.astype(np.float32))
    for layer in range(len(layers) + 1):
        outputs = (outputs if layer == 0 else outputs.relu()) @ leaves[f"weight{layer}"] + leaves[f"bias{layer}"]
    assert net.outputs[:5] == pytest.approx(outputs.detach().numpy(), abs=1e-6)
    gradient = torch.autograd.grad(outputs, [*leaves.values()], torch.tensor(slopes.astype(np.float32)))
    theirs = torch.cat([part.flatten() for part in gradient])
    assert net.backward(5).numpy() == pytest.approx(theirs.numpy(), abs=1e-5)


def test_a_long_gradient_is_shortened_and_one_that_is_not_finite_refused() -> None:
    parameters = parameters_of(make_mlp(4, 2, (3,), np.random.default_rng(1)))
    net = Perceptron(parameters, 2)
    write_facts(net.inputs, np.ones((2, 4)))
    net.slopes[:] = 100.0
    net.forward(2)
    net.step(2, rate=0.0, max_gradient_norm=0.5)
    assert float(net.backward(2).norm()) > 100.0
    assert np.linalg.norm(net.state()["mean"]) == pytest.approx(0.1 * 0.5, rel=1e-5)  # Adam's mean of one gradient
    net.slopes[:] = np.nan
    with pytest.raises(ft.ForethoughtError, match="Learning diverged"):
        net.step(2, rate=0.1)


@pytest.mark.parametrize("spec", ["leduc", "tests/userfiles/kuhn3.py"])
@pytest.mark.parametrize("whole", [True, False])
def test_inputs_are_the_facts_that_hold(spec: str, whole: bool) -> None:
    game, decisions = some_decisions(spec)
    order = np.random.default_rng(1).permutation(decisions.rows)[:9]
    width = game.facts * (game.players if whole else 1)
    inputs = make_one_hot_rows(12, width)
    write_inputs(game.table, decisions, order, inputs, np.zeros(game.facts, np.int64))
    for place, row in enumerate(order):
        facts = seen_by_critic(ft.State(game, decisions.states[row].copy()), whole)
        assert inputs.facts[place, : inputs.known[place]].tolist() == facts


def test_the_gradient_of_values_is_that_of_half_the_squared_error() -> None:
    values, targets, order = np.array([[1.0], [-2.0], [9.0]], np.float32), np.arange(4.0, dtype=np.float32), [3, 1]
    slopes = np.zeros_like(values)
    assert value_slopes(targets, np.array(order), values, slopes) == pytest.approx(4.0 + 9.0)
    assert slopes.ravel().tolist() == [-1.0, -1.5, 0.0]


def actor_critic(game: ft.Game, threads: int = 1) -> ActorCritic:
    networks = networks_of(game, game.players)
    return ActorCritic(game, parameters_of(networks.actor), parameters_of(networks.critic), 8, threads)


UPDATE = BatchUpdate(ALL, rate=1e-2, max_gradient_norm=0.5, epochs=2, share=0.25)


def test_an_update_improves_what_it_should() -> None:
    """With a wrong sign, or with the heads swapped, one of the two would fall."""
    game = ft.load("leduc")
    both = actor_critic(game)
    played = play_games(game, both.networks(trailing=True), generators(64, 2))
    gains = advantages(played, 1.0, 1.0)
    decisions, update = played.decisions, UPDATE._replace(weights=NONE, rate=3e-4, epochs=4)
    before = both.networks(trailing=True)
    both.learn(decisions, gains, update, np.random.default_rng(1))
    after = both.networks(trailing=True)

    def surrogate(net) -> float:
        found = 0.0
        for row in range(decisions.rows):
            facts = ft.State(game, decisions.states[row].copy()).facts(int(decisions.players[row]))
            logits = outputs_of(net, facts)
            found += loss_of_row(decisions, row, float(gains[row]), logits, NONE._replace(clip=10.0))
        return found

    def error(net) -> float:
        states = (ft.State(game, state.copy()) for state in decisions.states)
        values = [outputs_of(net, seen_by_critic(state, True))[0] for state in states]
        return float(((np.array(values) - (gains + decisions.values)) ** 2).sum())

    assert surrogate(after.actor) < surrogate(before.actor) - 0.1
    assert error(after.critic) < 0.95 * error(before.critic)


def test_the_magnet_is_the_moving_average_of_the_actor() -> None:
    game = ft.load("leduc")
    both = actor_critic(game)
    before = parameters_of(both.networks(trailing=True).actor)
    played = play_games(game, both.networks(trailing=True), generators(16, 2))
    assert np.array_equal(played.decisions.policies, played.decisions.magnets)
    for _ in range(2):
        old = both.average
        both.learn(played.decisions, advantages(played, 1.0, 1.0), UPDATE, np.random.default_rng(1))
        networks = both.networks(trailing=True)
        for name, array in parameters_of(networks.actor).items():
            assert both.average[name] == pytest.approx(0.75 * old[name] + 0.25 * array, abs=1e-6)
        assert np.array_equal(networks.magnet.panels, mlp_of(both.average).panels)
    assert not np.allclose(before["weight0"], both.average["weight0"])
    uniform = play_games(game, both.networks(trailing=False), generators(16, 2)).decisions
    assert uniform.magnets.sum(axis=1) == pytest.approx(np.ones(uniform.rows))
    assert np.array_equal(uniform.magnets.max(axis=1), np.float32(1.0 / uniform.counts))


def test_two_threads_learn_the_same_as_one_and_a_state_restores_all() -> None:
    game, decisions = some_decisions()
    gains = np.random.default_rng(1).normal(size=decisions.rows).astype(np.float32)
    one, two, again = actor_critic(game), actor_critic(game, threads=2), actor_critic(game)
    for number, learner in ((1, one), (1, two)):
        learner.learn(decisions, gains, UPDATE, np.random.default_rng(number))
    again.restore(one.state())
    for learner in (one, two, again):
        learner.learn(decisions, gains, UPDATE, np.random.default_rng(2))
    for name, array in one.state().items():
        assert np.array_equal(array, two.state()[name])
        assert np.array_equal(array, again.state()[name])
