"""Teeko: the winning shapes, both phases, the limit."""

import pytest

from forethought.errors import ForethoughtError
from forethought.games.teeko import teeko, winning_sets
from tests.games.boards import interpreted, loaded
from tests.games.enumeration import legal_names, play


@pytest.fixture
def game():
    return loaded(teeko)


def test_there_are_44_winning_shapes():
    assert len(set(winning_sets())) == 44
    assert all(four.bit_count() == 4 for four in winning_sets())


@pytest.mark.parametrize("four", winning_sets())
def test_each_shape_wins(game, four):
    """Player 1 puts three pieces on other cells, where three win nothing."""
    cells = [cell for cell in range(25) if (four >> cell) & 1]
    others = [cell for cell in range(25) if cell not in cells]
    state = game.start()
    for own, other in zip(cells, [*others[:3], None], strict=True):
        assert not state.is_terminal
        state.apply(own)
        if other is not None:
            state.apply(other)
    assert state.is_terminal
    assert state.returns() == [1, -1]


def test_after_four_placements_pieces_step(game):
    state = play(game, "a1", "b1", "a2", "b2", "c4", "e1", "e4", "e5")
    steps = ["a1-", "a2-a3", "a2-b3", "c4-b3", "c4-c3", "c4-d3", "c4-b4", "c4-d4", "c4-b5", "c4-c5", "c4-d5"]
    steps += ["e4-d3", "e4-e3", "e4-d4", "e4-d5"]
    assert legal_names(state) == [step for step in steps if step != "a1-"]


def test_a_step_can_win(game):
    state = play(game, "a1", "e1", "a2", "e2", "a3", "d4", "b5", "c1", "b5-a4")
    assert state.is_terminal
    assert state.returns() == [1, -1]


def test_at_the_limit_the_game_is_drawn():
    state = play(interpreted(teeko, 9), "a1", "b1", "a2", "b2", "c4", "e1", "e4", "e5", "c4-c3")
    assert state.is_terminal
    assert state.returns() == [0, 0]


@pytest.mark.parametrize("limit", [6, 30_001])
def test_impossible_limits_are_refused(limit):
    with pytest.raises(ForethoughtError, match=f"teeko: limit must be from 7 to 30000, not {limit}."):
        teeko(limit)
