"""Searches together find what each finds alone; memory that grows or is tidied changes nothing."""

from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.randomness import generator
from forethought.search.mcts import forest as forests
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.reuse import REACH, find_below, make_path
from forethought.search.mcts.settings import MctsSettings
from forethought.search.mcts.tree import NO_NODE, NodePool, tidied
from tests.naive.mcts import Summary, child, hashed_evaluator, known_below, known_to
from tests.tiers import others_slow

TAKE_AWAY, DICE_RACE = "tests/userfiles/take_away.py", "tests/userfiles/dice_race.py"
GAMES = others_slow(["tic_tac_toe", "connect_four", TAKE_AWAY, DICE_RACE], ("tic_tac_toe", DICE_RACE))
PUCT = {"selection": "puct", "rollout_weight": 0.0}
WAYS = {
    "uct": {},
    "puct": PUCT,
    "puct, four wait": PUCT | {"parallel_simulations": 4},
    "puct, three wait, mixed values": PUCT | {"parallel_simulations": 3, "rollout_weight": 0.5},
    "puct, three wait, mixed values, expanded late": PUCT
    | {"parallel_simulations": 3, "rollout_weight": 0.5, "expansion_threshold": 3, "virtual_loss": 3},
    "ucb1 with values, four wait": {"rollout_weight": 0.0, "parallel_simulations": 4},
    "gumbel, two wait": PUCT
    | {"parallel_simulations": 2, "max_considered_actions": 4, "simulations": 31, "temperature": 1.0},
    "puct with noise": PUCT | {"dirichlet_epsilon": 0.3},
}


def forest_of(spec: str, way: str, seeds: list[int], **others: Any) -> Forest:
    game = ft.load(spec)
    evaluator = None if way == "uct" else hashed_evaluator(game)
    return Forest(game, MctsSettings(**WAYS[way], **others), [generator(seed) for seed in seeds], evaluator)


def decisions(game: ft.Game, seed: int) -> list[ft.State]:
    """The decisions of a random game."""
    rng, found, s = np.random.default_rng(seed), list[ft.State](), game.start()
    while not s.is_terminal:
        if not s.is_chance:
            found.append(s.clone())
        s.apply(int(rng.choice(s.legal_actions())))
    return found


def searched(forest: Forest, games: list[list[ft.State]], walks: int = 40) -> list[Summary]:
    """What trees know after each of three moves, each along a game of its own; some games are over sooner."""
    known = []
    for move in range(3):
        for tree, states in enumerate(games):
            if move < len(states):
                forest.aim(tree, states[move])
            else:
                forest.forget(tree)
        forest.search(walks)
        known.append([known_to(forest, tree) for tree, states in enumerate(games) if move < len(states)])
    return known


