"""Traversals of Deep CFR: their estimates are unbiased, and what they teach is what plain Python makes of them."""

from collections import defaultdict

import numpy as np
import pytest

import forethought as ft
from forethought.learn.outcome_traversals import (
    TraversalNetworks,
    Traversed,
    experience_of,
    joined_experience,
    match_advantages,
    sampled_advantages,
    traverse_games,
)
from forethought.nets.mlp import make_mlp, mlp_of, parameters_of
from forethought.randomness import generators
from tests.naive import deep_cfr as naive

EXPLORATION, UNIT = 0.3, 2.0
PLACES = 2  # of a player's actions in Kuhn; chance has three


def networks_of(game: ft.Game, seed: int = 1) -> TraversalNetworks:
    """Networks whose last layers are not small, so that actions and histories differ."""
    rng = np.random.default_rng(seed)

    def network(observers: int) -> dict:
        parameters = parameters_of(make_mlp(observers * game.facts, game.actions, (8,), rng))
        return parameters | {"weight1": 60 * parameters["weight1"]}

    advantages = network(1)
    return TraversalNetworks(mlp_of(advantages | {"bias1": advantages["bias1"] + 0.5}), mlp_of(network(2)))


@pytest.fixture(scope="module")
def kuhn() -> ft.Game:
    return ft.load("kuhn")


@pytest.fixture(scope="module")
def networks(kuhn: ft.Game) -> TraversalNetworks:
    return networks_of(kuhn)


@pytest.fixture(scope="module")
def traversed(kuhn: ft.Game, networks: TraversalNetworks) -> Traversed:
    return traverse_games(kuhn, networks, EXPLORATION, UNIT, generators(6_000, 5))


def rows_by_game(traversed: Traversed) -> dict[tuple, list[int]]:
    """The rows of one sample of each game that was sampled; the states of Kuhn tell the cards."""
    rows = defaultdict(list)
    for row, g in enumerate(traversed.visits.games):
        rows[int(g)].append(row)
    visits = traversed.visits
    return {
        (int(traversed.traversers[g]), *((visits.states[i].tobytes(), int(visits.choices[i])) for i in own)): own
        for g, own in rows.items()
    }


def games_of(kuhn: ft.Game, networks: TraversalNetworks, traverser: int) -> dict[tuple, naive.Sampled]:
    """All games that may be sampled, named as above."""
    return {
        (traverser, *((one.state.memory.tobytes(), one.choice) for one in found.decisions)): found
        for found in naive.all_games(networks, kuhn.start(), traverser, EXPLORATION)
    }


