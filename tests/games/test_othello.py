"""Othello: turning discs, passing, counting."""

import pytest

from forethought.games.othello import board_of, othello
from tests.games.boards import loaded, owners
from tests.games.enumeration import legal_names, play

BOARD = board_of()


@pytest.fixture
def game():
    return loaded(othello)


def test_the_first_moves(game):
    assert legal_names(play(game)) == ["e3", "f4", "c5", "d6"]


def test_discs_turn_in_every_direction_they_are_enclosed(game):
    """The disc on c3 encloses a row, a column and a diagonal at once."""
    state = game.start()
    own = {"a1", "e3", "c5", "e5"}
    enemy = {"b2", "d3", "c4", "d4", "b3"}
    numbers = {BOARD.grid.name(cell): cell for cell in range(64)}
    state.view.discs[0] = sum(1 << numbers[name] for name in own)
    state.view.discs[1] = sum(1 << numbers[name] for name in enemy)
    state.view.moves = 1 << numbers["c3"]
    state.apply(numbers["c3"])
    owner = owners(state, BOARD)
    assert {name for name, cell in numbers.items() if owner[cell] == 1} == own | {"c3", "b2", "d3", "c4", "d4"}
    assert {name for name, cell in numbers.items() if owner[cell] == 2} == {"b3"}


def test_who_cannot_move_passes(game):
    state = game.start()
    state.view.discs[0], state.view.discs[1], state.view.moves = 0b1 | 1 << 63, 0b10 | 1 << 62, 0b100
    state.apply(2)
    assert not state.is_terminal
    assert legal_names(state) == ["pass"]
    before = owners(state, BOARD)
    state.apply(64)
    assert legal_names(state) == ["f8"]
    assert state.player == 0
    assert owners(state, BOARD) == before


def test_the_game_is_over_when_nobody_can_move(game):
    state = game.start()
    state.view.discs[0], state.view.discs[1], state.view.moves = 0b1, 0b10, 0b100
    state.apply(2)
    assert state.is_terminal
    assert state.returns() == [1, -1]
