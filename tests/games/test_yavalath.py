"""Yavalath: four win, three lose."""

import pytest

from forethought.errors import ForethoughtError
from forethought.games.yavalath import yavalath
from tests.games.boards import interpreted, loaded
from tests.games.enumeration import play


@pytest.fixture
def game():
    return loaded(yavalath)


# Rows in each of the three directions of the board, of side 5.
ROWS = [["d4", "e4", "f4", "g4"], ["e4", "e5", "e6", "e7"], ["c7", "d6", "e5", "f4"]]


@pytest.mark.parametrize("row", ROWS)
def test_three_in_a_row_lose(game, row):
    first, second, third, _ = row
    state = play(game, first, "e1", second, "i1", third)
    assert state.is_terminal
    assert state.returns() == [-1, 1]


@pytest.mark.parametrize("row", ROWS)
def test_four_in_a_row_win(game, row):
    first, second, third, fourth = row
    state = play(game, first, "e1", second, "i1", fourth, "a9", third)
    assert state.is_terminal
    assert state.returns() == [1, -1]


def test_four_take_precedence_over_three(game):
    """f4 makes four along its row and three along its column."""
    state = play(game, "d4", "e1", "e4", "i1", "g4", "a9", "f5", "e9", "f6", "a5", "f4")
    assert state.returns() == [1, -1]


def test_player_1_wins_and_loses_alike(game):
    assert play(game, "e1", "d4", "i1", "e4", "a9", "f4").returns() == [1, -1]
    assert play(game, "e1", "d4", "i1", "e4", "a9", "g4", "e9", "f4").returns() == [-1, 1]


def test_the_drawing_is_a_hexagon():
    assert interpreted(yavalath, 3).start().show().splitlines() == [
        "   . . . 5",
        "  . . . . 4",
        " . . . . . 3",
        "a . . . . 2",
        " b . . . 1",
        "  c d e",
    ]


@pytest.mark.parametrize("side", [2, 6])
def test_impossible_sides_are_refused(side):
    with pytest.raises(ForethoughtError, match=f"yavalath: side must be from 3 to 5, not {side}."):
        yavalath(side)
