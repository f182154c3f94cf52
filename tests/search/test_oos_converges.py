"""OOS approaches equilibrium: with and without a target, and in the strategy stitched together from many searches.

All gaps are exact NashConv of the whole strategy. The bounds are about twice what independent prototypes gave on
average; uniform play is at 0.92 in kuhn, 4.7 in leduc, 1.75 in goofspiel and 1.56 in liar's dice.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.evaluate.tabulation import tabulate
from forethought.player import Policy
from forethought.randomness import Generator, generator
from forethought.runtime.threads import Threads
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from forethought.solve.best_response import strength
from forethought.solve.mccfr import average_policy
from tests.evaluate.given_players import given
from tests.solve.trees import tree_of

NONLOCAL = "tests/userfiles/nonlocal.py"
GOOFSPIEL = "goofspiel(cards=4)"

Thoughts = dict[tuple[int, ...], list[ft.Observation]]


def gaps_after(search: OnlineOutcomeSampling, spec: str, stops: tuple[int, ...]) -> list[float]:
    """Walk on to each stop, and measure the average strategy there."""
    tree, gaps = tree_of(spec), []
    for stop in stops:
        search.simulate(stop - search.simulated)
        gaps.append(strength(tree, tree.strategy(average_policy(search.game, search.table, {}))).nashconv)
    return gaps


@pytest.mark.parametrize("gamma", [0.0, 0.01])
@pytest.mark.parametrize(
    ("spec", "bounds"),
    [
        ("kuhn", {100_000: 0.06}),
        ("leduc", {100_000: 2.2, 1_000_000: 0.6}),
        (GOOFSPIEL, {100_000: 0.03}),
        pytest.param("goofspiel(cards=5)", {1_000_000: 0.12}, marks=pytest.mark.slow),
        pytest.param("liars_dice(dice=1)", {1_000_000: 0.6}, marks=pytest.mark.slow),
    ],
)
def test_without_a_target(spec: str, bounds: dict[int, float], gamma: float) -> None:
    """Mistakes of the others do not leak into the average strategy: no floor, the bounds are the same."""
    search = OnlineOutcomeSampling(ft.load(spec), OosSettings(gamma=gamma), generator(1), labelled=True)
    gaps = gaps_after(search, spec, tuple(bounds))
    assert all(0.0 <= gap < bound for gap, bound in zip(gaps, bounds.values(), strict=True)), gaps


@pytest.mark.parametrize(
    ("spec", "targeting", "delta", "bounds"),
    [
        ("kuhn", "infoset", 0.9, (0.13, 0.03)),
        (GOOFSPIEL, "infoset", 0.9, (0.04, 0.004)),
        pytest.param(GOOFSPIEL, "infoset", 0.5, (0.016, 0.002), marks=pytest.mark.slow),
        pytest.param("leduc", "public", 0.9, (4.2, 1.7), marks=pytest.mark.slow),
        ("leduc", "public", 0.5, (2.2, 0.7)),
    ],
)
@pytest.mark.quick_cases(1)
def test_a_target_slows_the_rest_but_never_stops_it(
    spec: str, targeting: str, delta: float, bounds: tuple[float, float]
) -> None:
    """Whatever it is, if it stays; bounds after 100,000 and a million walks."""
    tree = tree_of(spec)
    settings = OosSettings(targeting=targeting, delta=delta, gamma=0.0, weighting="none")
    for row in np.random.default_rng(0).choice(tree.infosets, 2, replace=False):
        search = OnlineOutcomeSampling(ft.load(spec), settings, generator(1), labelled=True)
        search.aim_at(tree.observation(int(row)))
        gaps = gaps_after(search, spec, (10_000, 100_000, 1_000_000))
        assert gaps == sorted(gaps, reverse=True), gaps
        assert all(gap < bound for gap, bound in zip(gaps[1:], bounds, strict=True)), gaps


@pytest.mark.parametrize("weighting", ["ema", "exact"])
@pytest.mark.quick_cases(1)
def test_weighting_does_not_change_where_it_goes(weighting: str) -> None:
    """The moving average counts some walks much more than others, which is slower where the target never changes."""
    tree = tree_of(GOOFSPIEL)
    for row in (30, 227):
        settings = OosSettings(gamma=0.0, weighting=weighting)
        search = OnlineOutcomeSampling(ft.load(GOOFSPIEL), settings, generator(1), labelled=True)
        search.aim_at(tree.observation(row))
        gaps = gaps_after(search, GOOFSPIEL, (10_000, 100_000, 1_000_000))
        assert gaps == sorted(gaps, reverse=True), gaps
        assert gaps[-1] < 0.012


def p_left(delta: float, walks: int) -> float:
    """How often the guesser says left, thinking about its one information set."""
    game = ft.load(NONLOCAL)
    s = game.start()
    for action in (1, 0):  # tails, left
        s.apply(action)
    search = OnlineOutcomeSampling(game, OosSettings(delta=delta, epsilon=0.4, gamma=0.0), generator(1))
    search.aim_at(s.observation(1))
    search.simulate(walks)
    return float(search.policy(s.observation(1))[0])


def test_what_never_comes_to_the_target_counts_too() -> None:
    """A search that is always targeted never sees heads, and finds the equilibrium of another game."""
    assert 0.32 < p_left(0.9, 200_000) < 0.35
    assert 0.327 < p_left(0.9, 2_000_000) < 0.34
    assert 0.48 < p_left(1.0, 200_000) < 0.52


def thoughts_before(s: ft.State, so_far: dict[int, list[ft.Observation]], found: Thoughts) -> Thoughts:
    """For every information set, what its player observes there and at its decisions before, first to last."""
    if s.player >= 0:
        observation = s.observation(s.player)
        so_far = {**so_far, s.player: [*so_far.get(s.player, []), observation]}
        found.setdefault(observation.facts, so_far[s.player])
    for action in s.legal_actions():
        child = s.clone()
        child.apply(action)
        thoughts_before(child, so_far, found)
    return found


@dataclass
class Searcher:
    """A player that has thought at each of its decisions so far, and kept what it learnt."""

    search: OnlineOutcomeSampling
    walks: int
    thoughts: Thoughts

    def think(self, observation: ft.Observation) -> Policy:
        for earlier in self.thoughts[observation.facts]:
            self.search.aim_at(earlier)
            self.search.simulate(self.walks)
        return Policy(observation.legal_actions, tuple(self.search.policy(observation).tolist()))


@pytest.mark.parametrize(
    ("spec", "settings", "bounds"),
    [
        (GOOFSPIEL, OosSettings(), {500: 1.2, 2_000: 0.35}),
        pytest.param("leduc", OosSettings(targeting="public"), {2_000: 5.0, 20_000: 2.6}, marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_the_strategy_stitched_from_searches(spec: str, settings: OosSettings, bounds: dict[int, float]) -> None:
    """What is really played online: the player asked in an information set has come there in one game."""
    tree, gaps = tree_of(spec), []
    thoughts = thoughts_before(tree.game.start(), {}, {})

    def new_player(walks: int, rng: Generator) -> Searcher:
        return Searcher(OnlineOutcomeSampling(tree.game, settings, rng), walks, thoughts)

    for walks in bounds:
        player = given("stitched", partial(new_player, walks))
        strategy = tabulate(tree, player, 1, Threads(2), lambda _part: None)
        gaps.append(strength(tree, strategy).nashconv)
    assert gaps == sorted(gaps, reverse=True), gaps
    assert all(gap < bound for gap, bound in zip(gaps, bounds.values(), strict=True)), gaps


def test_baselines_and_linear_weights_need_fewer_simulations() -> None:
    """On Leduc, the mean of three seeds: less than two thirds of the NashConv after as many simulations."""

    def gap(**chosen: Any) -> float:
        settings = OosSettings(targeting="none", gamma=0.0, epsilon=0.6, weighting="none", **chosen)
        searches = [
            OnlineOutcomeSampling(ft.load("leduc"), settings, generator(seed), labelled=True) for seed in range(3)
        ]
        return sum(gaps_after(search, "leduc", (100_000,))[0] for search in searches) / len(searches)

    plain, baselines, both = gap(), gap(baseline_rate=0.05), gap(baseline_rate=0.05, linear=True)
    assert baselines < 0.85 * plain
    assert both < 0.67 * plain


def test_the_update_of_simulation_t_has_the_weight_t() -> None:
    """The first update of each player is the same play with and without; the second player's counts twice."""
    game, entries = ft.load("kuhn"), []
    for linear in (False, True):
        search = OnlineOutcomeSampling(game, OosSettings(linear=linear), generator(3), labelled=True)
        found = [search.table.entries.copy()]
        for _ in range(2):
            search.simulate(1)
            found.append(search.table.entries[: len(found[0])].copy())
        entries.append(np.diff(found, axis=0))
    plain, weighted = entries
    assert np.abs(plain).sum(axis=1).min() > 0.0
    assert np.array_equal(weighted[0], plain[0])
    assert np.array_equal(weighted[1], 2.0 * plain[1])
