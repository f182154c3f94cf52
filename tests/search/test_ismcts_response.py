"""A best response by tree search wins what an exact one wins, and plays as it has found."""

import numpy as np
import pytest

import forethought as ft
from forethought.nets.evaluator import policy_of
from forethought.nets.mlp import Mlp, make_mlp, mlp_of, parameters_of
from forethought.randomness import generator
from forethought.search.ismcts.response import ResponseSearch
from tests.naive.best_response import Policy, best_response_value, expected_returns


def network(game: ft.Game, seed: int) -> Mlp:
    """One whose policy is far from uniform."""
    parameters = parameters_of(make_mlp(game.facts, game.actions, (8,), np.random.default_rng(seed)))
    return mlp_of(parameters | {"weight1": 60 * parameters["weight1"]})


def infosets(s: ft.State) -> dict[tuple[int, ...], ft.State]:
    """All information sets below a state, each with one of its states."""
    found = {} if s.is_terminal or s.is_chance else {tuple(s.facts(s.player)): s}
    for action in s.legal_actions() if not s.is_terminal else []:
        child = s.clone()
        child.apply(action)
        found = infosets(child) | found
    return found


@pytest.mark.parametrize("seat", [0, 1])
def test_it_wins_what_an_exact_best_response_wins(seat: int) -> None:
    game, others = ft.load("kuhn"), network(ft.load("kuhn"), 3)
    search, policies, response = ResponseSearch(game, seat, others, 0.5, generator(1)), Policy(), Policy()
    search.simulate(20_000)
    for facts, s in infosets(game.start()).items():
        legal = tuple(s.legal_actions())
        policies[facts] = response[facts] = legal, tuple(policy_of(others, list(facts), list(legal)))
        if s.player == seat:
            response[facts] = legal, tuple(search.policy(s.observation(seat)))
    exact, own = best_response_value(game, policies, seat), expected_returns(game, policies)[seat]
    assert exact > own + 0.2
    assert expected_returns(game, response)[seat] == pytest.approx(exact, abs=1e-6)


def test_it_plays_what_it_visited_most() -> None:
    game = ft.load("leduc")
    search = ResponseSearch(game, 1, network(game, 3), 0.5, generator(1))
    assert len(search.play(20).actions) == 0  # it knows nothing yet
    search.simulate(20_000)
    moves = search.play(50)
    assert len(moves.actions) > 50
    for state, player, action in zip(*moves, strict=True):
        observation = ft.State(game, state.copy()).observation(1)
        assert player == 1
        assert len(observation.legal_actions) > 1
        assert search.policy(observation)[observation.legal_actions.index(action)] > 0.0
