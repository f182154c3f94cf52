"""OOS equals a slow reference draw for draw, with each kind of target."""

import numpy as np
import pytest

import forethought as ft
from forethought.randomness import generator
from forethought.search.oos import OnlineOutcomeSampling, Settings
from tests.naive import oos as naive

GAMES = ["kuhn", "leduc", "goofspiel(cards=4)"]


def decisions(game: ft.Game, seed: int) -> list[ft.State]:
    """The decisions of one random game."""
    rng, found, s = np.random.default_rng(seed), [], game.start()
    while not s.is_terminal:
        if not s.is_chance:
            found.append(s.clone())
        s.apply(int(rng.choice(s.legal_actions())))
    return found


def assert_same(search: OnlineOutcomeSampling, reference: naive.Search) -> None:
    """To 1e-12 of the largest sum: where larger ones cancel, rounding stays as it was."""
    table, labels = search.table, search.table.labels
    assert search.infosets == len(reference.regrets)
    close = {"rel": 1e-12, "abs": 1e-12 * float(np.abs(table.entries).max())}
    for row in range(search.infosets):
        facts = tuple(labels.facts[labels.fact_offsets[row] : labels.fact_offsets[row + 1]].tolist())
        first, end = labels.action_offsets[row] * 2, labels.action_offsets[row + 1] * 2
        middle = (first + end) // 2
        assert table.entries[first:middle] == pytest.approx(reference.regrets[facts], **close)
        assert table.entries[middle:end] == pytest.approx(reference.averages[facts], **close)


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("targeting", ["none", "infoset", "public"])
@pytest.mark.parametrize("weighting", ["none", "ema"])
def test_walks_as_the_reference_does(spec: str, targeting: str, weighting: str) -> None:
    game = ft.load(spec)
    settings = Settings(targeting=targeting, weighting=weighting)
    search = OnlineOutcomeSampling(game, settings, generator(3), labelled=True)
    reference = naive.Search(naive.Draws([int(word) for word in generator(3)]), decay=search.aim.decay)
    walked = 0
    for state in decisions(game, seed=5)[:4]:  # the tree and the moving average are kept from target to target
        observation = state.observation(state.player)
        search.aim_at(observation)
        search.walks(250)
        if targeting == "infoset":
            reference.observer, reference.target = state.player, observation.facts
        elif targeting == "public":
            reference.target = observation.public_facts
        for _ in range(250):
            reference.walk(game.start(), walked % game.players)
            walked += 1
    assert_same(search, reference)
