"""Othello: turning discs, passing, counting, and all that board games are held to."""

import pytest

from forethought.games import load
from forethought.games.othello import board_of, othello
from tests.games.boards import (
    Statistics,
    assert_described,
    assert_lawful,
    assert_plays_like_open_spiel,
    assert_replays,
    assert_statistics,
    assert_symmetric,
    folded,
    owners,
    perft,
    placement,
)
from tests.games.enumeration import legal_names, play


@pytest.fixture(scope="module")
def game():
    return load(othello())


@pytest.fixture(scope="module")
def board():
    return board_of()


def test_games_go_as_recorded(game, board):
    assert_replays(game, board, "othello", placement)


def test_move_sequences_are_as_many_as_known(game):
    assert perft(game, 8) == [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216]


def test_random_games_go_as_elsewhere(game):
    """Elsewhere each game ends with two passes."""
    assert_statistics(game, Statistics(62.40 - 2, 1.3, 0.461, 0.498, 36_484))


def test_random_games_agree_with_open_spiel(game):
    """There cells are counted from the top left: the same board upside down."""

    def there(_state, actions):
        return [action if action == 64 else 8 * (7 - action // 8) + action % 8 for action in actions]

    assert_plays_like_open_spiel(game, "othello", there)


def test_the_square_keeps_the_rules(game, board):
    """Half of its foldings exchange the colours of the first four discs, so the first position is folded as well."""
    assert_symmetric(game, board, 8, lambda symmetry: folded(game.start(), symmetry, "discs", "moves"))


def test_the_board_is_as_described(game, board):
    assert_described(game, board)


def test_the_laws_hold(game):
    assert_lawful(game)


def test_the_first_moves(game):
    assert legal_names(play(game)) == ["e3", "f4", "c5", "d6"]


def test_discs_turn_in_every_direction_they_are_enclosed(game, board):
    """The disc on c3 encloses a row, a column and a diagonal at once."""
    state = game.start()
    own = {"a1", "e3", "c5", "e5"}
    enemy = {"b2", "d3", "c4", "d4", "b3"}
    numbers = {board.grid.name(cell): cell for cell in range(64)}
    state.view.discs[0] = sum(1 << numbers[name] for name in own)
    state.view.discs[1] = sum(1 << numbers[name] for name in enemy)
    state.view.moves = 1 << numbers["c3"]
    state.apply(numbers["c3"])
    owner = owners(state, board)
    assert {name for name, cell in numbers.items() if owner[cell] == 1} == own | {"c3", "b2", "d3", "c4", "d4"}
    assert {name for name, cell in numbers.items() if owner[cell] == 2} == {"b3"}


def test_who_cannot_move_passes(game, board):
    state = game.start()
    state.view.discs[0], state.view.discs[1], state.view.moves = 0b1 | 1 << 63, 0b10 | 1 << 62, 0b100
    state.apply(2)
    assert not state.is_terminal
    assert legal_names(state) == ["pass"]
    before = owners(state, board)
    state.apply(64)
    assert legal_names(state) == ["f8"]
    assert state.player == 0
    assert owners(state, board) == before


def test_the_game_is_over_when_nobody_can_move(game):
    state = game.start()
    state.view.discs[0], state.view.discs[1], state.view.moves = 0b1, 0b10, 0b100
    state.apply(2)
    assert state.is_terminal
    assert state.returns() == [1, -1]
