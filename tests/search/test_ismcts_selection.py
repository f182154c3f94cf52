"""Rules of selection in ISMCTS: each equals a slow reference, and comes as near to equilibria as is known of it.

All gaps are exact NashConv of the whole strategy that one search from the start has found.
"""

from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.playouts import largest_return
from forethought.randomness import generator
from forethought.search.ismcts.search import InformationSetTreeSearch, IsmctsSettings
from forethought.solve.best_response import strength
from tests.naive import ismcts as naive
from tests.search.tables import by_facts, decisions_of_a_game
from tests.solve.trees import tree_of

PENNIES = "tests/userfiles/simultaneous.py"
BIASED = "tests/userfiles/simultaneous.py(actions=3)"
TWO_ARMS = "tests/userfiles/two_arms.py"
UCB = {"selection": "ucb", "play": "visits"}


def gaps_after(spec: str, stops: tuple[int, ...], **settings: Any) -> list[float]:
    """Simulate from the start up to each stop, and measure the strategy found so far."""
    tree, gaps = tree_of(spec), []
    search = InformationSetTreeSearch(tree.game, IsmctsSettings(**settings), generator(1))
    for stop in stops:
        search.simulate(stop - search.simulated)
        strategy = np.concatenate([search.policy(tree.observation(row)) for row in range(tree.infosets)])
        gaps.append(strength(tree, strategy).nashconv)
    return gaps


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=4)", "tests/userfiles/kuhn3.py", BIASED])
@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"selection": "rm", "gamma": 0.1}, naive.RegretMatching(0.1)),
        ({"selection": "exp3", "gamma": 0.3}, naive.Exp3(0.3)),
        ({"selection": "smooth", "eta": 0.7, "eta_decay": 0.1}, naive.Smooth(2.0, 0.7, 0.1, 0.1)),
    ],
)
@pytest.mark.quick_cases(1)
def test_walks_as_the_reference_does(spec: str, settings: dict[str, Any], rule: naive.Rule) -> None:
    game = ft.load(spec)
    if isinstance(rule, naive.Exp3):
        rule.largest = largest_return(game)
    search = InformationSetTreeSearch(game, IsmctsSettings(**settings), generator(5), labelled=True)
    reference = naive.Search([int(word) for word in generator(5)], game.start(), rule)
    for state in decisions_of_a_game(game, 3)[:3]:
        search.aim_at(state.observation(state.player))
        search.simulate(200)
        reference.observer, reference.target = state.player, state.observation(state.player).facts
        for _ in range(200):
            reference.walk()
    first, second = by_facts(search.table)
    assert first.keys() == reference.tree.keys()
    for facts, (scores, sums) in reference.tree.items():
        assert first[facts] == pytest.approx(scores)
        assert second[facts] == pytest.approx(sums)


def test_simulations_are_whole_games_if_they_begin_at_the_start() -> None:
    """Wherever the player is: the other cards are drawn anew each time, and no position is guessed."""
    game = ft.load("kuhn")
    searches = [
        InformationSetTreeSearch(game, IsmctsSettings(selection="smooth", begin="start"), generator(2)) for _ in "ab"
    ]
    last = decisions_of_a_game(game, 3)[-1]
    searches[1].aim_at(last.observation(last.player))
    for search in searches:
        search.simulate(500)
    assert np.array_equal(searches[0].table.entries, searches[1].table.entries)
    first_visits = [searches[0].about_actions(after_the_deal(game, card))["visits"].sum() for card in range(3)]
    assert sum(first_visits) == 500
    assert min(first_visits) > 100


def after_the_deal(game: ft.Game, card: int) -> ft.Observation:
    s = game.start()
    s.apply(card)
    s.apply((card + 1) % 3)
    return s.observation(0)


@pytest.mark.parametrize("selection", ["rm", "exp3"])
@pytest.mark.parametrize(
    ("spec", "gamma", "bound"),
    [(PENNIES, 0.2, 0.05), (BIASED, 0.2, 0.25), (BIASED, 0.02, 0.08), (TWO_ARMS, 0.2, 0.4), (TWO_ARMS, 0.02, 0.1)],
)
@pytest.mark.quick_cases(3)
def test_regret_minimisers_converge_where_moves_are_simultaneous(
    spec: str, gamma: float, bound: float, selection: str
) -> None:
    """Up to the exploration of the opponent, to which they adapt; uniform play is at 0.67 in the biased games."""
    assert gaps_after(spec, (200_000,), selection=selection, gamma=gamma)[0] < bound


@pytest.mark.parametrize("spec", [BIASED, TWO_ARMS])
def test_ucb1_does_not(spec: str) -> None:
    assert gaps_after(spec, (200_000,), **UCB)[0] > 0.7


def test_the_mean_strategy_is_that_of_the_biased_game() -> None:
    """Rock 1/4, paper 1/2, scissors 1/4."""
    game = ft.load(BIASED)
    for selection in ("rm", "exp3"):
        settings = IsmctsSettings(selection=selection, gamma=0.02)
        search = InformationSetTreeSearch(game, settings, generator(3))
        search.simulate(500_000)
        assert search.policy(game.start().observation(0)) == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


@pytest.mark.parametrize(
    ("spec", "settings", "bounds"),
    [
        ("kuhn", {"exploration": 0.875, "eta_decay": 0.001}, {100_000: 0.04, 1_000_000: 0.01}),
        ("leduc", {"exploration": 18 / 13}, {300_000: 1.0, 1_000_000: 0.5, 2_000_000: 0.25}),
    ],
)
@pytest.mark.quick_cases(1)
def test_smooth_uct_falls(spec: str, settings: dict[str, Any], bounds: dict[int, float]) -> None:
    """With the paper's constants, in units of the largest return."""
    gaps = gaps_after(spec, tuple(bounds), selection="smooth", **settings)
    assert gaps == sorted(gaps, reverse=True)
    assert all(gap < bound for gap, bound in zip(gaps, bounds.values(), strict=True)), gaps


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "exploration", "bound"), [("kuhn", 1.0, 0.025), ("leduc", 20 / 13, 0.6)])
def test_where_uct_does_not(spec: str, exploration: float, bound: float) -> None:
    assert min(gaps_after(spec, (1_000_000, 2_000_000), exploration=exploration, **UCB)) > bound
