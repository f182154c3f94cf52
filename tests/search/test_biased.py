"""Tree search biased by patterns walks as a slow reference does, sees what wins, and keeps what it knows."""

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.patterns.atomic import atomic_patterns
from forethought.patterns.instances import compile_patterns
from forethought.patterns.pattern import Pattern
from forethought.patterns.policies import Policies, join, make_policies, write_weights
from forethought.patterns.rollouts import pattern_rollouts
from forethought.patterns.text import from_text
from forethought.randomness import generator
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.players import PatternSearchSettings
from forethought.search.mcts.settings import MctsSettings
from tests.naive import mcts as naive
from tests.naive.biased import Biased, Mixed, Reals

WANDER = str(Path(__file__).parents[1] / "patterns" / "wander.py")
PINCER = "tests/userfiles/pincer.py"
GAMES = ["tic_tac_toe", "connect_four", "hex(size=4)", "go(size=3)", "breakthrough(rows=5,columns=3)", PINCER, WANDER]
SEVERAL = ("to f@1,0 e@-1,0", "to e@1,0 -@2,0", "to f@1,0 f@2,0", "to o@0,-1 e@0,1")  # besides those of one cell
WALKS = 30  # at each move
NODES = 1_000_000


def patterns_for(game: ft.Game) -> list[list[Pattern]]:
    """Some of one cell and some of several, of both players."""
    atoms, several = atomic_patterns(game.board), list(map(from_text, SEVERAL))
    return [[*several, *atoms[::9]], [*atoms[4::11], *several[1:]]]


def weights_for(patterns: Sequence[Sequence[Pattern]], seed: int) -> list[Reals]:
    """Random weights, none of them so faint that it is dropped."""
    rng = np.random.default_rng(seed)
    return [rng.choice([-1.0, 1.0], len(own)) * rng.uniform(0.01, 1.0, len(own)) for own in patterns]


def policies_for(game: ft.Game, seed: int) -> Policies:
    """Policies of random weights: some for priors, others that play."""
    patterns = patterns_for(game)
    policies = make_policies(join(patterns, game.board))
    write_weights(policies, weights_for(patterns, seed), weights_for(patterns, seed + 1))
    return policies


def forest_of(
    game: ft.Game, policies: Policies, *seeds: int, rollout_limit: int = 200, max_nodes: int = NODES
) -> Forest:
    return Forest(
        game,
        PatternSearchSettings(rollout_limit=rollout_limit, max_nodes=max_nodes),
        [generator(seed) for seed in seeds],
        rollouts=pattern_rollouts(game, policies),
    )


def reference_for(game: ft.Game, seed: int, rollout_limit: int) -> Biased:
    """The slow search with the weights of `policies_for`."""
    patterns, words = patterns_for(game), [int(word) for word in generator(seed)]
    return Biased(
        words,
        game.start(),
        selection="puct",
        exploration=2.5,
        rollout_limit=rollout_limit,
        instances=[compile_patterns(own, game.board) for own in patterns],
        priors=weights_for(patterns, seed),
        playing=weights_for(patterns, seed + 1),
    )


def assert_same(known: naive.Summary, expected: naive.Summary) -> None:
    """Visits and totals alike at every node; priors up to single precision."""
    assert known[:3] == expected[:3]
    assert list(known[3]) == list(expected[3])
    for action, (prior, visits, total, below) in known[3].items():
        other = expected[3][action]
        assert (visits, total) == other[1:3]
        assert prior == pytest.approx(other[0], rel=1e-6)
        assert (below is None) == (other[3] is None)
        if below is not None:
            assert_same(below, other[3])


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("rollout_limit", [200, 4])
@pytest.mark.quick_cases(3)
def test_walks_as_the_reference_does(spec: str, rollout_limit: int) -> None:
    """At every node of the tree, which is kept from move to move."""
    game, seed = ft.load(spec), 3 + rollout_limit
    forest = forest_of(game, policies_for(game, seed), seed, rollout_limit=rollout_limit)
    reference = reference_for(game, seed, rollout_limit)
    rng = np.random.default_rng(seed)
    for _ in range(4):
        if reference.position.is_terminal:
            break
        forest.aim(0, reference.position)
        assert_same(naive.known_to(forest), reference.root.summary())
        forest.search(WALKS)
        for _ in range(WALKS):
            reference.walk()
        assert_same(naive.known_to(forest), reference.root.summary())
        reference.play(int(rng.choice(reference.position.legal_actions())))


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tic_tac_toe", "connect_four", PINCER])
@pytest.mark.quick_cases(1)
def test_an_evaluator_and_roll_outs_by_patterns_go_together(spec: str) -> None:
    """Priors are the evaluator's; values are mixed with what the patterns play."""
    game, seed, weight = ft.load(spec), 5, 0.25
    settings = MctsSettings(selection="puct", exploration=2.5, rollout_weight=weight, rollout_limit=200)
    rollouts = pattern_rollouts(game, policies_for(game, seed))
    forest = Forest(game, settings, [generator(seed)], naive.hashed_evaluator(game), rollouts)
    reference = reference_for(game, seed, 200)
    mixed = Mixed(**{**vars_of(reference), "evaluate": naive.hashed_evaluate, "rollout_weight": weight})
    rng = np.random.default_rng(seed)
    for _ in range(3):
        forest.aim(0, mixed.position)
        forest.search(WALKS)
        for _ in range(WALKS):
            mixed.walk()
        assert_same(naive.known_to(forest), mixed.root.summary())
        mixed.play(int(rng.choice(mixed.position.legal_actions())))


