"""Matching: patterns and masses kept up to date are those found anew, and moves are drawn in proportion to them."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from forethought.compiler import kernel, pointer
from forethought.game import TERMINAL, State, Table
from forethought.games import load
from forethought.patterns.atomic import atomic_patterns
from forethought.patterns.incremental import (
    ActivePatterns,
    PatternMemory,
    copy_active,
    make_pattern_memory,
    policy_at,
    prior_weight,
    start_from_empty,
    update,
    update_from_empty,
    write_policy,
)
from forethought.patterns.pattern import FROM, TO, Pattern
from forethought.patterns.policies import LEAST_WEIGHT, Policies, write_weights
from forethought.patterns.rollouts import PatternRollouts, draw, pattern_rollouts, play_games
from forethought.patterns.text import from_text
from forethought.randomness import below, generator
from forethought.rollouts import roll_out
from tests.patterns.matching import (
    Reals,
    active_lists,
    naive_active,
    naive_policy,
    patterns_of,
    policies_for,
    random_union,
    softmax,
    weights_for,
)
from tests.patterns.samples import BOARD_GAMES, QUICK_GAMES, positions
from tests.tiers import others_slow

WANDER = str(Path(__file__).with_name("wander.py"))  # a user's game of placements and moves, on hexagons
PINCER = "tests/userfiles/pincer.py"
GAMES = (*BOARD_GAMES, WANDER, PINCER)
# Random games of each kind: a thousand, more of those that are quick.
RANDOM_GAMES = {
    "breakthrough(rows=6,columns=5)": 60,
    "connect_four": 150,
    "fanorona": 40,
    "go(size=5)": 60,
    "gomoku(size=9)": 60,
    "hex(size=5)": 120,
    "knightthrough(rows=6,columns=5)": 60,
    "othello": 40,
    "teeko": 40,
    "tic_tac_toe": 200,
    "yavalath(side=4)": 80,
    WANDER: 40,
    PINCER: 50,
}
NEAR = (("to #@1,0", "to !-@1,0", "from #@1,0"), ("to e@1,0", "from f@1,0", "to e@1,1", "to #@2,0 -@1,0"))
Ints = np.ndarray[Any, np.dtype[np.int64]]


@kernel
def start_matching(policies: Policies, memory: PatternMemory) -> None:
    start_from_empty(policies, memory)


@kernel
def go_on(game: Table, policies: Policies, memory: PatternMemory, state: Any) -> None:
    update(game, policies, memory, state)


# Against the slow reference.


@pytest.mark.parametrize("spec", others_slow(GAMES, (*QUICK_GAMES, WANDER, PINCER)))
@pytest.mark.quick_cases(2)
def test_what_is_active_is_so_in_the_reference(spec):
    """Of both players, on the way through a game."""
    game, patterns = load(spec), patterns_of(spec)
    policies, rng = policies_for(game, patterns, weights_for(patterns, 1)), np.random.default_rng(2)
    memory, found = make_pattern_memory(game, policies.patterns), [set(), set()]
    for ply, state in enumerate(positions(game, seed=3)):
        go_on(game.table, policies, memory, state.memory)
        if ply % 9 in (0, 1) and ply < 30:
            actions = rng.permutation(state.legal_actions())[:3].tolist()
            for player, own in enumerate(patterns):
                expected = naive_active(own, state, player, actions)
                assert active_lists(policies, memory.now, player, actions) == expected
                found[player].update(i for active in expected for i in active)
    assert all(len(seen) > len(own) // 3 for seen, own in zip(found, patterns, strict=True))  # the reference says both


@pytest.mark.parametrize("spec", others_slow(GAMES, (*QUICK_GAMES, WANDER, PINCER)))
def test_policies_are_softmaxes_of_active_weights(spec):
    game, patterns = load(spec), patterns_of(spec)
    weights = weights_for(patterns, 4)
    policies = policies_for(game, patterns, weights, weights_for(patterns, 5))  # others play: they must not matter
    memory = make_pattern_memory(game, policies.patterns)
    for ply, state in enumerate(positions(game, seed=6)):
        if ply in (0, 1, 14):
            actions = np.array(state.legal_actions())
            out = np.zeros(len(actions))
            update_from_empty(game.table, policies, memory, state.memory)
            policy_at(policies, memory, state.player, actions, out)
            expected = naive_policy(patterns[state.player], weights[state.player], state)
            assert out == pytest.approx(expected, abs=1e-12)


# After every move of a thousand random games.


@kernel
def farthest_off(policies: Policies, active: ActivePatterns, fresh: ActivePatterns) -> float:
    """Return by how much the log of any mass differs from the weights that are active where all is counted anew."""
    for i in range(len(active.unmet)):
        if active.unmet[i] != fresh.unmet[i] or active.unmet[i] < 0:
            return math.inf
    for i in range(len(active.met)):
        if active.met[i] != fresh.met[i]:
            return math.inf
    for i in range(len(active.counts)):
        if active.counts[i] != fresh.counts[i]:
            return math.inf
    worst = 0.0
    for site in range(policies.patterns.sites):
        for player in range(2):
            weight = prior_weight(policies, fresh, player, site)
            worst = max(worst, abs(math.log(active.mass[2 * site + player]) - weight))
    return worst


@kernel
def worst_of_games(  # noqa: PLR0917
    game: Table,
    policies: Policies,
    memory: PatternMemory,
    fresh: PatternMemory,
    games: int,
    state: Any,
    actions: Ints,
    out: Reals,
    rng: Any,
) -> float:
    """Play at random; return the largest difference between what was kept up to date and what is found anew."""
    start_from_empty(policies, memory)
    worst = 0.0
    for _ in range(games):
        copy_active(memory.empty, memory.now)
        state[:] = 0
        game.start(pointer(state))
        player = game.player(pointer(state))
        while player != TERMINAL:
            update(game, policies, memory, state)
            start_from_empty(policies, fresh)
            update(game, policies, fresh, state)
            worst = max(worst, farthest_off(policies, memory.now, fresh.now))
            count = game.legal(pointer(state), pointer(actions))
            draw(policies, memory, player, actions, count, rng)
            write_policy(policies, fresh.now, player, actions, count, out)
            total = 0.0
            for i in range(count):
                total += memory.chances[i]
            for i in range(count):
                worst = max(worst, abs(memory.chances[i] / total - out[i]))
            game.apply(pointer(state), actions[below(count, rng)])
            player = game.player(pointer(state))
    return worst


def test_there_are_a_thousand_games():
    assert set(RANDOM_GAMES) == set(GAMES)
    assert sum(RANDOM_GAMES.values()) == 1_000


@pytest.mark.parametrize("spec", others_slow(GAMES, (*QUICK_GAMES, WANDER, PINCER)))
@pytest.mark.quick_cases(1)
def test_what_is_kept_up_to_date_is_what_is_found_anew(spec):
    """Counts exactly, log masses and policies to rounding, after every move."""
    game, patterns = load(spec), patterns_of(spec)
    policies = policies_for(game, patterns, weights_for(patterns, 7))
    memory, fresh = (make_pattern_memory(game, policies.patterns) for _ in range(2))
    state, actions, out = (
        np.zeros(game.table.state_bytes, np.uint8),
        np.zeros(game.actions, np.int64),
        np.zeros(game.actions),
    )
    worst = worst_of_games(game.table, policies, memory, fresh, RANDOM_GAMES[spec], state, actions, out, generator(8))
    assert 0.0 < worst < 1e-10  # never zero: masses are multiplied, weights summed


# What is drawn.


@kernel
def count_endings(  # noqa: PLR0917
    game: Table, rollouts: PatternRollouts, plies: int, endings: Any, state: Any, actions: Ints, counts: Ints, rng: Any
) -> None:
    """Play so many plies from the start until as many games are counted as `counts` says in its last place."""
    memory = rollouts.memory
    start_from_empty(rollouts.policies, memory)
    for _ in range(counts[len(endings)]):
        copy_active(memory.empty, memory.now)
        state[:] = 0
        game.start(pointer(state))
        roll_out(rollouts, game, state, actions, plies, rng)
        for row in range(len(endings)):
            i = 0
            while i < len(state) and endings[row, i] == state[i]:
                i += 1
            if i == len(state):
                counts[row] += 1
                break


@pytest.mark.parametrize(
    "spec", ["tic_tac_toe", "connect_four", "go(size=3)", "teeko", "breakthrough(rows=5,columns=3)", WANDER]
)
@pytest.mark.quick_cases(3)
def test_moves_are_drawn_in_proportion_to_their_policies(spec):
    """The first move of each player, by its own patterns and what the other's move has changed."""
    game, games = load(spec), 20_000
    rng = np.random.default_rng(9)
    patterns = [[*map(from_text, own), random_union(rng, game.board)] for own in NEAR]
    priors, playing = weights_for(patterns, 10), weights_for(patterns, 11, spread=0.7)
    policies = policies_for(game, patterns, priors, playing)
    odds: dict[bytes, float] = {}
    uniform: dict[bytes, float] = {}
    start = game.start()
    first = naive_policy(patterns[0], playing[0], start)
    for action, chance in zip(start.legal_actions(), first, strict=True):
        after = start.clone()
        after.apply(action)
        answers = after.legal_actions()
        second = naive_policy(patterns[1], playing[1], after)
        for answer, then in zip(answers, second, strict=True):
            end = after.clone()
            end.apply(answer)
            key = end.memory.tobytes()
            odds[key] = odds.get(key, 0.0) + chance * then
            uniform[key] = uniform.get(key, 0.0) + 1.0 / len(first) / len(answers)
    endings = np.array([np.frombuffer(key, np.uint8) for key in odds])
    counts = np.array([0] * len(endings) + [games])
    state, actions = np.zeros(game.table.state_bytes, np.uint8), np.zeros(game.actions, np.int64)
    count_endings(game.table, pattern_rollouts(game, policies), 2, endings, state, actions, counts, generator(12))
    assert counts[:-1].sum() == games
    assert chisquare(counts[:-1], games * np.array([*odds.values()])).pvalue > 0.001
    assert chisquare(counts[:-1], games * np.array([*uniform.values()])).pvalue < 1e-9


