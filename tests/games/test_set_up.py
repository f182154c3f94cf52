"""Positions that are set up: they go on as those that were played, and what the rules cannot have is refused."""

from dataclasses import replace

import numpy as np
import pytest

import forethought as ft
from forethought.board import placements, square_grid
from forethought.board.notation import read_owners, write_owners
from forethought.games import GAMES
from tests.tiers import others_slow

SMALL = {"gomoku": "gomoku(size=7)", "hex": "hex(size=5,swap=true)", "yavalath": "yavalath(side=3)"}
CAN_SET_UP = [name for name in GAMES.names() if "set_up" in ft.load(name, compiled=False).source]
LONGEST = 60  # plies that are followed


def owners_of(state: ft.State) -> list[int]:
    assert state.game.board is not None
    return state.game.board.owners(state.facts(ft.PUBLIC))


@pytest.mark.parametrize("name", others_slow(CAN_SET_UP, ("hex", "othello", "teeko", "connect_four")))
def test_a_position_that_is_set_up_goes_on_as_if_it_had_been_played(name: str) -> None:
    """Of random games, some position is set up: from there both have the same actions and results to the end."""
    game = ft.load(SMALL.get(name, name), compiled=False)
    for seed in range(3):
        rng, played = np.random.default_rng(seed), game.start()
        for _ in range(int(rng.integers(12))):
            if not played.is_terminal:
                before = played.clone()
                played.apply(int(rng.choice(played.legal_actions())))
        played = before if played.is_terminal else played
        made = game.set_up(owners_of(played), played.player)
        for _ in range(LONGEST):
            assert (made.player, made.legal_actions()) == (played.player, played.legal_actions())
            assert owners_of(made) == owners_of(played)
            if played.is_terminal:
                assert made.returns() == played.returns()
                break
            action = int(rng.choice(played.legal_actions()))
            played.apply(action)
            made.apply(action)


def test_which_games_can_be_set_up() -> None:
    on_boards = [name for name in GAMES.names() if ft.load(name, compiled=False).board is not None]
    assert set(on_boards) - set(CAN_SET_UP) == {"go", "fanorona"}  # superko, and captures that go on
    for name in ("leduc", "goofspiel", "go", "fanorona", "backgammon"):
        with pytest.raises(ft.ForethoughtError, match="set up"):
            ft.position(name, board="1")


@pytest.mark.parametrize(
    ("game", "board", "to_move", "sentence"),
    [
        ("tic_tac_toe", "XXX/OO1/3", 1, "the game is over in that position"),
        ("tic_tac_toe", "XXX/OO1/3", 0, "the game is over in that position"),  # who has won is to move
        ("tic_tac_toe", "XOX/XOO/OXX", 0, "the game is over in that position"),
        ("tic_tac_toe", "3/3/3", 2, "there is no player 2 to move"),
        ("tic_tac_toe", "3/3/4", 0, "other rows than this game"),
        ("tic_tac_toe", "3/3", 0, "whose rows are of 3, 3, 3 cells"),
        ("tic_tac_toe", "3/Q2/3", 0, "'Q' is nothing on a board"),
        ("tic_tac_toe", [0] * 8, 0, "the board has 9 cells, not 8"),
        ("tic_tac_toe", [3] + [0] * 8, 0, "from 0, for nobody, to 2"),
        ("connect_four", "7/7/7/7/3X3/7", 0, "nothing is below the disc on d2"),
        ("othello", "8/8/8/3XO3/8/8/8/8", 0, "at least 4 discs"),
        ("othello", "8/8/8/3XX3/3XX3/8/8/8", 0, "the game is over"),
        ("breakthrough(rows=4,columns=2)", "1O/XO/XX/XX", 0, "player 0 has more than 4 pieces"),
        ("breakthrough(rows=4,columns=2)", "OX/2/2/2", 0, "the game is over"),
        ("breakthrough(rows=4,columns=2)", "2/X1/2/2", 1, "the game is over"),  # nothing is left
        ("hex(size=3)", "3/XXX/3", 1, "the game is over"),
        ("hex(size=3,swap=true)", "3/1O1/3", 1, "there is nothing to take over"),
        ("gomoku(size=7)", "7/7/7/1OOOOO1/7/7/7", 0, "the game is over"),
        ("yavalath(side=3)", "3/4/1XXX1/4/3", 1, "the game is over"),
        ("teeko", "XXX2/XX3/5/5/5", 0, "at most 4 pieces"),
        ("teeko", "XX3/5/5/5/5", 1, "take turns"),
        ("teeko", "XXXX1/OO1OO/5/5/5", 1, "the game is over"),
    ],
)
def test_what_the_rules_cannot_have_gets_a_sentence(
    game: str, board: str | list[int], to_move: int, sentence: str
) -> None:
    with pytest.raises(ft.ForethoughtError, match=sentence):
        ft.position(ft.load(game, compiled=False), board=board, to_move=to_move)


def test_moves_go_on_from_the_board() -> None:
    state = ft.position("tic_tac_toe", "a3, c3", board="3/1X1/2O", to_move=0)
    assert owners_of(state) == read_owners(state.game.board.grid, "X1O/1X1/2O")  # type: ignore[union-attr]
    assert state.player == 0
    with pytest.raises(ft.ForethoughtError, match="together with a board"):
        ft.position("tic_tac_toe", to_move=1)


def test_a_thought_about_a_board_finds_the_win() -> None:
    thought = ft.think(ft.position("tic_tac_toe", board="OO1/1X1/2X", to_move=1), "uct:200", seed=1)
    assert thought.actions[[one["action"] for one in thought.actions].index(thought.best)]["name"] == "c3"


@pytest.mark.parametrize("name", CAN_SET_UP)
def test_a_board_is_written_as_it_is_read(name: str) -> None:
    grid, rng = ft.load(name, compiled=False).board.grid, np.random.default_rng(1)  # type: ignore[union-attr]
    for share in (0.0, 0.3, 1.0):
        owners = np.where(rng.random(grid.cells) < share, rng.integers(1, 3, grid.cells), 0).tolist()
        assert read_owners(grid, write_owners(grid, owners)) == owners


def test_rows_come_from_the_top_and_spaces_do_not_count() -> None:
    grid = square_grid(2, 3)
    assert len(placements(grid)) == 6
    assert read_owners(grid, " x . . \n . O 1 ") == [0, 2, 0, 1, 0, 0]
    assert write_owners(grid, [0, 2, 0, 1, 0, 0]) == "X2/1O1"


def test_only_open_games_on_boards_may_have_the_rule() -> None:
    open_game, hidden = ft.load("tic_tac_toe", compiled=False), ft.load("kuhn", compiled=False)
    rule = open_game.source["set_up"]
    for made in (lambda: replace(open_game, hidden=True), lambda: replace(hidden, rules=[*hidden.rules, rule])):
        with pytest.raises(ft.ForethoughtError, match="on a board where nothing is hidden"):
            made()
