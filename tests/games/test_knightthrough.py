"""Knightthrough: jumps, captures, the end."""

import pytest

from forethought.errors import ForethoughtError
from forethought.games.knightthrough import board_of, knightthrough
from tests.games.boards import loaded, owners
from tests.games.enumeration import legal_names, play

BOARD = board_of()


@pytest.fixture
def game():
    return loaded(knightthrough)


def test_knights_jump_forward_and_capture_where_they_land(game):
    state = play(game, "b2-c4", "e7-d5")
    assert {name for name in legal_names(state) if name.startswith("c4")} == {"c4-a5", "c4-b6", "c4-d6", "c4-e5"}
    state = play(game, "b2-c4", "e7-d5", "c4-b6", "d5-c3", "d1-c3")
    assert owners(state, BOARD).count(2) == 15


def test_the_far_row_wins(game):
    state = play(game, "b2-c4", "e7-d5", "c4-b6", "h7-g5", "b6-a8")
    assert state.is_terminal
    assert state.returns() == [1, -1]


@pytest.mark.parametrize("size", [(3, 8), (8, 3), (9, 8)])
def test_impossible_boards_are_refused(size):
    with pytest.raises(ForethoughtError, match="knightthrough: rows must be at least 4, columns at least 4"):
        knightthrough(*size)
