"""OOS equals a slow reference draw for draw, with each kind of target."""

import numpy as np
import pytest

import forethought as ft
from forethought.randomness import generator
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from tests.naive import oos as naive
from tests.search.tables import by_facts, decisions_of_a_game

GAMES = ["kuhn", "leduc", "goofspiel(cards=4)"]


def assert_same(search: OnlineOutcomeSampling, reference: naive.Search) -> None:
    """To 1e-12 of the largest sum: where larger ones cancel, rounding stays as it was."""
    close = {"rel": 1e-12, "abs": 1e-12 * float(np.abs(search.table.entries).max())}
    for ours, theirs in zip(by_facts(search.table), (reference.regrets, reference.averages), strict=True):
        assert set(ours) == set(theirs)
        assert all(ours[facts] == pytest.approx(theirs[facts], **close) for facts in theirs)


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("targeting", ["none", "infoset", "public"])
@pytest.mark.parametrize("weighting", ["none", "ema"])
@pytest.mark.quick_cases(2)
def test_walks_as_the_reference_does(spec: str, targeting: str, weighting: str) -> None:
    game = ft.load(spec)
    settings = OosSettings(targeting=targeting, weighting=weighting)
    search = OnlineOutcomeSampling(game, settings, generator(3), labelled=True)
    reference = naive.Search(naive.Draws([int(word) for word in generator(3)]), decay=search.aim.decay)
    walked = 0
    for state in decisions_of_a_game(game, seed=5)[
        :4
    ]:  # the tree and the moving average are kept from target to target
        observation = state.observation(state.player)
        search.aim_at(observation)
        search.simulate(250)
        if targeting == "infoset":
            reference.observer, reference.target = state.player, observation.facts
        elif targeting == "public":
            reference.target = observation.public_facts
        for _ in range(250):
            reference.walk(game.start(), walked % game.players)
            walked += 1
    assert_same(search, reference)
