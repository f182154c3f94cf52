"""Hex: sides and swap."""

import numpy as np
import pytest

from forethought.board import NOWHERE
from forethought.errors import ForethoughtError
from forethought.games.hex import board_of
from forethought.games.hex import hex as hex_game
from tests.games.boards import interpreted, loaded, owners
from tests.games.enumeration import legal_names, play


def joined(state, board, player):
    """Say whether the player's sides are joined, by a search from one of them."""
    size = board.grid.shape[1]
    owner = owners(state, board)
    along = [board.grid.places[cell][player] for cell in range(board.cells)]
    found = {cell for cell in range(board.cells) if along[cell] == 0 and owner[cell] == 1 + player}
    waiting = list(found)
    while waiting:
        for near in board.grid.neighbours[waiting.pop()].tolist():
            if near != NOWHERE and near not in found and owner[near] == 1 + player:
                found.add(near)
                waiting.append(near)
    return any(along[cell] == size - 1 for cell in found)


@pytest.mark.parametrize("swap", [False, True])
def test_the_game_ends_when_sides_are_joined(swap):
    game, board = loaded(hex_game, 4, swap), board_of(4, swap)
    for seed in range(50):
        rng = np.random.default_rng(seed)
        state = game.start()
        while not state.is_terminal:
            assert not joined(state, board, 0)
            assert not joined(state, board, 1)
            state.apply(int(rng.choice(state.legal_actions())))
        assert state.returns() == ([1, -1] if joined(state, board, 0) else [-1, 1])
        assert joined(state, board, 0) != joined(state, board, 1)


def test_player_0_joins_left_and_right():
    state = play(interpreted(hex_game, 2), "a2", "a1", "b1")
    assert state.returns() == [1, -1]


def test_player_1_joins_bottom_and_top():
    state = play(interpreted(hex_game, 2), "b2", "b1", "a1", "a2")
    assert state.returns() == [-1, 1]


def test_a_swap_takes_the_stone_over_to_the_same_place_for_the_other():
    game, board = interpreted(hex_game, 3, True), board_of(3, swap=True)
    state = play(game, "c1", "swap")
    assert owners(state, board) == [0, 0, 0, 0, 0, 0, 2, 0, 0]
    assert state.player == 0
    assert "c1" in legal_names(state)
    assert "swap" not in legal_names(state)


def test_only_the_first_stone_can_be_swapped():
    game = interpreted(hex_game, 3, True)
    assert "swap" not in legal_names(play(game))
    assert "swap" in legal_names(play(game, "b2"))
    assert "swap" not in legal_names(play(game, "b2", "a1"))
    assert "swap" not in legal_names(play(game, "b2", "a1", "a2"))


@pytest.mark.parametrize("size", [1, 20])
def test_impossible_sizes_are_refused(size):
    with pytest.raises(ForethoughtError, match=f"hex: size must be from 2 to 19, not {size}."):
        hex_game(size)