@pytest.mark.parametrize("spec", ["tic_tac_toe", "othello", WANDER])
@pytest.mark.quick_cases(1)
def test_whole_games_are_played(spec):
    """Plies are those of games to their end; or of games that were cut, if a limit is lower."""
    game = load(spec)
    patterns = patterns_of(spec)
    policies = policies_for(game, patterns, weights_for(patterns, 1))
    rollouts = pattern_rollouts(game, policies)
    state, actions = np.zeros(game.table.state_bytes, np.uint8), np.zeros(game.actions, np.int64)
    plies = play_games(game.table, rollouts, 50, game.plies, state, actions, generator(13))
    assert State(game, state).is_terminal
    assert 50 * 5 <= plies <= 50 * game.plies
    assert play_games(game.table, rollouts, 50, 3, state, actions, generator(13)) == 150
    assert not State(game, state).is_terminal


# Weights, passes, piles.


def test_faint_weights_are_dropped():
    game = load("tic_tac_toe")
    patterns = [[from_text("to f@1,0"), from_text("to e@1,0"), from_text("to -@1,0 -@-1,0")]] * 2
    just_below = np.nextafter(LEAST_WEIGHT, 0.0)
    weights = [np.array([just_below, -just_below, -LEAST_WEIGHT]), np.array([LEAST_WEIGHT, -just_below, just_below])]
    policies = policies_for(game, patterns, weights)
    assert LEAST_WEIGHT == 0.001
    kept = [0.0, 0.0, -LEAST_WEIGHT, LEAST_WEIGHT, 0.0, 0.0]
    assert policies.priors.tolist() == kept
    assert policies.factors == pytest.approx(np.exp(kept), abs=1e-15)
    assert policies.inverses == pytest.approx(np.exp(np.negative(kept)), abs=1e-15)
    assert set(np.unique(policies.ring_priors)) == {0.0, LEAST_WEIGHT}


