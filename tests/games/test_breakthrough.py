"""Breakthrough: steps, captures, the end."""

import pytest

from forethought.errors import ForethoughtError
from forethought.games.breakthrough import board_of, breakthrough
from tests.games.boards import interpreted, loaded, owners
from tests.games.enumeration import legal_names, play

BOARD = board_of()


@pytest.fixture
def game():
    return loaded(breakthrough)


def test_pawns_capture_diagonally_and_never_straight(game):
    state = play(game, "b2-b3", "a7-a6", "b3-b4", "a6-a5")
    assert {name for name in legal_names(state) if name.startswith("b4")} == {"b4-a5", "b4-b5", "b4-c5"}
    state = play(game, "a2-a3", "a7-a6", "a3-a4", "a6-a5")
    assert {name for name in legal_names(state) if name.startswith("a4")} == {"a4-b5"}


def test_a_capture_takes_the_pawn_off(game):
    state = play(game, "b2-b3", "a7-a6", "b3-b4", "a6-a5", "b4-a5")
    assert owners(state, BOARD).count(2) == 15
    assert owners(state, BOARD).count(1) == 16


def test_the_last_pawn_captured_loses():
    """On four by two, player 0 takes all four pawns, and has not yet arrived when it takes the last."""
    game = interpreted(breakthrough, 4, 2)
    state = game.start()
    state.view.pieces[0] = 0b0100
    state.view.pieces[1] = 0b100000
    assert state.legal_actions()
    named = {state.action_name(action): action for action in state.legal_actions()}
    assert list(named) == ["a2-b3", "a2-a3"][::-1]
    state.apply(named["a2-b3"])
    assert state.is_terminal
    assert state.returns() == [1, -1]


@pytest.mark.parametrize("size", [(3, 8), (8, 1), (9, 8)])
def test_impossible_boards_are_refused(size):
    with pytest.raises(ForethoughtError, match="breakthrough: rows must be at least 4, columns at least 2"):
        breakthrough(*size)