def vars_of(search: Biased) -> dict[str, Any]:
    return {one.name: getattr(search, one.name) for one in fields(search) if one.init}


def test_trees_of_one_forest_do_not_disturb_each_other() -> None:
    """Positions differ, so that what stands must be found anew for each; memory is so small that it must grow."""
    game = ft.load("connect_four")
    policies, states = policies_for(game, 1), [game.start() for _ in range(3)]
    for number, s in enumerate(states):
        for _ in range(number):
            s.apply(3)
    together = forest_of(game, policies, 5, 6, 7)
    for tree, s in enumerate(states):
        together.aim(tree, s)
    for walks in (150, 150):
        together.search(walks)
    for tree, s in enumerate(states):
        alone = forest_of(game, policies, 5 + tree)
        alone.aim(0, s)
        alone.search(300)
        assert naive.known_to(alone) == naive.known_to(together, tree)


def test_where_memory_is_full_walks_go_on() -> None:
    game = ft.load("connect_four")
    forest = forest_of(game, policies_for(game, 1), 1, max_nodes=50)
    forest.aim(0, game.start())
    forest.search(400)
    assert forest.nodes <= 51
    assert forest.found(0).visits.sum() == 399


# What wins.


def played(game: ft.Game, names: str) -> ft.State:
    """Return the position after moves, by their names."""
    s = game.start()
    for name in names.split():
        s.apply(next(action for action in s.legal_actions() if s.action_name(action) == name))
    return s


@pytest.mark.parametrize(
    ("spec", "moves", "right"),
    [
        ("tic_tac_toe", "a1 b2 a2 c3", "a3 b1 c1"),  # at once, or soon
        ("tic_tac_toe", "a1 b2 c3 c1", "a3"),  # it stops one line and makes two
        ("tic_tac_toe", "a1 b2 a2", "a3"),  # all others lose
        ("hex(size=3)", "a1", "b2"),  # the middle; all others lose
        ("connect_four", "d d e e", "c f"),  # three in a row with both ends open
        (PINCER, "a1 b1 d1 e5", "c1"),  # between one's own and the other's
    ],
)
def test_forced_wins_are_found_without_weights(spec: str, moves: str, right: str) -> None:
    game = ft.load(spec)
    policies = make_policies(join(patterns_for(game), game.board))
    s = played(game, moves)
    forest = forest_of(game, policies, 1)
    forest.aim(0, s)
    forest.search(4_000)
    found = forest.found(0)
    assert found.priors == pytest.approx(np.full(len(found.actions), 1 / len(found.actions)))
    assert s.action_name(int(found.actions[found.visits.argmax()])) in right.split()


# Weights, and what is kept.


def test_weights_written_anew_are_seen_by_the_next_search() -> None:
    """By new nodes and play below; nodes that are known keep their priors."""
    game = ft.load("connect_four")
    patterns = [[from_text("to #@1,0"), from_text("to e@1,0")]] * 2  # the edge, and the other's discs
    policies = make_policies(join(patterns, game.board))
    forest = forest_of(game, policies, 1)
    forest.aim(0, game.start())
    forest.search(100)
    before = {action: edge[3] for action, edge in naive.known_to(forest)[3].items()}
    write_weights(policies, [np.array([0.0, 3.0])] * 2, [np.array([0.0, 0.0])] * 2)
    forest.search(100)
    assert forest.found(0).priors == pytest.approx(np.full(7, 1 / 7))
    new, old = [], []
    for action, edge in naive.known_to(forest)[3].items():
        known = before[action][3] if before[action] else {}
        for reply, (_, _, _, below) in edge[3][3].items():
            if below and below[3]:
                was_there = reply in known and known[reply][3] and known[reply][3][3]
                spread = np.ptp([prior for prior, _, _, _ in below[3].values()])
                (old if was_there else new).append(spread)
    assert old
    assert new
    assert max(old) < 1e-6
    assert min(new) > 0.1


def test_play_below_is_by_the_weights_that_play() -> None:
    """A player that does what loses loses; its opponent plays at random."""
    game = ft.load(PINCER)
    patterns = [[from_text("to f@1,0 e@-1,0")]] * 2
    policies = make_policies(join(patterns, game.board))
    s = played(game, "a1 b1")
    values = []
    for blind in (0, 1):
        weights = [np.array([-9.0 if player == blind else 9.0]) for player in range(2)]
        write_weights(policies, [np.zeros(1)] * 2, weights)
        values.append(float(np.mean([value_of_walks(s, policies, seed) for seed in range(5)])))
    assert values[0] < -0.5
    assert values[1] > 0.5


def value_of_walks(s: ft.State, policies: Policies, seed: int) -> float:
    """What a few walks find the position to be worth: so few that all is decided below the tree."""
    forest = forest_of(s.game, policies, seed)
    forest.aim(0, s)
    forest.search(20)
    return forest.found(0).value


def test_the_tree_is_kept_from_move_to_move() -> None:
    game = ft.load("connect_four")
    forest = forest_of(game, policies_for(game, 1), 1)
    s = game.start()
    forest.aim(0, s)
    forest.search(600)
    below = naive.known_to(forest)[3]
    action = max(below, key=lambda action: below[action][1])
    replies = below[action][3][3]
    reply = max(replies, key=lambda action: replies[action][1])
    s.apply(action)
    s.apply(reply)
    forest.aim(0, s)
    assert naive.known_to(forest) == replies[reply][3]
    assert naive.known_to(forest)[1] > 10
    forest.search(50)
    assert naive.known_to(forest)[1] == replies[reply][1] + 50