def test_every_game_is_recorded_as_plain_python_does(
    kuhn: ft.Game, networks: TraversalNetworks, traversed: Traversed
) -> None:
    seen, visits, found = rows_by_game(traversed), traversed.visits, sampled_advantages(traversed)
    games = games_of(kuhn, networks, 0) | games_of(kuhn, networks, 1)
    assert seen.keys() == games.keys()  # each is among the 6,000
    for name, rows in seen.items():
        decisions, _, returns = games[name]
        assert traversed.returns[visits.games[rows[0]]] == returns[name[0]] / UNIT
        for row, one in zip(rows, decisions, strict=True):
            assert visits.players[row] == one.state.player
            assert visits.actions[row, :PLACES].tolist() == one.state.legal_actions()
            assert visits.strategies[row, :PLACES] == pytest.approx(one.strategy, abs=1e-5)
            assert visits.baselines[row, :PLACES] == pytest.approx(one.baseline, rel=1e-4, abs=1e-5)
            assert visits.probabilities[row] == pytest.approx(one.probability, rel=1e-4)
            assert visits.reaches[row] == pytest.approx(one.reach, rel=1e-4)
        estimates = naive.estimates(decisions, name[0], returns[name[0]] / UNIT)
        assert found[rows, :PLACES] == pytest.approx(np.array(estimates), rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("traverser", [0, 1])
def test_advantages_and_strategies_are_unbiased(
    kuhn: ft.Game, networks: TraversalNetworks, traversed: Traversed, traverser: int
) -> None:
    """Over all games, each as often as it is sampled, they come to counterfactual regrets and to the average."""
    iteration, seen, estimates = 3, rows_by_game(traversed), sampled_advantages(traversed)
    visits, games = traversed.visits, games_of(kuhn, networks, traverser)
    sums: list[dict] = [defaultdict(lambda: np.zeros(kuhn.actions)) for _ in range(2)]
    for name, found in games.items():
        for row, one in zip(seen[name], found.decisions, strict=True):
            other = int(one.state.player != traverser)
            weight = found.probability * iteration / visits.reaches[row]
            facts, of = tuple(one.state.facts(one.state.player)), (estimates, visits.strategies)[other]
            sums[other][facts][visits.actions[row, :PLACES]] += weight * of[row, :PLACES]
    regrets = naive.exact_regrets(networks, kuhn.start(), traverser)
    strategies = naive.exact_strategy_weights(networks, kuhn.start(), 1 - traverser)
    assert sums[0].keys() == regrets.keys()
    for facts, exact in regrets.items():
        assert sums[0][facts] == pytest.approx(iteration * exact / UNIT, abs=1e-5)
    for facts, exact in strategies.items():
        assert sums[1][facts] == pytest.approx(iteration * exact, abs=1e-5)


@pytest.mark.parametrize(("sign", "biased"), [(1.0, False), (-1.0, True)])
def test_a_wrong_sign_of_the_baseline_is_seen(
    kuhn: ft.Game, networks: TraversalNetworks, sign: float, biased: bool
) -> None:
    sums: dict = defaultdict(lambda: np.zeros(kuhn.actions))
    for decisions, probability, returns in naive.all_games(networks, kuhn.start(), 0, EXPLORATION):
        for one, found in zip(decisions, naive.estimates(decisions, 0, returns[0], sign), strict=True):
            if one.state.player == 0:
                sums[tuple(one.state.facts(0))][one.state.legal_actions()] += probability / one.reach * np.array(found)
    regrets = naive.exact_regrets(networks, kuhn.start(), 0)
    errors = [np.abs(sums[facts] - exact).max() for facts, exact in regrets.items()]
    assert (max(errors) > 0.1) if biased else (max(errors) < 1e-10)


@pytest.mark.parametrize(("sign", "varies"), [(1.0, False), (-1.0, True)])
def test_with_the_exact_baseline_nothing_varies(
    kuhn: ft.Game, networks: TraversalNetworks, sign: float, varies: bool
) -> None:
    """The baseline is the mover's view: with the other's view of its decisions, estimates vary."""
    traversed = traverse_games(kuhn, networks, EXPLORATION, UNIT, generators(60, 5))
    visits = traversed.visits
    states = [ft.State(kuhn, record.copy()) for record in visits.states]
    exact = np.array([naive.values_of(networks, s, s.player) for s in states]) / UNIT
    mine = visits.players == traversed.traversers[visits.games]
    baselines = np.where(mine, 1.0, sign)[:, np.newaxis] * exact
    found = sampled_advantages(traversed._replace(visits=visits._replace(baselines=baselines)))[:, :PLACES]
    advantages = exact - (visits.strategies[:, :PLACES] * exact).sum(axis=1, keepdims=True)
    error = np.abs(found - advantages)[mine].max()
    assert (error > 0.1) if varies else (error < 1e-5)


def test_regret_matching_and_the_best_where_no_advantage_is_positive() -> None:
    strategy, actions = np.zeros(3), np.array([4, 0, 2])
    match_advantages(np.array([1.0, 9.0, -2.0, 9.0, 3.0], np.float32), actions, 3, strategy)
    assert strategy.tolist() == [0.75, 0.25, 0.0]
    match_advantages(np.array([-1.0, 9.0, -0.5, 9.0, -3.0], np.float32), actions, 3, strategy)
    assert strategy.tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("spec", ["leduc", "tic_tac_toe"])
def test_what_games_teach(spec: str) -> None:
    """Weights grow with the iteration; each decision leads to the next of its game, or to what its player won."""
    game = ft.load(spec)
    traversed = traverse_games(game, networks_of(game), EXPLORATION, UNIT, generators(40, 6))
    visits, found = traversed.visits, experience_of(traversed, 7)
    estimates, number, places = sampled_advantages(traversed), len(visits.games), [0, 0]
    later: dict[int, int] = {}
    for row in range(number - 1, -1, -1):
        g, ours = int(visits.games[row]), {name: array[row] for name, array in found.transitions._asdict().items()}
        own = visits.players[row] == traversed.traversers[g]
        assert ours["actions"] == visits.actions[row, visits.choices[row]]
        assert (ours["ended"] == 1) == (g not in later)
        won = np.float32(traversed.returns[g] if own else -traversed.returns[g])
        assert ours["rewards"] == (0.0 if g in later else won)
        if g in later:
            assert np.array_equal(ours["following"], visits.states[later[g]])
            assert ours["following_players"] == visits.players[later[g]]
        later[g] = row
    for row in range(number):
        own = int(visits.players[row] == traversed.traversers[visits.games[row]])
        rows, targets = (found.strategies, visits.strategies) if not own else (found.advantages, estimates)
        at = places[own]
        assert np.array_equal(rows.states[at], visits.states[row])
        assert rows.players[at] == visits.players[row]
        assert rows.weights[at] == pytest.approx(7 / visits.reaches[row])
        assert rows.targets[at] == pytest.approx(targets[row])
        places[own] += 1
    assert places == [len(found.strategies.weights), len(found.advantages.weights)]


def test_games_are_the_same_in_any_company() -> None:
    game = ft.load("leduc")
    networks, rngs = networks_of(game), generators(12, 6)
    together = experience_of(traverse_games(game, networks, EXPLORATION, UNIT, rngs.copy()), 2)
    pairs = [traverse_games(game, networks, EXPLORATION, UNIT, rngs[g : g + 2].copy()) for g in range(0, 12, 2)]
    joined = joined_experience([experience_of(pair, 2) for pair in pairs])
    for ours, theirs in zip(together, joined, strict=True):
        rows = [sorted(zip(*(array.tolist() for array in kind), strict=True)) for kind in (ours, theirs)]
        assert rows[0] == rows[1]
