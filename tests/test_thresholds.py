"""Improbable actions are not played, and the others keep their proportions."""

import numpy as np
import pytest

import forethought as ft
from forethought.player import find_player
from forethought.randomness import generator
from forethought.thresholds import thresholded


@pytest.mark.parametrize(
    ("threshold", "played"),
    [
        (0.0, (0.5, 0.3, 0.15, 0.05)),
        (0.1, (0.5, 0.3, 0.15, 0.05)),  # as probable as the threshold is enough
        (0.2, (0.5 / 0.95, 0.3 / 0.95, 0.15 / 0.95, 0.0)),
        (0.6, (0.5 / 0.8, 0.3 / 0.8, 0.0, 0.0)),
        (1.0, (1.0, 0.0, 0.0, 0.0)),
    ],
)
def test_improbable_actions_are_not_played(threshold: float, played: tuple[float, ...]) -> None:
    assert thresholded(np.array([0.5, 0.3, 0.15, 0.05]), threshold).tolist() == pytest.approx(played)


def test_a_search_leaves_out_improbable_actions_and_finds_the_same() -> None:
    game = ft.load("kuhn")
    state = game.start()
    while state.is_chance:
        state.apply(state.legal_actions()[0])
    seen = state.observation(state.player)
    whole, sharp = (
        find_player(f"oos(simulations=500,threshold={threshold})").new_player(game)(generator(1)).think(seen)
        for threshold in (0.0, 0.9)
    )
    assert min(whole.probabilities) > 0.0
    assert sharp.probabilities == tuple(thresholded(np.array(whole.probabilities), 0.9))
    assert min(sharp.probabilities) == 0.0
