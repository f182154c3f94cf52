"""Tic-tac-toe, all of it."""

from itertools import combinations

import pytest

import forethought as ft
from tests.games.enumeration import fast_census, histories_by_record, play
from tests.games.lockstep import assert_compiled_equals_interpreted, assert_plays_like_open_spiel, spiel_name_of

ROWS = [("a1", "b1", "c1"), ("a2", "b2", "c2"), ("a3", "b3", "c3")]
COLUMNS = [("a1", "a2", "a3"), ("b1", "b2", "b3"), ("c1", "c2", "c3")]
DIAGONALS = [("a1", "b2", "c3"), ("c1", "b2", "a3")]
LINES = ROWS + COLUMNS + DIAGONALS
CELLS = [column + row for row in "123" for column in "abc"]


@pytest.fixture(scope="module")
def game():
    return ft.load("tic_tac_toe")


@pytest.fixture(scope="module")
def histories(game):
    return histories_by_record(game)


def cells_beside(line):
    """Three cells off the line that make no line themselves."""
    others = [cell for cell in CELLS if cell not in line]
    return next(three for three in combinations(others, 3) if three not in LINES)


def test_there_are_5478_positions(histories):
    assert len(histories) == 5478


def test_there_are_549946_histories(histories):
    assert sum(count for _, count in histories.values()) == 549946


def test_255168_games_end_in_131184_wins_77904_losses_and_46080_draws(histories):
    ends = {1.0: 0, -1.0: 0, 0.0: 0}
    for state, count in histories.values():
        if state.is_terminal:
            ends[state.returns()[0]] += count
    assert ends == {1.0: 131184, -1.0: 77904, 0.0: 46080}
    assert sum(ends.values()) == 255168


def test_the_fast_walk_counts_the_same_histories(game):
    census = fast_census(game)
    assert (census.chance, census.decisions, census.terminals) == (0, 549946 - 255168, 255168)
    assert census.imbalance == 0


def test_facts_tell_the_position_exactly(histories):
    """Nothing is hidden: as many different facts as positions, for each observer."""
    for observer in (0, 1, ft.PUBLIC):
        assert len({tuple(state.facts(observer)) for state, _ in histories.values()}) == len(histories)


def test_facts_are_told_from_ones_own_side(game):
    """One's own marks are 0..8 and the other's 9..17, then who is to move; PUBLIC sees with the eyes of player 0."""
    state = play(game, "a1", "c3")
    assert state.facts(0) == state.facts(ft.PUBLIC) == [0, 9 + 8, 18]
    assert state.facts(1) == [8, 9 + 0, 18]
    assert play(game, "a1").facts(0) == [0, 19]


@pytest.mark.parametrize("line", LINES)
def test_each_line_wins_for_player_0(game, line):
    first, second, _ = cells_beside(line)
    state = play(game, line[0], first, line[1], second, line[2])
    assert state.is_terminal
    assert state.returns() == [1, -1]


@pytest.mark.parametrize("line", LINES)
def test_each_line_wins_for_player_1(game, line):
    first, second, third = cells_beside(line)
    state = play(game, first, line[0], second, line[1], third, line[2])
    assert state.is_terminal
    assert state.returns() == [-1, 1]


def test_a_full_board_without_a_line_is_a_draw(game):
    state = play(game, "b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3")
    assert state.show() == "X O X 3\nX X O 2\nO X O 1\na b c"
    assert state.is_terminal
    assert state.returns() == [0, 0]


def test_the_last_mark_can_win(game):
    state = play(game, "a1", "b1", "c1", "a2", "b2", "c2", "b3", "a3", "c3")
    assert state.returns() == [1, -1]


def test_players_alternate_and_cells_are_taken_once(game):
    assert play(game).player == 0
    state = play(game, "b2")
    assert state.player == 1
    assert state.legal_actions() == [0, 1, 2, 3, 5, 6, 7, 8]


def test_the_drawing_shows_marks_where_they_were_put(game):
    assert play(game, "a1", "c3").show() == ". . O 3\n. . . 2\nX . . 1\na b c"


def test_random_games_agree_with_open_spiel(game):
    def spiel_meaning(spiel, action):
        """Translate `x(row,column)`; rows may be counted from either edge, for the board is symmetric."""
        name = spiel_name_of(spiel, action)
        return "abc"[int(name[4])] + "123"[int(name[2])]

    assert_plays_like_open_spiel(game, "tic_tac_toe", lambda state, action: state.action_name(action), spiel_meaning)


def test_machine_code_agrees_with_python():
    assert_compiled_equals_interpreted("tic_tac_toe")
