"""Growth: pairs counted and scored as a slow reference does, and planted errors found."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from forethought.board import Board
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games import load
from forethought.patterns import growth
from forethought.patterns.atomic import atomic_patterns
from forethought.patterns.growth import Cases, best_pair, count_unions, union_pattern, union_scores
from forethought.patterns.instances import activity, cells_of, compile_patterns, targets_of
from forethought.patterns.pair_counts import MOST_IMAGES, MOST_PAIRS
from forethought.patterns.pattern import Pattern, canonical, images
from forethought.patterns.text import from_text, to_text
from forethought.randomness import generator, word
from tests.naive.patterns import holds, naive_score, naive_unions
from tests.patterns.samples import QUICK_GAMES, positions, random_pattern
from tests.tiers import others_slow

USERS_GAME = str(Path(__file__).with_name("wander.py"))


def make_cases(game: Game, count: int, every: int, most_actions: int = 1000) -> Cases:
    """Take some positions of a random game, and some legal actions of each, with errors drawn at random."""
    board, rng = game.board, np.random.default_rng(5)
    cells, position, target, origin = [], [], [], []
    for number, state in enumerate(islice(positions(game, seed=3, every=every), 1, count + 1)):
        cells.append(cells_of(board, state.facts(state.player)))
        actions = rng.permutation(state.legal_actions())[:most_actions]
        position += [number] * len(actions)
        target += targets_of(board, cells[-1], actions).tolist()
        origin += board.origins[actions].tolist()
    error = rng.normal(size=len(target))
    return Cases(np.array(cells), np.array(position), np.array(target), np.array(origin), error)


def few_patterns(board: Board, count: int) -> list[Pattern]:
    """Return different patterns, atomic ones and others, none of which holds in too many images."""
    rng = np.random.default_rng(8)
    made = [random_pattern(rng, board) for _ in range(count)] + atomic_patterns(board)[1::5]
    return list(dict.fromkeys(canonical(pattern, board.grid.tiling) for pattern in made))[: 2 * count]


@pytest.mark.parametrize(
    "spec",
    others_slow(
        ["tic_tac_toe", "hex(size=5)", "teeko", "fanorona", USERS_GAME, "connect_four"], (*QUICK_GAMES, USERS_GAME)
    ),
)
@pytest.mark.quick_cases(2)
def test_counts_scores_and_winner_are_those_of_the_reference(spec):
    game = load(spec, compiled=False)
    board = game.board
    cases, patterns = make_cases(game, 4, every=3, most_actions=4), few_patterns(board, 8)
    expected, singles = naive_unions(cases, patterns, board)
    weights = np.zeros(len(patterns))
    found = count_unions(cases, patterns, weights, board, generator(1))
    made = [union_pattern(found, number, cases, patterns, board) for number in range(len(found.times))]
    assert made == list(expected)  # in the order in which they were first seen, too
    assert len(made) > 20
    assert found.part_times.tolist() == [len(single.cases) for single in singles]
    assert found.times.tolist() == [len(union.cases) for union in expected.values()]
    assert found.parts.tolist() == [list(union.parts) for union in expected.values()]
    assert found.error == pytest.approx([union.error for union in expected.values()])
    scores = [naive_score(union, singles, cases.error.tolist()) for union in expected.values()]
    assert union_scores(found, cases.error) == pytest.approx(scores)
    winner, score = best_pair(cases, patterns, weights, board, generator(1))
    assert score == pytest.approx(max(scores))
    assert scores[made.index(winner)] == pytest.approx(score)


def test_moves_make_unions_of_both_cells():
    game = load("teeko", compiled=False)
    cases = make_cases(game, 2, every=10)
    patterns = [from_text(text) for text in ("to -@-1,0", "from -@-1,0", "from", "to")]
    found = count_unions(cases, patterns, np.zeros(4), game.board, generator(1))
    made = [union_pattern(found, number, cases, patterns, game.board) for number in range(len(found.times))]
    assert canonical(from_text("to o@1,0"), "square") in made
    assert {pattern.origin is None for pattern in made} == {True, False}
    assert not set(made) & set(patterns)
    assert len(set(made)) == len(made)


def test_the_heaviest_are_kept_and_chance_decides_between_equals():
    """With too many images the reference must find what holds among those kept, and only there."""
    game = load("gomoku(size=9)", compiled=False)
    board = game.board
    patterns = atomic_patterns(board)
    cases = make_cases(game, 1, every=20, most_actions=1)
    weights = np.round(np.random.default_rng(2).normal(size=len(patterns)), 0)  # many are equal
    listed = [(number, image) for number, pattern in enumerate(patterns) for image in images(pattern, "square")]
    target = int(cases.target[0])
    active = [number for number, image in listed if holds(image, board, cases.cells[0], target, -1)]
    assert len(active) > MOST_IMAGES
    rng = generator(4)
    ties = [int(word(rng)) for _ in active]
    order = sorted(range(len(active)), key=lambda i: (abs(weights[active[i]]), ties[i]), reverse=True)
    kept = {active[i] for i in order[:MOST_IMAGES]}
    found = count_unions(cases, patterns, weights, board, generator(4))
    assert np.flatnonzero(found.part_times).tolist() == sorted(kept) != sorted(set(active))


PLANTED = {
    "gomoku(size=9)": "to f@-1,0 f@1,0",  # two images of one pattern
    "hex(size=5)": "to e@-1,0 f@0,-1",
    "yavalath(side=4)": "to f@-1,0 #@1,0",
    "teeko": "to o@1,0 f@-1,0",
    "fanorona": "to o@1,0 e@-1,0 f@2,0",
    "breakthrough(rows=6,columns=5)": "from e@0,1 #@1,0",
}


@pytest.mark.parametrize("spec", PLANTED)
def test_a_planted_error_is_found(spec):
    """Cells are drawn at random, so that nothing but the pattern goes along with the error."""
    board = load(spec, compiled=False).board
    planted = canonical(from_text(PLANTED[spec]), board.grid.tiling)
    instances = compile_patterns([planted], board)
    rng = np.random.default_rng(11)
    cells = rng.choice(3, (60, board.cells), p=(0.6, 0.2, 0.2)).astype(np.int8)
    actions = rng.integers(np.count_nonzero(board.targets >= 0), size=(60, 20))
    active = np.concatenate([activity(instances, board, *each)[:, 0] for each in zip(cells, actions, strict=True)])
    assert active.sum() > 10
    chosen = actions.ravel()
    error = np.where(active, -1.0, 0.25)
    cases = Cases(cells, np.repeat(np.arange(60), 20), board.targets[chosen], board.origins[chosen], error)
    patterns = [p for p in atomic_patterns(board) if not any(e.negated or min(e[:2]) < -1 for e in p.elements)]
    winner, score = best_pair(cases, patterns, np.zeros(len(patterns)), board, generator(6))
    assert to_text(winner) == to_text(planted)
    assert score > 0.1


def test_what_was_found_is_a_pattern_from_then_on():
    game = load("hex(size=5)", compiled=False)
    cases = make_cases(game, 5, every=3)
    patterns = atomic_patterns(game.board)[1:30:3]
    scores = []
    for _ in range(4):
        winner, score = best_pair(cases, patterns, np.zeros(len(patterns)), game.board, generator(7))
        assert winner not in patterns
        assert canonical(winner, "hex") == winner
        patterns.append(winner)
        scores.append(score)
    assert min(scores) > 0


def test_little_room_is_made_larger(monkeypatch):
    game = load("gomoku(size=9)", compiled=False)
    cases, patterns = make_cases(game, 3, every=9), few_patterns(game.board, 90)
    weights = np.zeros(len(patterns))
    at_once = count_unions(cases, patterns, weights, game.board, generator(9))
    assert len(at_once.times) > 2 * MOST_PAIRS
    monkeypatch.setattr(growth, "FIRST_ROOM", 1)
    for one, other in zip(at_once, count_unions(cases, patterns, weights, game.board, generator(9)), strict=True):
        assert np.array_equal(one, other)


def test_nothing_is_found_where_nothing_is_wrong_or_nothing_can_be_paired():
    game = load("tic_tac_toe", compiled=False)
    cases, patterns = make_cases(game, 3, every=1), atomic_patterns(game.board)
    board, none = game.board, (None, 0.0)
    right = cases._replace(error=np.zeros(len(cases.error)))
    assert best_pair(right, patterns, np.zeros(len(patterns)), board, generator(1)) == none
    assert best_pair(cases, patterns[:1], np.zeros(1), board, generator(1)) == none
    assert best_pair(cases, [], np.zeros(0), board, generator(1)) == none
    passes = cases._replace(target=np.full(len(cases.error), -1))
    assert best_pair(passes, patterns, np.zeros(len(patterns)), board, generator(1)) == none


def test_twins_are_refused():
    game = load("tic_tac_toe", compiled=False)
    twins = [from_text("to f@1,0"), from_text("to f@0,1")]
    with pytest.raises(ForethoughtError, match="images of each other"):
        count_unions(make_cases(game, 1, every=1), twins, np.zeros(2), game.board, generator(1))
