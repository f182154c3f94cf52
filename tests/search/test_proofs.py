"""What a search takes for proven is what perfect play comes to; it plays proven wins and keeps off proven losses."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.randomness import generator
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.search import playing_policy
from forethought.search.mcts.settings import MctsSettings
from forethought.search.mcts.tree import NO_NODE, UNKNOWN
from tests.naive.mcts import Perfect, child, hashed_evaluator

DICE_RACE, NIM = "tests/userfiles/dice_race.py", "tests/userfiles/take_away.py(players=2,stones=9)"
SHORT_RACE = f"{DICE_RACE}(steps=3,rounds=2)"
PERFECT = {spec: Perfect() for spec in ("tic_tac_toe", DICE_RACE, SHORT_RACE, NIM)}
PUCT = {"selection": "puct", "rollout_weight": 0.0}
WAYS = {
    "uct": {},
    "puct": PUCT,
    "puct, four wait": PUCT | {"parallel_simulations": 4},
    "gumbel": PUCT | {"max_considered_actions": 4, "simulations": 65, "temperature": 1.0},
}


@cache
def loaded(spec: str) -> ft.Game:
    return ft.load(spec)


def searched(s: ft.State, way: str, walks: int, seed: int = 1) -> Forest:
    evaluator = None if way == "uct" else hashed_evaluator(s.game)
    forest = Forest(s.game, MctsSettings(solve=True, **WAYS[way]), [generator(seed)], evaluator)
    forest.aim(0, s)
    forest.search(walks)
    return forest


def proven_nodes(forest: Forest, s: ft.State, node: int) -> Iterator[tuple[ft.State, float]]:
    """Every position of a tree that is proven, and what player 0 is said to get."""
    nodes, edges = forest._pool.nodes, forest._pool.edges
    if nodes.proven[node] != UNKNOWN:
        yield s, float(nodes.proven[node])
    for edge in range(nodes.first[node], nodes.first[node] + nodes.degree[node]):
        if edges.child[edge] != NO_NODE:
            yield from proven_nodes(forest, child(s, int(edges.action[edge])), int(edges.child[edge]))


def random_decision(game: ft.Game, rng: np.random.Generator, most: int) -> ft.State:
    """A decision somewhere in the first plies."""
    while True:
        s = game.start()
        for _ in range(int(rng.integers(most))):
            if not s.is_terminal:
                s.apply(int(rng.choice(s.legal_actions())))
        if s.player >= 0:
            return s


@pytest.mark.parametrize("spec", ["tic_tac_toe", DICE_RACE, NIM])
@pytest.mark.parametrize("way", WAYS)
def test_what_is_proven_is_what_perfect_play_comes_to(spec: str, way: str) -> None:
    rng, inner, roots = np.random.default_rng(1), 0, 0
    for seed in range(8):
        s = random_decision(loaded(spec), rng, 7)
        forest = searched(s, way, 500, seed)
        for position, value in proven_nodes(forest, s, int(forest._trees.roots[0])):
            assert value == pytest.approx(PERFECT[spec].value(position), abs=1e-6)
            inner += not position.is_terminal
            roots += position == s
    assert inner > 20
    assert roots > 0


@pytest.mark.parametrize("way", ["uct", "puct"])
def test_what_is_decided_is_proven_with_walks_enough(way: str) -> None:
    rng, game, perfect = np.random.default_rng(4), loaded("tic_tac_toe"), PERFECT["tic_tac_toe"]
    decided = [s for s in (random_decision(game, rng, 6) for _ in range(60)) if perfect.value(s) != 0.0]
    assert len(decided) > 10
    for s in decided:
        found = searched(s, way, 3_000).found(0)
        best = np.nanmax(found.proven)
        assert best == max(perfect.after(s).values())
        assert best == 1.0 or not np.isnan(found.proven).any()


def test_a_whole_game_is_proven() -> None:
    forest = searched(loaded(NIM).start(), "uct", 3_000)
    assert forest._pool.nodes.proven[forest._trees.roots[0]] == PERFECT[NIM].value(loaded(NIM).start())


@pytest.mark.parametrize("way", WAYS)
def test_proven_wins_are_played_and_proven_losses_are_not(way: str) -> None:
    """However few the walks are."""
    rng, wins, losses = np.random.default_rng(2), 0, 0
    for seed in range(100):
        s = random_decision(loaded("tic_tac_toe"), rng, 8)
        forest = searched(s, way, int(rng.integers(3, 80)), seed)
        found = forest.found(0)
        policy = playing_policy(found, float(rng.choice([0.0, 1.0])), way == "gumbel")
        worth = np.array([PERFECT["tic_tac_toe"].after(s)[action] for action in found.actions.tolist()])
        known = ~np.isnan(found.proven)
        assert (found.proven[known] == worth[known]).all()
        assert policy.sum() == pytest.approx(1.0)
        if (found.proven == 1.0).any():
            assert policy @ worth == pytest.approx(1.0)
            wins += 1
        elif (found.proven == -1.0).any() and not (found.proven == -1.0).all():
            assert policy[found.proven == -1.0].sum() == 0.0
            losses += 1
    assert wins > 10
    assert losses > 10


@pytest.mark.parametrize("way", ["uct", "puct"])
def test_the_best_mean_is_played_where_all_is_proven(way: str) -> None:
    rng, perfect, proven = np.random.default_rng(3), PERFECT[SHORT_RACE], 0
    for seed in range(40):
        s = random_decision(loaded(SHORT_RACE), rng, 5)
        found = searched(s, way, 1_000, seed).found(0)
        if not np.isnan(found.proven).any():
            worth = np.array(list(perfect.after(s).values()))
            assert found.proven == pytest.approx(worth, abs=1e-6)
            assert playing_policy(found, 1.0) @ worth == pytest.approx(worth.max())
            proven += len(set(worth)) > 1
    assert proven > 3


@pytest.mark.parametrize("way", ["uct", "puct"])
def test_what_wins_whatever_chance_brings_is_a_proven_win(way: str) -> None:
    """One step before the end the steady die wins for certain, though a third is not a number of single precision."""
    s = loaded(DICE_RACE).start()
    for _ in range(4):  # both go two steps, then two more, by the steady die
        s.apply(0)
        s.apply(2)
    found = searched(s, way, 300).found(0)
    assert found.proven[0] == 1.0
    assert playing_policy(found, 1.0).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("way", ["uct", "puct"])
def test_no_walk_is_spent_on_what_loses_at_once(way: str) -> None:
    """X threatens to complete a line: only the move that stops it is walked, all others are proven to lose."""
    s = loaded("tic_tac_toe").start()
    for action in (0, 4, 1):  # X a corner and the side beside it, O the centre
        s.apply(action)
    found = searched(s, way, 40).found(0)
    losing = np.array(list(PERFECT["tic_tac_toe"].after(s).values())) == -1.0
    assert losing.sum() == len(losing) - 1
    assert (found.proven[losing] == -1.0).all()
    assert (found.visits[losing] == 1.0).all()
    assert playing_policy(found, 1.0).tolist() == (~losing).astype(float).tolist()


def refusal(spec: str, **settings: Any) -> str:
    game = ft.load(spec)
    with pytest.raises(ft.ForethoughtError) as raised:
        searched_from_start(game, MctsSettings(solve=True, **settings))
    return str(raised.value)


def searched_from_start(game: ft.Game, settings: MctsSettings) -> None:
    forest = Forest(game, settings, [generator(1)])
    forest.aim(0, game.start())
    forest.search(100)


def test_games_that_cannot_be_proven_are_refused() -> None:
    assert "only zero-sum games of two players" in refusal("tests/userfiles/take_away.py")
    assert "only zero-sum games of two players" in refusal("tests/userfiles/ultimatum.py")
    assert "only games with returns from -1 to 1" in refusal("tests/userfiles/take_away.py(players=2,stake=3)")
