"""Fanorona: captures, turns of several plies, and all that board games are held to."""

import pytest

from forethought.errors import ForethoughtError
from forethought.games import load
from forethought.games.boards import NOWHERE
from forethought.games.fanorona import APPROACH, STEP, board_of, fanorona
from tests.games.boards import (
    Statistics,
    assert_described,
    assert_lawful,
    assert_replays,
    assert_statistics,
    assert_symmetric,
    folded,
    owners,
    perft,
)
from tests.games.enumeration import legal_names


@pytest.fixture(scope="module")
def game():
    return load(fanorona())


@pytest.fixture(scope="module")
def board():
    return board_of()


def position(game, board, first, second, turn=0):
    """Set pieces by the names of their crossings."""
    state = game.start()
    numbers = {board.grid.name(cell): cell for cell in range(board.cells)}
    state.view.pieces[0] = sum(1 << numbers[name] for name in first.split())
    state.view.pieces[1] = sum(1 << numbers[name] for name in second.split())
    state.view.turn = turn
    return state


def apply_named(state, name):
    state.apply(next(action for action in state.legal_actions() if state.action_name(action) == name))
    return state


def pieces(state, board, player):
    owner = owners(state, board)
    return " ".join(sorted(board.grid.name(cell) for cell in range(board.cells) if owner[cell] == 1 + player))


def captured_by(board, owner, action):
    """List what a move captures, step by step along its line."""
    origin, target, kind = int(board.origins[action]), int(board.targets[action]), int(board.kinds[action])
    neighbours = board.grid.neighbours.tolist()
    ahead = neighbours[origin].index(target)
    way, cell = (ahead, target) if kind == APPROACH else ((ahead + 4) % 8, origin)
    mover = owner[origin]
    found = []
    while kind != STEP and (cell := neighbours[cell][way]) != NOWHERE and owner[cell] == 3 - mover:
        found.append(cell)
    return found


def test_games_go_as_recorded(game, board):
    def move_of(owner, action, sites):
        if action == board.actions - 1:
            return -1, -1, []
        origin, target = sites[board.origins[action]], sites[board.targets[action]]
        return origin, target, sorted(sites[cell] for cell in captured_by(board, owner, action))

    assert_replays(game, board, "fanorona", move_of)


def test_move_sequences_are_as_many_as_known(game):
    assert perft(game, 8) == [5, 17, 64, 327, 1_418, 6_510, 31_217, 145_766]


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


def test_random_games_go_as_elsewhere(game):
    """Elsewhere the player who has lost all pieces passes before the game ends."""
    assert_statistics(game, Statistics(58.5 - 1, 28.4, 0.487, 0.513, 32_429))


def test_the_rectangle_keeps_the_rules(game, board):
    """No folding but the identity keeps the first position, so that is folded as well."""
    assert_symmetric(game, board, 4, lambda symmetry: folded(game.start(), symmetry, "pieces"))


def test_the_board_is_as_described(game, board):
    assert_described(game, board)


def test_the_laws_hold(game):
    assert_lawful(game)


def test_approach_and_withdrawal_are_two_moves(game, board):
    state = position(game, board, "c3", "a3 b3 e3 f3 h3")
    assert legal_names(state) == ["c3-d3 approaching", "c3-d3 withdrawing"]
    assert pieces(apply_named(state.clone(), "c3-d3 approaching"), board, 1) == "a3 b3 h3"
    assert pieces(apply_named(state.clone(), "c3-d3 withdrawing"), board, 1) == "e3 f3 h3"


def test_captures_are_compulsory(game, board):
    state = position(game, board, "c3 i5", "e3 a2")
    assert legal_names(state) == ["c3-d3 approaching"]


def test_a_piece_goes_on_where_it_has_not_been_or_stops(game, board):
    """After d3 the piece at d4 could withdraw from d2 or go back to c3; it has been at c3."""
    state = apply_named(position(game, board, "c3", "e3 d1 a3 i5"), "c3-d3 approaching")
    assert state.player == 0
    assert legal_names(state) == ["d3-d2 approaching", "stop"]
    assert apply_named(state.clone(), "stop").player == 1
    after = apply_named(state, "d3-d2 approaching")
    assert pieces(after, board, 1) == "a3 i5"
    assert after.player == 1


def test_diagonals_are_lines_only_where_they_are_drawn(game, board):
    assert legal_names(position(game, board, "b1", "i5")) == ["b1-a1", "b1-c1", "b1-b2"]
    assert legal_names(position(game, board, "a1", "i5")) == ["a1-b1", "a1-a2", "a1-b2"]


def test_who_has_lost_all_pieces_has_lost(game, board):
    state = apply_named(position(game, board, "e3", "c3", turn=1), "c3-d3 approaching")
    assert state.is_terminal
    assert state.returns() == [-1, 1]


def test_who_is_shut_in_passes(game, board):
    """The piece in the corner has no free neighbour and nothing to capture."""
    state = position(game, board, "a1", "b1 a2 b2")
    assert legal_names(state) == ["pass"]
    assert apply_named(state, "pass").player == 1


def test_at_the_limit_the_game_is_drawn():
    state = load(fanorona(limit=2)).start()
    state.apply(state.legal_actions()[0])
    state.apply(state.legal_actions()[0])
    assert state.is_terminal
    assert state.returns() == [0, 0]


@pytest.mark.parametrize("limit", [0, 30_001])
def test_impossible_limits_are_refused(limit):
    with pytest.raises(ForethoughtError, match=f"fanorona: limit must be from 1 to 30000, not {limit}."):
        fanorona(limit)
