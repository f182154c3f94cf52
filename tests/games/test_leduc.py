"""Leduc poker, all of it."""

import pytest

import forethought as ft
from tests.games.enumeration import assert_censuses_agree, fast_census, legal_names, play, slow_census
from tests.games.lockstep import (
    assert_compiled_equals_interpreted,
    assert_plays_like_open_spiel,
    spiel_name_of,
    spiel_uniform_value,
)

JACK_QUEEN = ("deal Js", "deal Qs")
QUEEN_KING = ("deal Qs", "deal Ks")


@pytest.fixture(scope="module")
def game():
    return ft.load("leduc")


@pytest.fixture(scope="module")
def census(game):
    return slow_census(game)


def test_histories_count_cards_not_ranks(census):
    assert (census.chance, census.decisions, census.terminals) == (157, 3780, 5520)


def test_each_player_has_144_information_sets(census):
    assert sum(census.information_sets_of(0)) == 144
    assert sum(census.information_sets_of(1)) == 144


def test_the_fast_walk_gives_the_same_census(game, census):
    assert_censuses_agree(census, fast_census(game))


def test_cards_of_a_rank_lead_to_the_same_record(game, census):
    merged = slow_census(game, merge_twins=True)
    assert merged.terminals == 1116
    assert merged.information_sets == census.information_sets
    assert merged.uniform_value == pytest.approx(census.uniform_value, abs=1e-12)


def test_uniform_play_is_worth_what_open_spiel_says(census):
    assert census.uniform_value[0] == pytest.approx(spiel_uniform_value("leduc_poker"), abs=1e-12)


def test_returns_sum_to_zero_at_every_end(census):
    assert census.imbalance == 0


@pytest.mark.parametrize(
    ("moves", "won_by_player_0"),
    [
        (("raise", "fold"), 1),
        (("check", "raise", "fold"), -1),
        (("raise", "raise", "fold"), -3),
        (("check", "raise", "raise", "fold"), 3),
        (("check", "check", "deal Js", "raise", "fold"), 1),
        (("raise", "call", "deal Js", "check", "raise", "fold"), -3),
        (("raise", "raise", "call", "deal Js", "raise", "raise", "fold"), -9),
    ],
)
def test_who_folds_loses_what_it_has_paid(game, moves, won_by_player_0):
    assert play(game, *QUEEN_KING, *moves).returns() == [won_by_player_0, -won_by_player_0]


def test_a_pair_with_the_board_beats_a_higher_card(game):
    pot = ("raise", "call", "deal Q", "raise", "call")
    assert play(game, *QUEEN_KING, *pot).returns() == [7, -7]
    assert play(game, "deal Ks", "deal Qs", *pot).returns() == [-7, 7]


def test_without_a_pair_the_higher_card_wins(game):
    checked = ("check", "check", "deal Ks", "check", "check")
    assert play(game, *JACK_QUEEN, *checked).returns() == [-1, 1]
    assert play(game, "deal Qs", "deal Js", *checked).returns() == [1, -1]


@pytest.mark.parametrize("board", ["deal Js", "deal Ks"])
def test_equal_cards_tie(game, board):
    pot = ("raise", "call", board, "check", "raise", "call")
    assert play(game, "deal Qs", "deal Q", *pot).returns() == [0, 0]


def test_the_most_that_can_be_won_is_thirteen(game):
    capped = ("check", "raise", "raise", "call", "deal Js", "check", "raise", "raise", "call")
    assert play(game, *QUEEN_KING, *capped).returns() == [-13, 13]


def test_a_round_has_at_most_two_raises(game):
    assert legal_names(play(game, *QUEEN_KING, "raise")) == ["fold", "call", "raise"]
    assert legal_names(play(game, *QUEEN_KING, "raise", "raise")) == ["fold", "call"]
    assert legal_names(play(game, *QUEEN_KING, "check", "raise", "raise")) == ["fold", "call"]


def test_the_second_round_counts_its_raises_anew(game):
    second = (*QUEEN_KING, "raise", "raise", "call", "deal Js")
    assert legal_names(play(game, *second)) == ["check", "raise"]
    assert legal_names(play(game, *second, "raise")) == ["fold", "call", "raise"]
    assert legal_names(play(game, *second, "raise", "raise")) == ["fold", "call"]


def test_folding_is_illegal_when_not_facing_a_raise(game):
    called = (*QUEEN_KING, "raise", "call", "deal Js")
    for moves in (QUEEN_KING, (*QUEEN_KING, "check"), called, (*called, "check")):
        assert legal_names(play(game, *moves)) == ["check", "raise"]
    with pytest.raises(ft.ForethoughtError, match="0 is not a legal action"):
        play(game, *QUEEN_KING).apply(0)


def test_player_0_speaks_first_in_both_rounds(game):
    assert play(game, *QUEEN_KING).player == 0
    assert play(game, *QUEEN_KING, "check", "raise", "call", "deal Js").player == 0


def test_the_second_card_of_a_rank_is_rarer(game):
    state = play(game, "deal Qs")
    assert [action // 2 for action in state.legal_actions()] == [0, 0, 1, 2, 2]
    assert state.chance() == [0.2] * 5


def test_a_player_knows_its_own_card_the_board_and_all_moves_only(game):
    bets = ("check", "raise", "call")
    against_king = play(game, *QUEEN_KING, *bets, "deal Js")
    against_jack = play(game, "deal Qs", "deal Js", *bets, "deal J")
    assert against_king.facts(0) == against_jack.facts(0)
    assert against_king.facts(1) != against_jack.facts(1)
    assert against_king.facts(0) != play(game, *QUEEN_KING, *bets, "deal K").facts(0)


def test_random_games_agree_with_open_spiel(game):
    def meaning(state, action):
        name = state.action_name(action)
        return name.removesuffix("s").removesuffix("h") if state.is_chance else name.replace("check", "call")

    def spiel_meaning(spiel, action):
        # OpenSpiel numbers its cards 0..5, two to a rank.
        name = spiel_name_of(spiel, action)
        return f"deal {'JQK'[int(name[-1]) // 2]}" if name.startswith("Chance outcome:") else name.lower()

    assert_plays_like_open_spiel(game, "leduc_poker", meaning, spiel_meaning)


def test_machine_code_agrees_with_python():
    assert_compiled_equals_interpreted("leduc")