# Together and alone.


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.quick_cases(2)
def test_searches_together_are_the_searches_one_by_one(spec: str, way: str) -> None:
    seeds = [1, 2, 3, 4]
    games = [decisions(ft.load(spec), seed)[seed % 3 :] for seed in seeds]
    together = searched(forest_of(spec, way, seeds), games)
    alone = [searched(forest_of(spec, way, [seed]), [states]) for seed, states in zip(seeds, games, strict=True)]
    assert together == [[tree for one in alone for tree in one[move]] for move in range(3)]


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.quick_cases(6)
def test_it_does_not_matter_when_memory_grows(spec: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    games, known = [decisions(ft.load(spec), seed) for seed in (1, 2)], []
    for room in (1, 50_000):
        monkeypatch.setattr(forests, "FIRST_ROOM", room)
        known.append(searched(forest_of(spec, way, [1, 2]), games))
    assert known[0] == known[1]


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.quick_cases(8)
def test_trees_are_trees_of_the_game_and_every_visit_is_counted(spec: str, way: str) -> None:
    game = ft.load(spec)
    forest = forest_of(spec, way, [1, 2])
    for tree in range(2):
        forest.aim(tree, game.start())
    forest.search(200)
    assert forest.simulated.tolist() == [200, 200]
    assert (forest._pool.edges.waiting == 0).all()
    for tree in range(2):
        known = known_to(forest, tree)
        assert known[1] == 200
        assert_fits(known, game.start(), 1, forest.settings.expansion_threshold)


def assert_fits(known: Summary, s: ft.State, first: int, below: int) -> None:
    """Every edge is a legal action and leads where it says; visits of a node are those of its edges, and the first.

    The first are so many at the root, and so many below it.
    """
    player, visits, _, edges = known
    assert player == s.player
    if not edges:
        return
    assert list(edges) == s.legal_actions()
    assert visits == sum(edge[1] for edge in edges.values()) + (0 if s.is_chance else min(first, visits))
    for action, (_, edge_visits, _, known_child) in edges.items():
        assert edge_visits == (known_child[1] if known_child else 0)
        if known_child:
            assert_fits(known_child, child(s, action), below, below)


# Going on with what is known.


@pytest.mark.parametrize("way", ["uct", "puct", "puct, four wait"])
def test_a_later_position_is_known_as_it_was(way: str) -> None:
    game, forest = ft.load("connect_four"), forest_of("connect_four", way, [1])
    s = game.start()
    forest.aim(0, s)
    forest.search(600)
    below = known_to(forest)[3]
    action = max(below, key=lambda action: below[action][1])
    replies = below[action][3][3]
    reply = max(replies, key=lambda action: replies[action][1])
    s.apply(action)
    s.apply(reply)
    forest.aim(0, s)
    assert known_to(forest) == replies[reply][3]
    assert known_to(forest)[1] == replies[reply][1] > 10
    forest.search(50)
    assert known_to(forest)[1] == replies[reply][1] + 50


def test_positions_are_found_below_a_root_as_far_as_one_looks() -> None:
    """Every ply sets one more stone, so that no other way leads there sooner."""
    game, forest = ft.load("tic_tac_toe"), forest_of("tic_tac_toe", "uct", [1])
    start = game.start()
    forest.aim(0, start)
    forest.search(2_000)
    root, trail, too_far = int(forest._trees.roots[0]), make_path(game), 0
    for state, nodes in nodes_of_positions(forest._pool, root, start).items():
        wanted = np.frombuffer(state, np.uint8).copy()
        found = find_below(game.table, forest._pool, root, start.memory, wanted, trail)
        if len(ft.State(game, wanted).legal_actions()) < 9 - REACH:
            assert found == NO_NODE
            too_far += 1
        else:
            assert found in nodes
    assert too_far > 0


def nodes_of_positions(pool: NodePool, node: int, s: ft.State) -> dict[bytes, set[int]]:
    """The nodes of each position below one, where a game that is not over is to go on."""
    found = {s.memory.tobytes(): {node}}
    for edge in range(pool.nodes.first[node], pool.nodes.first[node] + pool.nodes.degree[node]):
        after = child(s, int(pool.edges.action[edge]))
        if pool.edges.child[edge] != NO_NODE and not after.is_terminal:
            for state, nodes in nodes_of_positions(pool, int(pool.edges.child[edge]), after).items():
                found[state] = found.get(state, set()) | nodes
    return found


def test_a_position_that_is_not_below_is_not_found() -> None:
    game, forest = ft.load("connect_four"), forest_of("connect_four", "uct", [1])
    s = game.start()
    s.apply(3)
    forest.aim(0, s)
    forest.search(500)
    forest.aim(0, game.start())  # a step back
    assert known_to(forest) == (0, 0, 0.0, {})


def test_what_is_forgotten_is_not_searched_until_it_is_aimed() -> None:
    game, forest = ft.load("tic_tac_toe"), forest_of("tic_tac_toe", "puct", [1, 2])
    forest.aim(0, game.start())
    forest.aim(1, game.start())
    forest.search(20)
    forest.forget(0)
    forest.search(20)
    assert forest.simulated.tolist() == [20, 40]
    forest.aim(0, game.start())
    assert known_to(forest)[1] == 0
    forest.search(20)
    assert forest.simulated.tolist() == [40, 60]


def size(known: Summary) -> int:
    return 1 + sum(size(edge[3]) for edge in known[3].values() if edge[3])


@pytest.mark.parametrize("way", ["uct", "puct"])
def test_tidying_keeps_what_lies_below_the_roots_and_nothing_else(way: str) -> None:
    forest = forest_of("connect_four", way, [1, 2, 3])
    game = forest.game
    for tree in range(3):
        forest.aim(tree, game.start())
    forest.search(500)
    s = game.start()
    s.apply(3)
    forest.aim(1, s)
    forest.forget(2)
    pool, roots = forest._pool, forest._trees.roots.copy()
    before = [known_below(pool, root) for root in roots[:2]]
    tidy = tidied(pool, roots, 100, 3_000)
    assert [known_below(tidy, root) for root in roots[:2]] == before
    assert roots[2] == NO_NODE
    assert tidy.used[0] == sum(map(size, before)) < pool.used[0]
    assert len(tidy.nodes.first) >= tidy.used[0] + 100
    assert len(tidy.edges.action) >= tidy.used[1] + 3_000


# A full pool.


@pytest.mark.parametrize("way", WAYS)
def test_where_memory_is_full_walks_go_on(way: str) -> None:
    forest = forest_of("connect_four", way, [1, 2], max_nodes=50)
    states = decisions(forest.game, 3)
    for move, s in enumerate(states):
        for tree in range(2):
            forest.aim(tree, s)
        forest.search(100)
        assert forest.simulated.tolist() == [100 * (move + 1)] * 2
        assert forest.nodes <= 50 + 2 * len(states)
        assert (forest._pool.edges.waiting == 0).all()
        assert all(forest.found(tree).visits.sum() > 0 for tree in range(2))


@pytest.mark.parametrize("way", ["uct", "puct"])
def test_what_is_left_behind_does_not_fill_the_memory(way: str) -> None:
    forest = forest_of("connect_four", way, [1], max_nodes=300)
    s = forest.game.start()
    forest.aim(0, s)
    forest.search(600)
    assert forest.nodes == 300
    s.apply(0)
    s.apply(0)
    forest.aim(0, s)
    before = size(known_to(forest))
    forest.search(600)
    assert before < 100
    assert size(known_to(forest)) == 300


# Noise at the root.


def test_noise_is_mixed_into_the_priors_of_the_root_alone() -> None:
    priors = []
    for way in ("puct", "puct with noise"):
        forest = forest_of("connect_four", way, list(range(50)))
        for tree in range(50):
            forest.aim(tree, forest.game.start())
        forest.search(40)
        priors.append(np.array([forest.found(tree).priors for tree in range(50)]))
        known = known_to(forest)
        deeper = [[reply[0] for reply in edge[3][3].values()] for edge in known[3].values() if edge[3] and edge[3][3]]
        assert all(sum(replies) == pytest.approx(1.0) for replies in deeper)
    draws = (priors[1] - 0.7 * priors[0]) / 0.3
    assert (draws > -1e-6).all()
    assert draws.sum(axis=1) == pytest.approx(np.ones(50), abs=1e-6)
    assert draws.mean(axis=0) == pytest.approx(np.full(7, 1 / 7), abs=0.06)
    assert len(np.unique(draws[:, 0])) == 50


def test_chance_is_never_noisy() -> None:
    forest = forest_of(DICE_RACE, "puct with noise", [1])
    s = forest.game.start()
    s.apply(0)
    forest.aim(0, s)
    forest.search(50)
    assert forest.found(0).priors == pytest.approx([1 / 3, 2 / 3])
