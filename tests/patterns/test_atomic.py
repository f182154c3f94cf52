"""The patterns to begin with: how many, and which of them say something."""

import pytest

from forethought.errors import ForethoughtError
from forethought.games import load
from forethought.patterns.atomic import atomic_patterns, starting_patterns
from forethought.patterns.pattern import canonical
from forethought.patterns.text import to_text

NUMBERS = {
    "gomoku": 49,
    "connect_four": 49,
    "othello": 49,
    "go": 49,
    "hex": 49,
    "yavalath": 49,
    "breakthrough": 98,
    "knightthrough": 98,
    "teeko": 98,
    "fanorona": 162,  # ten cells instead of six: diagonal steps are steps as well
}


def words(patterns) -> list[str]:
    return [to_text(pattern) for pattern in patterns]


@pytest.mark.parametrize("name", NUMBERS)
def test_there_are_as_many_as_known(name):
    board = load(name, compiled=False).board
    patterns = atomic_patterns(board)
    assert len(set(patterns)) == len(patterns) == NUMBERS[name]
    assert [canonical(pattern, board.grid.tiling) for pattern in patterns] == patterns
    assert max(len(pattern.elements) for pattern in patterns) == 1


def test_walks_reach_six_cells_on_squares_and_hexagons():
    squares, hexagons = (
        [text for text in words(atomic_patterns(load(name, compiled=False).board)) if text.startswith("to f")]
        for name in ("gomoku", "hex")
    )
    assert squares == ["to f@0,0", "to f@-1,0", "to f@-2,0", "to f@-1,-1", "to f@-3,0", "to f@-4,0"]
    assert hexagons == ["to f@0,0", "to f@-1,0", "to f@-2,0", "to f@-2,1", "to f@-3,0", "to f@-4,0"]


def test_patterns_around_the_origin_are_for_moves():
    assert not any(text.startswith("from") for text in words(atomic_patterns(load("go", compiled=False).board)))
    assert "from e@-1,-1" in words(atomic_patterns(load("breakthrough", compiled=False).board))


def test_stones_are_put_on_empty_cells_which_need_not_be_said():
    kept = set(words(starting_patterns(load("gomoku(size=9)"))))
    assert not kept & {"to", "to -@0,0", "to !f@0,0", "to !e@0,0", "to !#@0,0", "to #@0,0", "to !#@-1,0"}
    assert "to #@-1,-1" not in kept  # a corner of the cell is off the board where a side is
    assert kept >= {"to f@-1,0", "to e@-1,0", "to -@-1,0", "to #@-1,0", "to #@-2,0", "to f@-4,0", "to !-@-1,0"}


def test_a_pass_makes_it_worth_saying_that_there_is_a_target():
    kept = words(starting_patterns(load("go(size=5)")))
    assert "to" in kept
    assert "to -@0,0" not in kept


def test_of_two_that_mean_the_same_the_simpler_stays():
    kept = words(starting_patterns(load("breakthrough(rows=6,columns=5)")))
    assert "to e@0,0" in kept or "to -@0,0" in kept
    assert "to !-@0,0" not in kept  # where a piece of its own cannot be
    assert "to !e@0,0" not in kept
    assert not {"from", "from f@0,0", "from !-@0,0"} & set(kept)


def test_what_does_not_fit_on_the_board_is_left_out():
    assert not [text for text in words(starting_patterns(load("tic_tac_toe"))) if "-3,0" in text or "-4,0" in text]


def test_discs_stand_on_discs():
    """One neighbour of the landing cell, the one below, is never empty; the one above is."""
    kept = words(starting_patterns(load("connect_four")))
    assert "to !-@-1,0" not in kept
    assert "to f@-1,0" in kept


def test_the_same_ones_each_time_compiled_or_not():
    assert starting_patterns(load("tic_tac_toe")) == starting_patterns(load("tic_tac_toe", compiled=False))


def test_a_game_without_a_board_has_none():
    with pytest.raises(ForethoughtError, match="leduc has no board"):
        starting_patterns(load("leduc", compiled=False))
