"""Fanorona: captures, turns of several plies, the limit."""

import pytest

from forethought.errors import ForethoughtError
from forethought.games.fanorona import board_of, fanorona
from tests.games.boards import interpreted, loaded, owners
from tests.games.enumeration import legal_names

BOARD = board_of()


@pytest.fixture
def game():
    return loaded(fanorona)


def position(game, first, second, turn=0):
    """Set pieces by the names of their crossings."""
    state = game.start()
    numbers = {BOARD.grid.name(cell): cell for cell in range(BOARD.cells)}
    state.view.pieces[0] = sum(1 << numbers[name] for name in first.split())
    state.view.pieces[1] = sum(1 << numbers[name] for name in second.split())
    state.view.turn = turn
    return state


def apply_named(state, name):
    state.apply(next(action for action in state.legal_actions() if state.action_name(action) == name))
    return state


def pieces(state, player):
    owner = owners(state, BOARD)
    return " ".join(sorted(BOARD.grid.name(cell) for cell in range(BOARD.cells) if owner[cell] == 1 + player))


def test_whole_turns_are_as_many_as_known(game):
    def turns(state, depth):
        """Count the ways to play so many turns to their ends."""
        total = 0
        for action in state.legal_actions():
            child = state.clone()
            child.apply(action)
            left = depth - (child.player != state.player)
            total += turns(child, left) if left else 1
        return total

    assert [turns(game.start(), depth) for depth in (1, 2, 3)] == [5, 39, 738]


def test_approach_and_withdrawal_are_two_moves(game):
    state = position(game, "c3", "a3 b3 e3 f3 h3")
    assert legal_names(state) == ["c3-d3 approaching", "c3-d3 withdrawing"]
    assert pieces(apply_named(state.clone(), "c3-d3 approaching"), 1) == "a3 b3 h3"
    assert pieces(apply_named(state.clone(), "c3-d3 withdrawing"), 1) == "e3 f3 h3"


def test_captures_are_compulsory(game):
    state = position(game, "c3 i5", "e3 a2")
    assert legal_names(state) == ["c3-d3 approaching"]


def test_a_piece_goes_on_where_it_has_not_been_or_stops(game):
    """After d3 the piece at d4 could withdraw from d2 or go back to c3; it has been at c3."""
    state = apply_named(position(game, "c3", "e3 d1 a3 i5"), "c3-d3 approaching")
    assert state.player == 0
    assert legal_names(state) == ["d3-d2 approaching", "stop"]
    assert apply_named(state.clone(), "stop").player == 1
    after = apply_named(state, "d3-d2 approaching")
    assert pieces(after, 1) == "a3 i5"
    assert after.player == 1


def test_diagonals_are_lines_only_where_they_are_drawn(game):
    assert legal_names(position(game, "b1", "i5")) == ["b1-a1", "b1-c1", "b1-b2"]
    assert legal_names(position(game, "a1", "i5")) == ["a1-b1", "a1-a2", "a1-b2"]


def test_who_has_lost_all_pieces_has_lost(game):
    state = apply_named(position(game, "e3", "c3", turn=1), "c3-d3 approaching")
    assert state.is_terminal
    assert state.returns() == [-1, 1]


def test_who_is_shut_in_passes(game):
    """The piece in the corner has no free neighbour and nothing to capture."""
    state = position(game, "a1", "b1 a2 b2")
    assert legal_names(state) == ["pass"]
    assert apply_named(state, "pass").player == 1


def test_at_the_limit_the_game_is_drawn():
    state = interpreted(fanorona, 2).start()
    state.apply(state.legal_actions()[0])
    state.apply(state.legal_actions()[0])
    assert state.is_terminal
    assert state.returns() == [0, 0]


@pytest.mark.parametrize("limit", [0, 30_001])
def test_impossible_limits_are_refused(limit):
    with pytest.raises(ForethoughtError, match=f"fanorona: limit must be from 1 to 30000, not {limit}."):
        fanorona(limit)
