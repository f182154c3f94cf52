"""Alpha-beta search to a depth says what minimax says, and what perfect play comes to where the end is in sight."""

import numpy as np
import pytest

import forethought as ft
from forethought.player import find_player
from forethought.players.alphabeta import AlphaBetaPlayer, AlphaBetaSettings
from forethought.playouts import largest_return
from forethought.randomness import generator, word
from tests.naive import alphabeta as naive
from tests.naive.mcts import Perfect, child
from tests.solve.test_alphabeta import maze, random_play


def values_in(s: ft.State, seed: int, **settings: int) -> list[float]:
    """What the player thinks of each action, as player 0 counts."""
    player = AlphaBetaPlayer(s.game, AlphaBetaSettings(**settings), generator(seed))
    found = player.values(s.observation(s.player))
    return (found if s.player == 0 else 0.0 - found).tolist()


def minimax(s: ft.State, seed: int, depth: int, rollouts: int) -> list[float]:
    start = int(word(generator(seed)))
    return [naive.value(child(s, action), depth - 1, rollouts, start) for action in s.legal_actions()]


@pytest.mark.parametrize("rollouts", [0, 3])
@pytest.mark.parametrize(
    ("spec", "plies", "depth"),
    [("tic_tac_toe", 3, 3), ("connect_four", 20, 3), ("hex(size=3)", 1, 2), ("teeko(limit=14)", 9, 2), ("maze", 2, 4)],
)
@pytest.mark.quick_cases(5)
def test_looks_as_far_ahead_as_minimax(spec: str, plies: int, depth: int, rollouts: int) -> None:
    """Also where a player moves twice in a row; the deepest search of a decision decides unless one is exact."""
    game, rng = ft.load(maze() if spec == "maze" else spec), np.random.default_rng(3)
    largest = largest_return(game)
    for seed in range(4):
        s, _ = random_play(game, plies, rng)
        expected = [minimax(s, seed, d, rollouts) for d in range(1, depth + 1)]
        decided = [found for found in expected if abs(pick(s, found)) >= largest]
        assert values_in(s, seed, depth=depth, rollouts=rollouts) == pytest.approx([*decided, expected[-1]][0])


def pick(s: ft.State, values: list[float]) -> float:
    """The value that the player to move would choose."""
    return max(values) if s.player == 0 else min(values)


@pytest.mark.parametrize(("spec", "plies"), [("tic_tac_toe", 2), ("connect_four", 32), ("hex(size=3)", 3)])
def test_is_exact_where_the_end_is_within_its_depth(spec: str, plies: int) -> None:
    game, rng, perfect = ft.load(spec), np.random.default_rng(1), Perfect()
    for seed in range(5):
        s, _ = random_play(game, plies, rng)
        after = [perfect.after(s)[action] for action in s.legal_actions()]
        policy = find_player("alphabeta:42").new_player(game)(generator(seed)).think(s.observation(s.player))
        best = {action for action, value in zip(policy.actions, after, strict=True) if value == max(after)}
        chosen = {action for action, p in policy.as_dict().items() if p > 0.0}
        assert chosen <= best
        assert chosen == best or max(after) == 1.0  # of wins, the quickest


@pytest.mark.parametrize(("game", "first", "last"), [("tic_tac_toe", 2, 7), ("connect_four", 32, 38)])
def test_is_always_right_where_accuracy_knows(game: str, first: int, last: int) -> None:
    """Positions that `accuracy` solves to the end."""
    found = ft.accuracy(game, "alphabeta(depth=40,rollouts=0)", positions=40, from_plies=first, to_plies=last, seed=2)
    assert found.differing > 15
    assert found.right == found.differing


def test_a_depth_that_is_not_finished_does_not_count() -> None:
    """With positions for two plies and some of the third, what two plies tell decides."""
    s, _ = random_play(ft.load("connect_four"), 8, np.random.default_rng(5))
    assert values_in(s, 1, depth=3, positions=100) == values_in(s, 1, depth=2) != values_in(s, 1, depth=3)
    assert values_in(s, 1, depth=3, positions=1) == [0.0] * len(s.legal_actions())


def test_beats_random_play() -> None:
    found = ft.match("connect_four", "alphabeta:2", "random", games=40, seed=1)
    assert found.wins > 36


@pytest.mark.parametrize("spec", ["leduc", "tests/userfiles/dice_race.py", "tests/userfiles/take_away.py"])
def test_refuses_what_it_cannot_search(spec: str) -> None:
    with pytest.raises(ft.ForethoughtError):
        find_player("alphabeta").new_player(ft.load(spec))
