"""Kuhn poker, all of it."""

import pytest

import forethought as ft
from tests.games.enumeration import assert_censuses_agree, fast_census, play, slow_census, walk
from tests.games.lockstep import (
    assert_compiled_equals_interpreted,
    assert_plays_like_open_spiel,
    spiel_name_of,
    spiel_uniform_value,
)


@pytest.fixture(scope="module")
def game():
    return ft.load("kuhn")


@pytest.fixture(scope="module")
def census(game):
    return slow_census(game)


def test_there_are_four_chance_nodes_24_decisions_and_30_ends(census):
    assert (census.chance, census.decisions, census.terminals) == (4, 24, 30)


def test_each_player_has_six_information_sets(census):
    assert census.information_sets_of(0) == [3, 3]
    assert census.information_sets_of(1) == [6]
    assert sum(census.information_sets.values()) == 12


def test_interpreted_rules_give_the_same_census(census):
    assert slow_census(ft.load("kuhn", compiled=False)) == census


def test_the_fast_walk_gives_the_same_census(game, census):
    assert_censuses_agree(census, fast_census(game))


def test_uniform_play_wins_an_eighth_for_player_0(census):
    assert census.uniform_value == pytest.approx([1 / 8, -1 / 8], abs=1e-15)
    assert census.uniform_value[0] == pytest.approx(spiel_uniform_value("kuhn_poker"), abs=1e-12)


def test_returns_sum_to_zero_at_every_end(census):
    assert census.imbalance == 0


def test_nobody_wins_more_than_ante_and_bet(game):
    ends = [visit.state for visit in walk(game) if visit.state.is_terminal]
    assert {state.returns()[0] for state in ends} == {-2.0, -1.0, 1.0, 2.0}


@pytest.mark.parametrize(
    ("moves", "with_the_better_card", "with_the_worse_card"),
    [
        (("pass", "pass"), 1, -1),
        (("bet", "bet"), 2, -2),
        (("bet", "pass"), 1, 1),
        (("pass", "bet", "pass"), -1, -1),
        (("pass", "bet", "bet"), 2, -2),
    ],
)
def test_each_ending_pays_player_0_exactly(game, moves, with_the_better_card, with_the_worse_card):
    for better, worse in ("KQ", "KJ", "QJ"):
        won = play(game, f"deal {better}", f"deal {worse}", *moves)
        lost = play(game, f"deal {worse}", f"deal {better}", *moves)
        assert won.returns() == [with_the_better_card, -with_the_better_card]
        assert lost.returns() == [with_the_worse_card, -with_the_worse_card]


def test_a_card_is_dealt_once(game):
    assert play(game, "deal Q").legal_actions() == [0, 2]
    assert play(game, "deal Q").chance() == [0.5, 0.5]


def test_a_player_knows_its_own_card_and_all_moves_only(game):
    dealt_jack, dealt_king = play(game, "deal Q", "deal J", "pass"), play(game, "deal Q", "deal K", "pass")
    assert dealt_jack.facts(0) == dealt_king.facts(0)
    assert dealt_jack.facts(ft.PUBLIC) == dealt_king.facts(ft.PUBLIC)
    assert dealt_jack.facts(1) != dealt_king.facts(1)


def test_random_games_agree_with_open_spiel(game):
    def spiel_meaning(spiel, action):
        name = spiel_name_of(spiel, action)
        return f"deal {'JQK'[int(name[-1])]}" if name.startswith("Deal:") else name.lower()

    assert_plays_like_open_spiel(game, "kuhn_poker", lambda state, action: state.action_name(action), spiel_meaning)


def test_machine_code_agrees_with_python():
    assert_compiled_equals_interpreted("kuhn")
