"""Best responses: exact for the uniform policy, equal to a slow reference and to OpenSpiel for random policies."""

import numpy as np
import pyspiel
import pytest

import forethought as ft
from forethought.solve.best_response import best_response, expected_return, strength
from tests.naive.best_response import best_response_value
from tests.naive.best_response import expected_returns as naive_returns
from tests.solve.trees import random_strategy, tree_of

UNIFORM_NASHCONV = {
    "kuhn": 11 / 12,
    "leduc": 4.7472222222,
    "goofspiel(cards=4)": 1.75,
    "goofspiel(cards=5)": 1.75,
    "liars_dice": 1.5614886464,
}


@pytest.mark.parametrize("spec", UNIFORM_NASHCONV)
def test_uniform_play_is_as_exploitable_as_is_known(spec: str) -> None:
    tree = tree_of(spec)
    found = strength(tree, tree.uniform())
    assert found.nashconv == pytest.approx(UNIFORM_NASHCONV[spec], abs=1e-9)
    assert found.exploitability == found.nashconv / 2


def test_uniform_play_of_six_cards() -> None:
    tree = tree_of("goofspiel(cards=6)")
    assert tree.infosets == 166_002
    assert strength(tree, tree.uniform()).nashconv == pytest.approx(1.7916666667, abs=1e-9)


@pytest.mark.parametrize(
    "spec", ["kuhn", "leduc", "goofspiel(cards=3)", "docs/games/doubt.py", "tests/userfiles/kuhn3.py"]
)
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.quick_cases(5)
def test_random_policies_agree_with_the_slow_reference(spec: str, seed: int) -> None:
    tree, game = tree_of(spec), ft.load(spec)
    strategy = random_strategy(tree, seed)
    found, known = strength(tree, strategy), tree.policy(strategy).by_facts
    assert found.values == pytest.approx(naive_returns(game, known), abs=1e-12)
    for player in range(game.players):
        assert found.best_responses[player] == pytest.approx(best_response_value(game, known, player), abs=1e-12)


def test_a_best_response_wins_what_it_promises() -> None:
    tree = tree_of("leduc")
    strategy = random_strategy(tree, 5)
    for player in range(2):
        promised, choice = best_response(tree, strategy, player)
        played = strategy.copy()
        for row in np.flatnonzero(tree.rows.player == player):
            first = tree.rows.first[row]
            played[first : first + tree.rows.count[row]] = np.arange(tree.rows.count[row]) == choice[first]
        assert expected_return(tree, played, player) == pytest.approx(promised, abs=1e-12)


SPIEL_NAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker", "liars_dice": "liars_dice"}


@pytest.mark.parametrize("spec", ["kuhn", "leduc", pytest.param("liars_dice", marks=pytest.mark.slow)])
def test_random_policies_agree_with_openspiel(spec: str) -> None:
    tree, spiel = tree_of(spec), pyspiel.load_game(SPIEL_NAMES[spec])
    strategy = random_strategy(tree, 3)
    policy = pyspiel.TabularPolicy(spiel_policy(ft.load(spec), spiel, tree.policy(strategy).by_facts))
    assert strength(tree, strategy).nashconv == pytest.approx(pyspiel.nash_conv(spiel, policy, True), abs=1e-9)


def spiel_policy(game: ft.Game, spiel, known) -> dict[str, list[tuple[int, float]]]:
    """Write our policy down under OpenSpiel's names, by playing both games side by side."""
    found: dict[str, list[tuple[int, float]]] = {}

    def walk(ours: ft.State, theirs) -> None:
        if theirs.is_terminal():
            assert ours.returns() == theirs.returns()
            return
        if not theirs.is_chance_node():
            actions, probabilities = known[tuple(ours.facts(ours.player))]
            assert list(actions) == theirs.legal_actions()
            found[theirs.information_state_string()] = list(zip(actions, probabilities, strict=True))
        for action in theirs.legal_actions():
            mine, child = ours.clone(), theirs.child(action)
            is_card = theirs.is_chance_node() and game.name == "leduc"
            game.table.apply(mine.memory, 2 * (action // 2) if is_card else action)
            walk(mine, child)

    walk(game.start(), spiel.new_initial_state())
    return found


def test_where_nothing_is_hidden_best_play_is_backward_induction() -> None:
    """Tic-tac-toe is a draw; against a random second player the best first player wins 191 of 192."""
    tree = tree_of("tic_tac_toe")
    assert strength(tree, tree.uniform()).best_responses[0] == pytest.approx(191 / 192)
