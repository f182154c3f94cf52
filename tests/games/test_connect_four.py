"""Connect Four: its lines, its columns, its drawing."""

import pytest

from forethought.games.connect_four import connect_four
from tests.games.boards import loaded
from tests.games.enumeration import legal_names, play


@pytest.fixture
def game():
    return loaded(connect_four)


@pytest.mark.parametrize(
    "moves", ["ababab" + "a", "aabbcc" + "d", "abbccdcddgd", "gffeededdad"], ids=["column", "row", "rising", "falling"]
)
def test_four_in_a_row_win(game, moves):
    before, after = play(game, *moves[:-1]), play(game, *moves)
    assert not before.is_terminal
    assert after.is_terminal
    assert after.returns() == [1, -1]


def test_lines_do_not_run_over_the_edge(game):
    """Three discs at the end of a row and one at the beginning of the next are no line."""
    state = play(game, *"eafbga", "a")
    assert not state.is_terminal


def test_a_full_column_takes_no_disc(game):
    assert legal_names(play(game, *"dddddd")) == ["a", "b", "c", "e", "f", "g"]


def test_the_drawing_shows_discs_where_they_lie(game):
    assert play(game, *"dde").show().splitlines()[-3:] == [". . . O . . . 2", ". . . X X . . 1", "a b c d e f g"]
