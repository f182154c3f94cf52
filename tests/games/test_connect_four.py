"""Connect Four: its lines, and all that board games are held to."""

import pytest

from forethought.games import load
from forethought.games.connect_four import board_of, connect_four
from tests.games.boards import (
    Statistics,
    assert_described,
    assert_lawful,
    assert_plays_like_open_spiel,
    assert_replays,
    assert_statistics,
    assert_symmetric,
    perft,
)
from tests.games.enumeration import legal_names, play


@pytest.fixture(scope="module")
def game():
    return load(connect_four())


@pytest.fixture(scope="module")
def board():
    return board_of()


def test_games_go_as_recorded(game, board):
    """The record names a column by its top site."""

    def top_of_column(owner, action, sites):
        top = sites[35 + action]
        return top, top, []

    assert_replays(game, board, "connect_four", top_of_column)


def test_move_sequences_are_as_many_as_known(game):
    assert perft(game, 8) == [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


def test_random_games_go_as_elsewhere(game):
    """Elsewhere the 0.24 % of games that are drawn took two passes more."""
    assert_statistics(game, Statistics(21.30 - 2 * 0.0024, 7.4, 0.5554, 0.4422, 422_737))


def test_random_games_agree_with_open_spiel(game):
    assert_plays_like_open_spiel(game, "connect_four")


def test_the_mirror_keeps_the_game(game, board):
    assert_symmetric(game, board, 2, games=20)


def test_the_board_is_as_described(game, board):
    assert_described(game, board)


def test_the_laws_hold(game):
    assert_lawful(game)


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
