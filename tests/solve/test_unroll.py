"""Whole games as arrays: exact counts, sound layout, honest forecasts."""

import numpy as np
import pytest

import forethought as ft
from forethought.game import CHANCE, TERMINAL
from forethought.solve.forecast import forecast_nodes
from forethought.solve.unroll import unroll
from tests.solve.trees import tree_of

COUNTS = {  # information sets, terminals
    "kuhn": (12, 30),
    "leduc": (288, 1116),  # the two cards of a rank merged
    "goofspiel(cards=4)": (738, 576),
    "goofspiel(cards=5)": (9_948, 14_400),
    "liars_dice": (24_576, 147_420),
    "tic_tac_toe": (4_520, 255_168),
    "tests/userfiles/kuhn3.py": (48, 312),
}


@pytest.mark.parametrize("spec", COUNTS)
def test_counts_are_exact(spec: str) -> None:
    tree = tree_of(spec)
    assert (tree.infosets, len(tree.flat.returns)) == COUNTS[spec]


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=4)", "liars_dice"])
def test_children_follow_their_parent_side_by_side_and_chance_sums_to_one(spec: str) -> None:
    tree = tree_of(spec)
    nodes = tree.nodes
    children = np.concatenate([np.arange(nodes.first[n], nodes.first[n] + nodes.count[n]) for n in tree.inner])
    assert sorted(children.tolist()) == list(range(1, tree.size))  # each node but the root is a child once
    assert all(nodes.first[n] > n for n in tree.inner)
    for n in np.flatnonzero(nodes.player == CHANCE):
        assert nodes.chance[nodes.start[n] : nodes.start[n] + nodes.count[n]].sum() == pytest.approx(1.0)
    assert set(tree.inner) == set(np.flatnonzero(nodes.player != TERMINAL))


@pytest.mark.parametrize("spec", ["leduc", "goofspiel(cards=5)", "liars_dice"])
def test_no_two_information_sets_share_a_key(spec: str) -> None:
    tree = tree_of(spec)
    assert len({tree.row_facts(row) for row in range(tree.infosets)}) == tree.infosets


def test_rows_tell_what_the_player_to_move_observes() -> None:
    """Walk the game with the Python face beside the rows."""
    game = ft.load("leduc")
    tree = tree_of("leduc")
    rows = {tree.row_facts(row): tree.observation(row) for row in range(tree.infosets)}

    def walk(s: ft.State) -> None:
        if s.player >= 0:
            assert rows[tuple(s.facts(s.player))] == s.observation(s.player)
        for action in s.legal_actions():
            child = s.clone()
            child.apply(action)
            walk(child)

    walk(game.start())


def test_where_nothing_is_hidden_rows_hold_a_state() -> None:
    tree = tree_of("tic_tac_toe")
    for row in range(0, tree.infosets, 97):
        seen = tree.observation(row)
        assert tuple(seen.state.facts(seen.player)) == seen.facts
        assert seen.state.player == seen.player
        assert tuple(seen.state.legal_actions()) == seen.legal_actions


@pytest.mark.parametrize(
    ("spec", "tolerance"), [("goofspiel(cards=5)", 0.0), ("liars_dice", 0.0), ("tic_tac_toe", 0.2)]
)
def test_the_forecast_is_close_and_exact_where_alike_means_equal(spec: str, tolerance: float) -> None:
    assert forecast_nodes(ft.load(spec)) == pytest.approx(tree_of(spec).size, rel=max(tolerance, 1e-9))


def test_what_cannot_fit_is_refused_with_a_forecast_before_it_starts() -> None:
    with pytest.raises(ft.ForethoughtError, match=r"about 1.5e\+10 nodes, 740 GB \(the limit is 5e\+07; --max-nodes\)"):
        unroll(ft.load("liars_dice(dice=2)"))
    with pytest.raises(ft.ForethoughtError, match="too large to unroll: more than"):
        unroll(ft.load("goofspiel(cards=4)"), max_nodes=600)  # the forecast, 2229, might err; the walk does not
