"""Alpha-beta search says what trying everything says, whatever the game pays and however little it may remember."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from numpy import int8, int64

import forethought as ft
from forethought.game import TERMINAL, Game, record
from forethought.solve.alphabeta import AlphaBeta
from tests.naive.connect_four_solver import ConnectFourSolver
from tests.naive.mcts import Perfect, child

ENOUGH = 10_000_000
NIM = "tests/userfiles/take_away.py(players=2,stones=21,stake=3)"


def maze() -> Game:
    """A game without sense: who is to move, where one gets to and what is paid follow from the number of the place."""
    state = record(ply=int8, place=int64)

    def start(s):
        s.place = 1

    def player(s):
        if s.ply == 12 or (s.ply > 3 and s.place % 7 == 0):
            return TERMINAL
        return s.place // 3 % 2

    def legal(s, out):
        count = 1 + s.place % 4
        for i in range(count):
            out[i] = i
        return count

    def apply(s, action):
        s.place = (31 * s.place + 17 * action + 5) % 211
        s.ply += 1

    def returns(s, out):
        value = (s.place % 23 - 11) / 4
        out[0], out[1] = value, -value

    def facts(s, observer, out):
        out[0], out[1] = s.ply, 13 + s.place
        return 2

    rules = [start, player, legal, apply, returns, facts]
    return Game(name="maze", players=2, actions=4, facts=224, plies=12, record=state, hidden=False, rules=rules)


def own_value(perfect: Perfect, s: ft.State) -> float:
    return -perfect.value(s) if s.player == 1 else perfect.value(s)


def agrees(solver: AlphaBeta, perfect: Perfect, s: ft.State) -> bool:
    """Whether the solver says of a position, and of each action there, what perfect play comes to."""
    after = [perfect.after(s)[action] for action in s.legal_actions()]
    return solver.value(s, ENOUGH) == own_value(perfect, s) and solver.values(s, ENOUGH) == after


def positions_of(game: Game) -> Iterator[ft.State]:
    """Every position there is, once."""
    layer = {game.start().memory.tobytes(): game.start()}
    while layer:
        yield from layer.values()
        following = [child(s, action) for s in layer.values() for action in s.legal_actions()]
        layer = {s.memory.tobytes(): s for s in following}


def random_play(game: Game, plies: int, rng: np.random.Generator) -> tuple[ft.State, list[int]]:
    """A position after so many random plies in which the game goes on, and how it came about."""
    while True:
        s, played = game.start(), []
        while len(played) < plies and not s.is_terminal:
            played.append(int(rng.choice(s.legal_actions())))
            s.apply(played[-1])
        if not s.is_terminal:
            return s, played


@pytest.mark.parametrize("table_size", [16, 1 << 16])
def test_every_position_of_tic_tac_toe(table_size: int) -> None:
    game, perfect, count = ft.load("tic_tac_toe"), Perfect(), 0
    solver = AlphaBeta(game, table_size, largest=1.0)
    for s in positions_of(game):
        count += 1
        assert s.is_terminal or solver.value(s, ENOUGH) == own_value(perfect, s)
    assert count == 5_478


@pytest.mark.parametrize("largest", [0.25, 2.75, math.inf])
def test_whoever_moves_and_whatever_is_paid(largest: float) -> None:
    """Also where a player moves twice, and where the largest return was thought to be smaller."""
    game, perfect, seen = ft.load(maze()), Perfect(), set()
    solver = AlphaBeta(game, 1 << 10, largest)
    for s in positions_of(game):
        if not s.is_terminal:
            assert agrees(solver, perfect, s)
            seen.add(own_value(perfect, s))
    assert len(seen) > 15
    assert 2.75 in seen


def test_whoever_leaves_four_stones_wins_the_stake() -> None:
    s, solver = ft.load(NIM).start(), AlphaBeta(ft.load(NIM))
    while not s.is_terminal:
        left = int(s.view.left)
        assert solver.value(s, ENOUGH) == (-3.0 if left % 4 == 0 else 3.0)
        assert solver.values(s, ENOUGH) == [
            3.0 if (left - take) % 4 == 0 else -3.0 for take in range(1, min(3, left) + 1)
        ]
        s.apply(0)


@pytest.mark.parametrize(
    ("spec", "plies", "count"),
    [
        ("hex(size=3)", range(7), 30),
        ("hex(size=3,swap=true)", range(1, 7), 20),
        ("connect_four", range(30, 40), 30),
        ("gomoku(size=5)", range(18, 24), 20),
        ("teeko(limit=10)", range(8, 10), 20),
        ("go(size=3)", range(13, 17), 6),
    ],
)
@pytest.mark.quick_cases(1)
def test_games_on_boards(spec: str, plies: range, count: int) -> None:
    game, perfect, rng, values = ft.load(spec), Perfect(), np.random.default_rng(1), set()
    solver = AlphaBeta(game, 1 << 12, largest=1.0)
    for _ in range(count):
        s, _played = random_play(game, int(rng.choice(plies)), rng)
        assert agrees(solver, perfect, s)
        values.add(solver.value(s, ENOUGH))
    assert len(values) > 1


def test_the_same_board_is_worth_less_when_the_game_is_about_to_end() -> None:
    """Teeko's facts do not tell the ply. Here player 1, too far to be stopped, wins with the second move from now."""
    game = ft.load("teeko(limit=14)")
    solver, early = AlphaBeta(game, largest=1.0), game.start()
    early.view.turn, early.view.ply = 1, 11
    for player, cells in enumerate(((14, 20, 22, 24), (6, 7, 8, 15))):
        early.view.pieces[player] = sum(1 << cell for cell in cells)
    late = early.clone()
    late.view.ply = 13
    assert early.facts(1) == late.facts(1)
    assert agrees(solver, Perfect(), early)
    assert agrees(solver, Perfect(), late)
    assert (solver.value(early, ENOUGH), solver.value(late, ENOUGH)) == (1.0, 0.0)


