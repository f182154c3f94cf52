"""Policies on disk: what is saved is what is loaded; whatever else is refused with a sentence."""

from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.solve.policies import load_policy
from tests.solve.trees import random_strategy, tree_of


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    tree = tree_of("leduc")
    path = tmp_path / "leduc.policy"
    tree.policy(random_strategy(tree, 4), algorithm="none").save(path)
    return path


def test_a_policy_survives_the_disk_exactly(saved: Path) -> None:
    tree = tree_of("leduc")
    loaded = load_policy(saved, ft.load("leduc"))
    assert np.array_equal(tree.strategy(loaded), random_strategy(tree, 4))
    assert loaded.about["algorithm"] == "none"
    assert list(saved.parent.iterdir()) == [saved]  # no temporary file is left


def test_a_saved_policy_plays_as_it_says(saved: Path) -> None:
    game, tree = ft.load("leduc"), tree_of("leduc")
    player = ft.player(f"policy:{saved}").new_player(game)(np.zeros(4, np.uint64))
    expected = random_strategy(tree, 4)
    for row in range(0, tree.infosets, 7):
        first = tree.rows.first[row]
        thought = player.think(tree.observation(row))
        assert thought.actions == tree.row_actions(row)
        assert thought.probabilities == tuple(expected[first : first + tree.rows.count[row]])


def test_what_a_policy_does_not_know_it_plays_uniformly(saved: Path) -> None:
    game = ft.load("leduc")
    player = ft.player(f"policy:{saved}").new_player(game)(np.zeros(4, np.uint64))
    assert player.think(ft.Observation(game, 0, (29, 28), (), (1, 2))).probabilities == (0.5, 0.5)


@pytest.mark.parametrize("value", [np.nan, -0.5, 7.0])
def test_numbers_that_are_no_distribution_are_refused(saved: Path, value: float) -> None:
    tree = tree_of("leduc")
    strategy = tree.uniform()
    strategy[3] = value
    tree.policy(strategy).save(saved)
    with pytest.raises(
        ft.ForethoughtError, match="is damaged, or no policy: its arrays are not those its header tells of"
    ):
        load_policy(saved, ft.load("leduc"))


def test_a_policy_of_another_game_is_refused(saved: Path) -> None:
    with pytest.raises(ft.ForethoughtError, match="is a policy of leduc, not of kuhn"):
        load_policy(saved, ft.load("kuhn"))


def test_a_missing_file_says_how_to_make_one() -> None:
    with pytest.raises(ft.ForethoughtError, match="There is no policy 'nowhere'; `forethought solve"):
        load_policy(Path("nowhere"), ft.load("kuhn"))


def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    tree = tree_of("kuhn")
    with pytest.raises(ft.ForethoughtError, match="cannot be written"):
        tree.policy(tree.uniform()).save(blocked / "kuhn.policy")
