"""Self-play in lock-step: every game is what it would be alone, and what a plain loop over states plays."""

import dataclasses

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.learn.lockstep import Networks, Played, advantages, joined, play_games
from forethought.nets.mlp import make_mlp
from forethought.randomness import generators
from tests.naive.policy_gradient import advantages as naive_advantages
from tests.naive.policy_gradient import one_game

KUHN3 = "tests/userfiles/kuhn3.py"
GAMES = ["leduc", "goofspiel(cards=4)", "liars_dice", KUHN3, "tic_tac_toe"]


def networks_of(game: ft.Game, observers: int, seed: int = 1) -> Networks:
    """Three networks whose policies are far from uniform and from each other."""
    rng = np.random.default_rng(seed)
    sizes = [(game.facts, game.actions), (game.facts, game.actions), (game.facts * observers, 1)]
    nets = [make_mlp(facts, outputs, (24, 16), rng) for facts, outputs in sizes]
    panels = [
        np.where(net.panels == 0.0, 0.0, rng.normal(0.0, 0.5, net.panels.shape)).astype(np.float32) for net in nets
    ]
    return Networks(*(net._replace(panels=array) for net, array in zip(nets, panels, strict=True)))


def rows_of_game(played: Played, game: int) -> list[np.ndarray]:
    chosen = played.decisions.games == game
    return [array[chosen] for name, array in played.decisions._asdict().items() if name != "games"]


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.quick_cases(1)
def test_games_together_are_what_a_plain_loop_plays_one_by_one(spec: str, whole: bool) -> None:
    game = ft.load(spec)
    networks, rngs = networks_of(game, game.players if whole else 1), generators(9, 5)
    played = play_games(game, networks, rngs.copy())
    found = advantages(played, 2.0, 0.7)
    for number in range(9):
        decisions, returns = one_game(game, *networks, rngs[number])
        assert played.returns[number].tolist() == returns
        rows = np.flatnonzero(played.decisions.games == number)
        assert len(rows) == len(decisions)
        for row, naive in zip(rows, decisions, strict=True):
            ours = {name: array[row] for name, array in played.decisions._asdict().items()}
            count = len(naive["actions"])
            assert np.array_equal(ours["states"], naive["state"])
            assert (ours["players"], ours["counts"], ours["choices"]) == (naive["player"], count, naive["choice"])
            assert ours["actions"].tolist()[:count] == naive["actions"]
            assert ours["policies"][:count] == pytest.approx(naive["policy"], abs=1e-6)
            assert ours["magnets"][:count] == pytest.approx(naive["magnet"], abs=1e-6)
            assert not ours["policies"][count:].any()
            assert ours["values"] == pytest.approx(naive["value"], rel=1e-4, abs=1e-4)
        assert found[rows] == pytest.approx(naive_advantages(decisions, returns, 2.0, 0.7), rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("spec", ["leduc", "goofspiel(cards=6)"])
@pytest.mark.quick_cases(1)
def test_a_game_is_the_same_in_every_company(spec: str) -> None:
    game = ft.load(spec)
    networks, rngs = networks_of(game, 2), generators(40, 1)
    together = play_games(game, networks, rngs.copy())
    parts = [play_games(game, networks, rngs[begin : begin + 7].copy()) for begin in range(0, 40, 7)]
    apart = joined(parts)
    assert np.array_equal(together.returns, apart.returns)
    for number in range(40):
        for ours, theirs in zip(rows_of_game(together, number), rows_of_game(apart, number), strict=True):
            assert np.array_equal(ours, theirs)


def test_policies_and_magnets_are_not_confused() -> None:
    game = ft.load("leduc")
    networks = networks_of(game, 2)
    ours = play_games(game, networks, generators(20, 3)).decisions
    swapped = play_games(game, networks._replace(magnet=networks.actor), generators(20, 3)).decisions
    assert np.array_equal(ours.policies, swapped.policies)
    assert np.array_equal(swapped.policies, swapped.magnets)
    assert not np.allclose(ours.policies, ours.magnets, atol=0.1)


def test_a_game_that_breaks_its_law_is_refused() -> None:
    game = ft.load("leduc")
    game = dataclasses.replace(game, plies=3, machine=game.machine._replace(plies=3))
    with pytest.raises(ForethoughtError, match="did not end within the declared 3 plies"):
        play_games(game, networks_of(game, 2), generators(4, 1))


def test_the_critic_learns_nothing_of_others_if_it_sees_the_mover_alone() -> None:
    """In Kuhn two states that differ only in the other's card have equal values; with all facts they have not."""
    game = ft.load("kuhn")
    for observers, equal in ((1, True), (2, False)):
        decisions = play_games(game, networks_of(game, observers), generators(200, 1)).decisions
        first = decisions.rows and np.flatnonzero(decisions.players == 0)
        cards = {}
        for row in first:
            facts = tuple(ft.State(game, decisions.states[row].copy()).facts(0))
            cards.setdefault(facts, set()).add(float(decisions.values[row]))
        assert all(len(values) == 1 for values in cards.values()) == equal
