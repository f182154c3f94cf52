"""The losses of Deep CFR: gradients by differences of the losses, targets by their definition."""

from collections.abc import Callable

import numpy as np
import pytest

import forethought as ft
from forethought.learn.deep_regret import advantage_slopes, sarsa_targets, strategy_slopes
from forethought.learn.outcome_traversals import experience_of, traverse_games
from forethought.randomness import generators
from tests.learn.test_outcome_traversals import EXPLORATION, UNIT, networks_of
from tests.naive import deep_cfr as naive
from tests.naive.fictitious_play import cross_entropy
from tests.naive.policy_gradient import outputs_of

SCALE = 0.25


@pytest.fixture(scope="module", params=["leduc", "tic_tac_toe"])
def game(request: pytest.FixtureRequest) -> ft.Game:
    return ft.load(request.param)


def differences(loss: Callable[[np.ndarray], float], outputs: np.ndarray) -> list[float]:
    steps = 1e-4 * np.eye(len(outputs))
    return [(loss(outputs + step) - loss(outputs - step)) / 2e-4 for step in steps]


@pytest.mark.quick_cases(1)
def test_gradients(game: ft.Game) -> None:
    networks, rng = networks_of(game), np.random.default_rng(3)
    found = experience_of(traverse_games(game, networks, EXPLORATION, UNIT, generators(20, 7)), 5)
    spare, logs = np.zeros(game.facts + game.table.choices, np.int64), np.zeros(game.table.choices)

    def squares(s: ft.State, targets: np.ndarray, outputs: np.ndarray) -> float:
        return sum(0.5 * (outputs[a] - targets[k]) ** 2 for k, a in enumerate(s.legal_actions()))

    def entropies(s: ft.State, targets: np.ndarray, outputs: np.ndarray) -> float:
        return sum(targets[k] * cross_entropy(s, outputs, a) for k, a in enumerate(s.legal_actions()))

    for rows, one_loss, factor in ((found.advantages, squares, 2.0), (found.strategies, entropies, 1.0)):
        size, total = len(rows.weights), 0.0
        outputs, slopes = (rng.normal(size=(size, game.actions)).astype(np.float32) for _ in range(2))
        if rows is found.advantages:
            measured = advantage_slopes(game.table, found.advantages, outputs, SCALE, spare, slopes)
        else:
            measured = strategy_slopes(game.table, found.strategies, outputs, SCALE, spare, logs, slopes)
        for i in range(size):
            s, weight = ft.State(game, rows.states[i].copy()), SCALE * float(rows.weights[i])

            def loss(changed: np.ndarray, i: int = i, s: ft.State = s, weight: float = weight) -> float:
                return weight * one_loss(s, rows.targets[i].astype(float), changed)  # noqa: B023 (called at once)

            total += factor * loss(outputs[i])
            if i % 4 == 0:
                expected = np.array(differences(loss, outputs[i].astype(float))) / size
                assert slopes[i] == pytest.approx(expected, rel=1e-3, abs=1e-4)
        assert measured == pytest.approx(total, rel=1e-4)


def test_targets_of_the_baseline(game: ft.Game) -> None:
    networks = networks_of(game)
    rows = experience_of(traverse_games(game, networks, EXPLORATION, UNIT, generators(20, 7)), 1).transitions
    size, spare = len(rows.actions), np.zeros(game.facts + game.table.choices, np.int64)
    states = [ft.State(game, record.copy()) for record in rows.following]
    advantages = np.array([outputs_of(networks.advantages, s.facts(s.player)) for s in states], np.float32)
    values, targets = np.zeros_like(advantages), np.zeros(size, np.float32)
    for i, s in enumerate(states):
        values[i, s.legal_actions()] = naive.baseline_at(networks, s)
    sarsa_targets(game.table, rows, advantages, values, spare, np.zeros(game.table.choices), targets)
    for i, s in enumerate(states):
        wanted = naive.sarsa_target(
            networks, int(rows.players[i]), float(rows.rewards[i]), None if rows.ended[i] else s
        )
        assert targets[i] == pytest.approx(wanted, rel=1e-4, abs=1e-4)
