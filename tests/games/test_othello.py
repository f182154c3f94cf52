"""Othello: turning discs, passing, counting."""

import numpy as np
import pytest

from forethought.errors import ForethoughtError
from forethought.games.othello import board_of, othello
from forethought.solve.alphabeta import AlphaBeta
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


def enclosed(owner, size, cell, mover):
    """Return the discs that a disc on a cell turns, found line by line."""
    found = set()
    for up in (-1, 0, 1):
        for right in (-1, 0, 1):
            line, row, column = [], cell // size + up, cell % size + right
            while 0 <= row < size and 0 <= column < size and owner[row * size + column] == 2 - mover:
                line.append(row * size + column)
                row, column = row + up, column + right
            if 0 <= row < size and 0 <= column < size and owner[row * size + column] == 1 + mover:
                found |= {*line}
    return found


@pytest.mark.parametrize("size", [4, 6])
@pytest.mark.quick_cases(1)
def test_smaller_boards_turn_what_is_found_line_by_line(size):
    game, rng = loaded(othello, size), np.random.default_rng(size)
    for _ in range(10):
        state = game.start()
        while not state.is_terminal:
            owner, mover, legal = owners(state, board_of(size)), state.player, state.legal_actions()
            turning = {cell: enclosed(owner, size, cell, mover) for cell in range(size * size) if owner[cell] == 0}
            assert legal == ([cell for cell, discs in turning.items() if discs] or [size * size])
            action = int(rng.choice(legal))
            state.apply(action)
            for changed in {action, *turning[action]} if action < size * size else ():
                owner[changed] = 1 + mover
            assert owners(state, board_of(size)) == owner
        assert state.returns()[0] == np.sign(owner.count(1) - owner.count(2))


def test_on_4_x_4_the_second_player_wins():
    """As is known (3 to 11 discs)."""
    game = loaded(othello, 4)
    assert AlphaBeta(game).value(game.start(), 10**6) == -1.0


def test_other_sizes_are_refused():
    with pytest.raises(ForethoughtError, match="othello: size must be 4, 6 or 8, not 7"):
        othello(7)