def test_connect_four_as_another_solver_sees_it() -> None:
    game, other, rng, values = ft.load("connect_four"), ConnectFourSolver(), np.random.default_rng(2), set()
    solver = AlphaBeta(game, largest=1.0)
    for number in range(50):
        s, columns = random_play(game, 26 + number % 10, rng)
        assert solver.value(s, ENOUGH) == other.value(columns)
        assert solver.values(s, ENOUGH) == other.values(columns)
        values.add(other.value(columns))
    assert values == {-1, 0, 1}


def test_who_may_not_look_further_says_so() -> None:
    game, rng = ft.load("connect_four"), np.random.default_rng(4)
    drawn = (random_play(game, 18, rng)[0] for _ in range(100))
    s = next(s for s in drawn if AlphaBeta(game, 1 << 10, largest=1.0).value(s, 1_000) is None)
    solver = AlphaBeta(game, largest=1.0)
    assert solver.value(s, 100) is None
    assert solver.nodes == 100
    assert None in solver.values(s, 100)
    assert solver.nodes <= 200
    value = solver.value(s, ENOUGH)
    assert value == max(value for value in solver.values(s, ENOUGH) if value is not None)
    assert solver.nodes > 1_000
    remembered = solver.nodes
    assert solver.value(s, 1) == value
    assert solver.nodes == remembered + 1


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("leduc", "it hides information"),
        ("tests/userfiles/dice_race.py", "chance acts in it"),
        ("tests/userfiles/take_away.py", "only zero-sum games of two players"),
        ("tests/userfiles/ultimatum.py", "only zero-sum games of two players"),
    ],
)
def test_games_without_exact_values_are_refused(spec: str, said: str) -> None:
    with pytest.raises(ft.ForethoughtError, match=said):
        AlphaBeta(ft.load(spec))


def test_an_end_has_nobody_to_move() -> None:
    s = ft.load("tic_tac_toe").start()
    for action in (0, 3, 1, 4, 2):
        s.apply(action)
    with pytest.raises(ft.ForethoughtError, match="the game is over here"):
        AlphaBeta(s.game).value(s, ENOUGH)
