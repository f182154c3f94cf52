"""Gomoku: what counts as five."""

import pytest

from forethought.errors import ForethoughtError
from forethought.games.gomoku import gomoku
from tests.games.boards import interpreted, loaded
from tests.games.enumeration import play


@pytest.fixture
def game():
    return loaded(gomoku, 15, True)


def stones(*line):
    """Player 0 builds a line from these cells while player 1 puts stones where they do nothing."""
    elsewhere = ["a15", "c15", "e15", "g15", "i15", "k15", "m15", "o15"]
    return [stone for pair in zip(line, elsewhere, strict=False) for stone in pair][: 2 * len(line) - 1]


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    "line",
    [
        ["a1", "b1", "c1", "d1", "e1"],
        ["o1", "o2", "o5", "o4", "o3"],
        ["c3", "d4", "e5", "g7", "f6"],
        ["a9", "c7", "d6", "e5", "b8"],
    ],
)
def test_five_in_a_row_win(exact, line):
    game = interpreted(gomoku, 15, exact)
    assert not play(game, *stones(*line)[:-1]).is_terminal
    state = play(game, *stones(*line))
    assert state.is_terminal
    assert state.returns() == [1, -1]


@pytest.mark.parametrize("exact", [True, False])
def test_six_in_a_row_win_only_where_they_count(exact):
    state = play(interpreted(gomoku, 15, exact), *stones("a1", "b1", "c1", "e1", "f1", "d1"))
    assert state.is_terminal is not exact


def test_five_win_beside_six(game):
    """One stone makes six in a row and five in a column."""
    line = ["a1", "b1", "c1", "e1", "f1", "d2", "d3", "d4", "d5", "d1"]
    others = ["a15", "c15", "e15", "g15", "i15", "k15", "m15", "o15", "a13"]
    moves = [stone for pair in zip(line, [*others, ""], strict=True) for stone in pair][:-1]
    assert play(game, *moves).returns() == [1, -1]


def test_a_full_board_is_a_draw():
    """Colours change every two columns and every row, so that no line is longer than two."""
    game = interpreted(gomoku, 6)
    cells = [(column, row) for row in range(6) for column in range(6)]
    first = [cell for cell in cells if (cell[0] // 2 + cell[1]) % 2 == 0]
    second = [cell for cell in cells if cell not in first]
    moves = [cell for pair in zip(first, second, strict=True) for cell in pair]
    state = play(game, *("abcdef"[column] + str(row + 1) for column, row in moves))
    assert state.is_terminal
    assert state.returns() == [0, 0]


@pytest.mark.parametrize("size", [4, 20])
def test_impossible_sizes_are_refused(size):
    with pytest.raises(ForethoughtError, match=f"gomoku: size must be from 5 to 19, not {size}."):
        gomoku(size)
