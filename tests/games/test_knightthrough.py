"""Knightthrough: jumps, captures, and all that board games are held to."""

import pytest

from forethought.errors import ForethoughtError
from forethought.games import load
from forethought.games.knightthrough import board_of, knightthrough
from tests.games.boards import (
    Statistics,
    assert_described,
    assert_lawful,
    assert_replays,
    assert_statistics,
    assert_symmetric,
    owners,
    perft,
    step,
)
from tests.games.enumeration import legal_names, play


@pytest.fixture(scope="module")
def game():
    return load(knightthrough())


@pytest.fixture(scope="module")
def board():
    return board_of()


def test_games_go_as_recorded(game, board):
    assert_replays(game, board, "knightthrough", step(board))


def test_move_sequences_are_as_many_as_known(game):
    assert perft(game, 4) == [40, 1_600, 63_520, 2_521_306]


def test_random_games_go_as_elsewhere(game):
    assert_statistics(game, Statistics(33.6, 11.8, 0.514, 0.486, 44_921))


@pytest.mark.parametrize("size", [(8, 8), (6, 5)])
def test_the_mirror_keeps_the_game(size):
    assert_symmetric(load(knightthrough(*size)), board_of(*size), 2, games=5)


def test_the_board_is_as_described(game, board):
    assert_described(game, board)


@pytest.mark.parametrize("size", [(8, 8), (4, 4), (16, 4)])
def test_the_laws_hold(size):
    assert_lawful(knightthrough(*size))


def test_knights_jump_forward_and_capture_where_they_land(game, board):
    state = play(game, "b2-c4", "e7-d5")
    assert {name for name in legal_names(state) if name.startswith("c4")} == {"c4-a5", "c4-b6", "c4-d6", "c4-e5"}
    state = play(game, "b2-c4", "e7-d5", "c4-b6", "d5-c3", "d1-c3")
    assert owners(state, board).count(2) == 15


def test_the_far_row_wins(game):
    state = play(game, "b2-c4", "e7-d5", "c4-b6", "h7-g5", "b6-a8")
    assert state.is_terminal
    assert state.returns() == [1, -1]


@pytest.mark.parametrize("size", [(3, 8), (8, 3), (9, 8)])
def test_impossible_boards_are_refused(size):
    with pytest.raises(ForethoughtError, match="knightthrough: rows must be at least 4, columns at least 4"):
        knightthrough(*size)
