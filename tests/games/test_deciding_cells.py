"""What decides a game on a board is marked, and nothing else; scores are what the rules count."""

import numpy as np
import pytest

import forethought as ft


def after(spec: str, *names: str) -> ft.State:
    state = ft.load(spec, compiled=False).start()
    for name in names:
        state.apply(next(action for action in state.legal_actions() if state.action_name(action) == name))
    return state


def marked(state: ft.State) -> list[str]:
    cells = [cell for item in state.drawing() if item["kind"] == "cells" for cell in item["cells"]]
    return [state.game.board.grid.name(cell) for cell in cells]


def scores(state: ft.State) -> list[float]:
    return [item["amount"] for item in state.drawing() if item["kind"] == "score"]


@pytest.mark.parametrize(
    ("spec", "moves", "cells"),
    [
        ("tic_tac_toe", "a1 b1 b2 c2 c3", "a1 b2 c3"),
        ("tic_tac_toe", "a1 b1 b2 c2", ""),
        ("connect_four", "d e d e d e d", "d1 d2 d3 d4"),
        ("gomoku(size=7)", "a1 a2 b1 b2 c1 c2 d1 d2 e1", "a1 b1 c1 d1 e1"),
        ("hex(size=3)", "a2 a1 b2 b1 c2", "a2 b2 c2"),  # left to right
        ("hex(size=3)", "c3 b1 a3 b2 c2 b3", "b1 b2 b3"),  # bottom to top
    ],
)
def test_the_row_or_path_that_wins_is_marked(spec: str, moves: str, cells: str) -> None:
    state = after(spec, *moves.split())
    assert sorted(marked(state)) == cells.split()
    assert state.is_terminal == bool(cells)


def test_a_row_of_six_does_not_win_where_five_are_wanted() -> None:
    moves = "a1 a2 b1 b2 c1 c2 e1 e2 f1 f2 d1"
    assert marked(after("gomoku(size=7)", *moves.split())) == []
    assert len(marked(after("gomoku(size=7,exact=False)", *moves.split()))) == 6


def test_three_in_a_row_lose_yavalath_and_are_marked() -> None:
    state = after("yavalath(side=3)", "c1", "c3", "d1", "a3", "e1")
    assert state.returns() == [-1.0, 1.0]
    assert len(marked(state)) == 3


def test_othello_counts_discs() -> None:
    state = ft.load("othello", compiled=False).start()
    assert scores(state) == [2, 2]
    state.apply(state.legal_actions()[0])
    assert scores(state) == [4, 1]


def test_go_counts_the_area_that_its_rules_count_at_the_end() -> None:
    game, rng = ft.load("go(size=4,komi=1.5)", compiled=False), np.random.default_rng(3)
    for _ in range(5):
        state = game.start()
        while not state.is_terminal:
            legal = state.legal_actions()
            state.apply(legal[int(rng.integers(len(legal)))])
        first, second = scores(state)
        assert first - (second - 1.5) == state.view.lead
