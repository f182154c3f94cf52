"""Breakthrough: steps, captures, the end, and all that board games are held to."""

import pytest

from forethought.errors import ForethoughtError
from forethought.games import load
from forethought.games.breakthrough import board_of, breakthrough
from tests.games.boards import (
    Statistics,
    assert_described,
    assert_lawful,
    assert_plays_like_open_spiel,
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
    return load(breakthrough())


@pytest.fixture(scope="module")
def board():
    return board_of()


def test_games_go_as_recorded(game, board):
    assert_replays(game, board, "breakthrough", step(board))


def test_move_sequences_are_as_many_as_known(game):
    assert perft(game, 5) == [22, 484, 11_132, 256_036, 6_182_818]


def test_random_games_go_as_elsewhere(game):
    assert_statistics(game, Statistics(64.2, 16.1, 0.512, 0.488, 79_630))


@pytest.mark.parametrize(("rows", "columns", "games"), [(8, 8, 1000), (6, 5, 100)])
def test_random_games_agree_with_open_spiel(rows, columns, games):
    """There rows are counted from the top, player 0 begins at the top, and an action says whether it captures."""
    board = board_of(rows, columns)

    def there(state, actions):
        owner = owners(state, board)
        found = []
        for origin, target in zip(board.origins[actions].tolist(), board.targets[actions].tolist(), strict=True):
            row, column = divmod(origin, columns)
            way = target % columns - column + 1 + (0 if target > origin else 3)
            found.append(2 * (6 * (columns * row + column) + way) + (owner[target] != 0))
        return found

    assert_plays_like_open_spiel(
        load(breakthrough(rows, columns)), f"breakthrough(rows={rows},columns={columns})", there, games
    )


@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (6, 5)])
def test_the_mirror_keeps_the_game(rows, columns):
    assert_symmetric(load(breakthrough(rows, columns)), board_of(rows, columns), 2, games=5)


def test_the_board_is_as_described(game, board):
    assert_described(game, board)


@pytest.mark.parametrize("size", [(8, 8), (4, 2), (4, 16)])
def test_the_laws_hold(size):
    assert_lawful(breakthrough(*size))


def test_pawns_capture_diagonally_and_never_straight(game):
    state = play(game, "b2-b3", "a7-a6", "b3-b4", "a6-a5")
    assert {name for name in legal_names(state) if name.startswith("b4")} == {"b4-a5", "b4-b5", "b4-c5"}
    state = play(game, "a2-a3", "a7-a6", "a3-a4", "a6-a5")
    assert {name for name in legal_names(state) if name.startswith("a4")} == {"a4-b5"}


def test_a_capture_takes_the_pawn_off(game, board):
    state = play(game, "b2-b3", "a7-a6", "b3-b4", "a6-a5", "b4-a5")
    assert owners(state, board).count(2) == 15
    assert owners(state, board).count(1) == 16


def test_the_last_pawn_captured_loses():
    """On four by two, player 0 takes all four pawns, and has not yet arrived when it takes the last."""
    game = load(breakthrough(4, 2))
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