def test_weights_written_anew_replace_the_old():
    game, patterns = load("teeko"), patterns_of("teeko")
    old, new = weights_for(patterns, 1), weights_for(patterns, 2)
    policies, fresh = policies_for(game, patterns, old), policies_for(game, patterns, new)
    write_weights(policies, new, new)
    for ours, theirs in zip(policies[1:], fresh[1:], strict=True):
        assert np.array_equal(ours, theirs)
    memory, other = (make_pattern_memory(game, policies.patterns) for _ in range(2))
    start_matching(policies, memory)
    start_matching(fresh, other)
    assert np.array_equal(memory.now.mass, other.now.mass)


def test_nothing_is_active_for_a_pass():
    game = load("go(size=3)")
    everything = atomic_patterns(game.board)
    weights = [np.full(len(everything), -0.3)] * 2
    policies = policies_for(game, [everything] * 2, weights)
    memory, pass_ = make_pattern_memory(game, policies.patterns), game.actions - 1
    state = game.start()
    for _ in range(3):
        update_from_empty(game.table, policies, memory, state.memory)
        actions = state.legal_actions()
        assert actions[-1] == pass_
        lists = active_lists(policies, memory.now, state.player, actions)
        assert lists[-1] == []
        assert min(map(len, lists[:-1])) > 5
        out = np.zeros(len(actions))
        policy_at(policies, memory, state.player, np.array(actions), out)
        assert out == pytest.approx(softmax(np.array([-0.3 * len(active) for active in lists])))
        assert out[-1] == out.max()
        state.apply(actions[0] if state.player == 0 else pass_)


