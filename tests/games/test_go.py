"""Go: captures, suicide, superko, area."""

import numpy as np
import pyspiel
import pytest

from forethought.board import NOWHERE
from forethought.errors import ForethoughtError
from forethought.games.go import board_of, go
from tests.games.boards import interpreted, loaded, owners
from tests.games.enumeration import legal_names, play

GAMES = 1000


@pytest.fixture
def game():
    return loaded(go)


@pytest.fixture
def small():
    return loaded(go, 5, 0.5)


def stones(state, size):
    """Draw the board without letters and numbers, top row first."""
    owner = owners(state, board_of(size))
    rows = ["".join(".XO"[who] for who in owner[size * row : size * (row + 1)]) for row in range(size)]
    return " ".join(reversed(rows))


def test_random_games_agree_with_open_spiel(game):
    """There a move that brings a position back is legal, and ends the game at once; all else is the same."""
    spiel_game = pyspiel.load_game("go(board_size=9,komi=7.5)")
    repetitions = 0
    for seed in range(GAMES):
        rng = np.random.default_rng(seed)
        state, spiel = game.start(), spiel_game.new_initial_state()
        while not state.is_terminal:
            assert state.player == spiel.current_player()
            legal = state.legal_actions()
            theirs = spiel.legal_actions()
            for action in set(theirs) - set(legal):
                assert spiel.child(action).is_terminal()
                repetitions += 1
            assert set(legal) <= set(theirs)
            action = int(legal[rng.integers(len(legal))])
            game.table.apply(state.memory, action)
            spiel.apply_action(action)
        assert spiel.is_terminal()
        assert state.returns() == spiel.returns()
    assert repetitions > 0


class SlowGo:
    """The rules once more, on sets of points and by flood fill, with the boards of the past kept as they were."""

    def __init__(self, size):
        neighbours = board_of(size).grid.neighbours[:, ::2].tolist()
        self.near = [[cell for cell in row if cell != NOWHERE] for row in neighbours]
        self.board, self.turn = (0,) * size**2, 1
        self.past = {self.board}

    def chain(self, board, point):
        """Return the points of one owner that hang together, and the owners of the points around them."""
        found, waiting, beside = {point}, [point], set()
        while waiting:
            for near in self.near[waiting.pop()]:
                if board[near] != board[point]:
                    beside.add(board[near])
                elif near not in found:
                    found.add(near)
                    waiting.append(near)
        return found, beside

    def after(self, point):
        board = list(self.board)
        board[point] = self.turn
        for near in self.near[point]:
            if board[near] == 3 - self.turn:
                found, beside = self.chain(board, near)
                if 0 not in beside:
                    for stone in found:
                        board[stone] = 0
        return tuple(board)

    def legal(self):
        points = [point for point, owner in enumerate(self.board) if owner == 0]
        return [p for p in points if (b := self.after(p)) not in self.past and 0 in self.chain(b, p)[1]]

    def apply(self, point):
        if point < len(self.board):
            self.board = self.after(point)
            self.past.add(self.board)
        self.turn = 3 - self.turn

    def lead(self):
        lead = self.board.count(1) - self.board.count(2)
        for point, owner in enumerate(self.board):
            beside = self.chain(self.board, point)[1] if owner == 0 else set()
            lead += {(1,): 1, (2,): -1}.get(tuple(beside), 0)
        return lead


@pytest.mark.parametrize(("size", "games"), [(2, 100), (3, 100), (5, 30), (9, 2)])
@pytest.mark.quick_cases(1)
def test_random_games_agree_with_slow_rules(size, games):
    """Small boards repeat positions all the time."""
    game = loaded(go, size, 1.0)
    for seed in range(games):
        rng = np.random.default_rng(seed)
        state, slow = game.start(), SlowGo(size)
        while not state.is_terminal:
            legal = state.legal_actions()
            assert legal == [*slow.legal(), size * size]
            action = int(rng.choice(legal))
            state.apply(action)
            slow.apply(action)
            assert owners(state, board_of(size)) == list(slow.board)
        assert state.returns()[0] == np.sign(slow.lead() - 1)


def test_a_chain_without_liberties_is_captured(small):
    state = play(small, "b1", "a1", "b2", "a2", "a3")
    assert stones(state, 5) == "..... ..... X.... .X... .X..."


def test_suicide_is_illegal_and_capture_with_the_last_liberty_is_not(small):
    moves = ["b1", "e5", "b2", "d5", "a3", "c1", "c5"]
    state = play(small, *moves)
    assert {"a1", "a2"} <= set(legal_names(state))
    state = play(small, *moves, "a2", "e1")
    assert "a1" not in legal_names(state)
    assert "a1" in legal_names(play(small, *moves, "a2"))


def test_ko_may_not_be_taken_back_at_once(small):
    moves = ["b1", "c1", "a2", "d2", "b3", "c3", "c2", "b2"]
    state = play(small, *moves)
    assert stones(state, 5) == "..... ..... .XO.. XO.O. .XO.."
    assert "c2" not in legal_names(state)
    later = play(small, *moves, "e5", "a5")
    assert "c2" in legal_names(later)


def test_area_counts_stones_and_what_they_enclose():
    """A wall on column b: ten points for player 0; one on column c: fifteen for player 1. Nobody else has any."""
    wall = [name for row in range(1, 6) for name in (f"b{row}", f"c{row}")]
    moves = [*wall, "pass", "pass"]
    assert play(interpreted(go, 5, -4.5), *moves).returns() == [-1, 1]
    assert play(interpreted(go, 5, -5), *moves).returns() == [0, 0]
    assert play(interpreted(go, 5, -5.5), *moves).returns() == [1, -1]


def test_two_passes_end_the_game(small):
    assert not play(small, "pass").is_terminal
    assert not play(small, "pass", "a1", "pass").is_terminal
    assert play(small, "a1", "pass", "pass").is_terminal


def test_an_empty_board_is_nobodys(small):
    assert play(small, "pass", "pass").returns() == [-1, 1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"size": 1}, "go: size must be from 2 to 19, not 1."),
        ({"size": 20}, "go: size must be from 2 to 19, not 20."),
        ({"komi": float("nan")}, "go: komi must be a finite number, not nan."),
    ],
)
def test_impossible_parameters_are_refused(arguments, sentence):
    with pytest.raises(ForethoughtError, match=sentence):
        go(**arguments)
