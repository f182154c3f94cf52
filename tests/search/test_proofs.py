"""What a search takes for proven is what perfect play comes to; it plays proven wins and keeps off proven losses."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.randomness import generator
from forethought.search.forest import Forest
from forethought.search.mcts import playing_policy
from forethought.search.settings import TreeSettings
from forethought.search.tree import NO_NODE, UNKNOWN
from tests.naive.mcts import Perfect, child, hashed_evaluator

DICE_RACE, NIM = "tests/userfiles/dice_race.py", "tests/userfiles/take_away.py(players=2,stones=9)"
GAMES = {spec: ft.load(spec) for spec in ("tic_tac_toe", DICE_RACE, NIM)}
PERFECT = {spec: Perfect() for spec in GAMES}
PUCT = {"selection": "puct", "rollouts": 0.0}
WAYS = {
    "uct": {},
    "puct": PUCT,
    "puct, four wait": PUCT | {"width": 4},
    "gumbel": PUCT | {"considered": 4, "planned": 64},
}


def searched(s: ft.State, way: str, walks: int, seed: int = 1) -> Forest:
    evaluator = None if way == "uct" else hashed_evaluator
    forest = Forest(s.game, TreeSettings(solve=True, **WAYS[way]), [generator(seed)], evaluator)
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


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("way", WAYS)
def test_what_is_proven_is_what_perfect_play_comes_to(spec: str, way: str) -> None:
    rng, inner, roots = np.random.default_rng(1), 0, 0
    for seed in range(8):
        s = random_decision(GAMES[spec], rng, 7)
        forest = searched(s, way, 500, seed)
        for position, value in proven_nodes(forest, s, int(forest._trees.roots[0])):
            assert value == pytest.approx(PERFECT[spec].value(position), abs=1e-6)
            inner += not position.is_terminal
            roots += position == s
    assert inner > 20
    assert roots > 0


@pytest.mark.parametrize("spec", ["tic_tac_toe", NIM])
@pytest.mark.parametrize("way", ["uct", "puct"])
def test_the_whole_game_is_proven_with_walks_enough(spec: str, way: str) -> None:
    forest = searched(GAMES[spec].start(), way, {"uct": 60_000, "puct": 12_000}[way])
    assert forest._pool.nodes.proven[forest._trees.roots[0]] == PERFECT[spec].value(GAMES[spec].start())


@pytest.mark.parametrize("way", WAYS)
def test_proven_wins_are_played_and_proven_losses_are_not(way: str) -> None:
    """However few the walks are."""
    rng, wins, losses = np.random.default_rng(2), 0, 0
    for seed in range(150):
        s = random_decision(GAMES["tic_tac_toe"], rng, 8)
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
def test_chance_is_worth_its_mean_and_what_is_sure_is_sure(way: str) -> None:
    """Two steps before the end a steady die may bring one, a bold one nothing; one step before, steadiness wins."""
    game, perfect = GAMES[DICE_RACE], PERFECT[DICE_RACE]
    rng, certain = np.random.default_rng(3), 0
    for seed in range(40):
        s = random_decision(game, rng, 14)
        found = searched(s, way, 3_000, seed).found(0)
        worth = np.array(list(perfect.after(s).values()))
        if np.isnan(found.proven).any():
            continue
        policy = playing_policy(found, 1.0)
        assert found.proven == pytest.approx(worth, abs=1e-6)
        assert policy @ worth == pytest.approx(worth.max())
        certain += (found.proven == 1.0).any()
    assert certain > 0


def refusal(spec: str, **settings: Any) -> str:
    game = ft.load(spec)
    with pytest.raises(ft.ForethoughtError) as raised:
        searched_from_start(game, TreeSettings(solve=True, **settings))
    return str(raised.value)


def searched_from_start(game: ft.Game, settings: TreeSettings) -> None:
    forest = Forest(game, settings, [generator(1)])
    forest.aim(0, game.start())
    forest.search(100)


def test_games_that_cannot_be_proven_are_refused() -> None:
    assert "only zero-sum games of two players" in refusal("tests/userfiles/take_away.py")
    assert "only zero-sum games of two players" in refusal("tests/userfiles/ultimatum.py")
    assert "only games that pay from -1 to 1" in refusal("tests/userfiles/take_away.py(players=2,stake=3)")
