"""Liar's Dice: all of it with one die each, and what more dice change."""

from collections import Counter
from itertools import product

import pytest

import forethought as ft
from tests.games.enumeration import fast_census, legal_names, play
from tests.games.lockstep import (
    assert_compiled_equals_interpreted,
    assert_plays_like_open_spiel,
    spiel_name_of,
    spiel_uniform_value,
)


@pytest.fixture(scope="module")
def game():
    return ft.load("liars_dice(dice=1)")


@pytest.fixture(scope="module")
def two_dice():
    return ft.load("liars_dice(dice=2)")


@pytest.fixture(scope="module")
def census(game):
    return fast_census(game)


def rolls(*texts):
    return [f"roll {text}" for text in texts]


def test_histories_are_rising_sequences_of_bids(census):
    assert census.chance == 1 + 6
    assert census.decisions == 36 * 2**12  # after each pair of rolls, any set of bids
    assert census.terminals == 36 * (2**12 - 1) == 147420  # any but the empty set can be called


def test_there_are_24576_information_sets(census):
    assert sum(census.information_sets.values()) == 24576
    assert sum(census.information_sets_of(0)) == sum(census.information_sets_of(1)) == 12288


def test_uniform_play_is_worth_what_open_spiel_says(census):
    assert census.uniform_value[0] == pytest.approx(spiel_uniform_value("liars_dice"), abs=1e-12)


def test_returns_sum_to_zero_at_every_end(census):
    assert census.imbalance == 0


@pytest.mark.parametrize(
    ("first", "second", "bid", "holds"),
    [
        ("3", "4", "1 x 3", True),
        ("3", "4", "1 x 4", True),  # the other's die counts as well
        ("3", "4", "1 x 5", False),
        ("3", "4", "2 x 3", False),
        ("3", "3", "2 x 3", True),
        ("3", "6", "2 x 3", True),  # a six is wild
        ("6", "6", "2 x 1", True),
        ("6", "1", "2 x 2", False),
        ("6", "5", "1 x 6", True),
        ("5", "5", "1 x 6", False),
        ("6", "5", "2 x 6", False),  # nothing but a six is a six
        ("6", "6", "2 x 6", True),
    ],
)
def test_a_called_bid_wins_exactly_if_it_holds(game, first, second, bid, holds):
    won_by_bidder = 1 if holds else -1
    state = play(game, *rolls(first, second), bid, "liar!")
    assert state.returns() == [won_by_bidder, -won_by_bidder]


def test_the_last_bidder_is_the_one_called(game):
    assert play(game, *rolls("2", "5"), "1 x 2", "1 x 5", "liar!").returns() == [-1, 1]
    assert play(game, *rolls("2", "5"), "1 x 2", "2 x 5", "liar!").returns() == [1, -1]


def test_the_first_player_must_bid(game):
    state = play(game, *rolls("1", "1"))
    assert legal_names(state) == [f"{quantity} x {face}" for quantity in (1, 2) for face in range(1, 7)]


def test_each_bid_is_higher_than_the_last(game):
    state = play(game, *rolls("1", "1"), "1 x 6")
    assert legal_names(state) == [*(f"2 x {face}" for face in range(1, 7)), "liar!"]


def test_the_top_bid_leaves_only_the_call(game, two_dice):
    assert legal_names(play(game, *rolls("1", "1"), "2 x 6")) == ["liar!"]
    assert legal_names(play(two_dice, *rolls("1 1", "1 1"), "4 x 6")) == ["liar!"]


def test_two_dice_are_rolled_without_order(two_dice):
    """Compare the outcomes with a count of all 36 ordered rolls."""
    ordered = Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=2))
    state = two_dice.start()
    for _ in range(2):
        odds = dict(zip(legal_names(state), state.chance(), strict=True))
        assert len(odds) == 21
        assert odds == {f"roll {low} {high}": count / 36 for (low, high), count in ordered.items()}
        assert set(odds.values()) == {1 / 36, 2 / 36}
        assert sum(odds.values()) == pytest.approx(1, abs=1e-15)
        state.apply(3)


@pytest.mark.parametrize(
    ("first", "second", "bid", "holds"),
    [
        ("2 2", "2 5", "3 x 2", True),
        ("2 2", "2 5", "4 x 2", False),
        ("2 6", "2 6", "4 x 2", True),
        ("2 6", "2 6", "2 x 6", True),
        ("2 6", "2 6", "3 x 6", False),
        ("6 6", "6 6", "4 x 6", True),
        ("6 6", "1 1", "3 x 5", False),
    ],
)
def test_all_four_dice_count(two_dice, first, second, bid, holds):
    won_by_bidder = 1 if holds else -1
    state = play(two_dice, *rolls(first, second), bid, "liar!")
    assert state.returns() == [won_by_bidder, -won_by_bidder]


def test_a_player_knows_its_own_dice_and_all_bids_only(two_dice):
    bids = ("1 x 2", "2 x 5", "3 x 1")
    state, other = play(two_dice, *rolls("2 6", "3 3"), *bids), play(two_dice, *rolls("2 6", "1 4"), *bids)
    assert state.facts(0) == other.facts(0)
    assert state.facts(ft.PUBLIC) == other.facts(ft.PUBLIC)
    assert state.facts(1) != other.facts(1)


def test_knowledge_tells_who_made_which_bid(game):
    """A bid of one's own and the same bid of the other are different facts."""
    own_bid = play(game, *rolls("2", "2"), "1 x 3")
    others_bid = play(game, *rolls("2", "2"), "1 x 1", "1 x 3")
    for observer in (0, 1):
        assert set(own_bid.facts(observer)) & set(others_bid.facts(observer)) == {1}  # its own die
    assert not set(own_bid.facts(ft.PUBLIC)) & set(others_bid.facts(ft.PUBLIC))


def test_facts_are_told_from_ones_own_side(game):
    """With the same die, one's own bid is the same fact in either seat; only who opens differs."""
    as_opener, as_second = play(game, *rolls("2", "2"), "1 x 3"), play(game, *rolls("2", "2"), "1 x 1", "1 x 3")
    assert set(as_opener.facts(0)) <= set(as_second.facts(1))
    assert set(as_opener.facts(1)) <= set(as_second.facts(0))


def test_random_games_agree_with_open_spiel(game):
    def meaning(state, action):
        return state.action_name(action).replace(" x ", "-").rstrip("!")

    def spiel_meaning(spiel, action):
        return spiel_name_of(spiel, action).lower()

    assert_plays_like_open_spiel(game, "liars_dice", meaning, spiel_meaning)


@pytest.mark.parametrize(
    ("spec", "games"), [("liars_dice", 200), ("liars_dice(dice=2)", 50), ("liars_dice(dice=5)", 20)]
)
@pytest.mark.quick_cases(1)
def test_machine_code_agrees_with_python(spec, games):
    assert_compiled_equals_interpreted(spec, games)