def test_a_disc_is_looked_at_where_it_lands():
    game = load("connect_four")
    patterns = [from_text("to e@1,0"), from_text("to f@1,0"), from_text("to #@1,0")]
    policies = policies_for(game, [patterns] * 2, [np.zeros(3)] * 2)
    memory, state = make_pattern_memory(game, policies.patterns), game.start()
    state.apply(3)
    go_on(game.table, policies, memory, state.memory)
    here = active_lists(policies, memory.now, 1, range(7))
    assert here == [[2], [2], [0, 2], [0], [0, 2], [2], [2]]  # on the fourth column it lies above the floor
    state.apply(3)
    go_on(game.table, policies, memory, state.memory)
    here = active_lists(policies, memory.now, 0, range(7))
    assert here == [[2], [2], [1, 2], [0], [1, 2], [2], [2]]


def test_both_ends_of_a_move_are_looked_at():
    game = load("breakthrough(rows=5,columns=3)")
    board = game.board
    patterns = [Pattern(TO), Pattern(FROM), Pattern(TO, (), (0, -1)), Pattern(TO, (), (1, -1))]
    policies = policies_for(game, [patterns] * 2, [np.zeros(4)] * 2)
    memory, state = make_pattern_memory(game, policies.patterns), game.start()
    update_from_empty(game.table, policies, memory, state.memory)
    actions = state.legal_actions()
    straight = board.grid.shape[1]
    for action, active in zip(actions, active_lists(policies, memory.now, 0, actions), strict=True):
        assert active == [0, 1, 2 if board.targets[action] - board.origins[action] == straight else 3]


@pytest.mark.parametrize("own", [[], [from_text("to f@1,0 e@-1,0")], [from_text("to f@1,0")]])
def test_few_patterns_do_or_none(own):
    """Without any of one cell there are no rings, without others no instances."""
    game = load("tic_tac_toe")
    policies = policies_for(game, [own, []], [np.full(len(own), 0.5), np.zeros(0)])
    memory, state = make_pattern_memory(game, policies.patterns), game.start()
    for action in (0, 2):
        state.apply(action)
    update_from_empty(game.table, policies, memory, state.memory)
    actions = state.legal_actions()
    assert active_lists(policies, memory.now, 0, actions) == naive_active(own, state, 0, actions)
    assert active_lists(policies, memory.now, 1, actions) == [[]] * len(actions)
