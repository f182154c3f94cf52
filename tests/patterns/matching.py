"""Patterns and weights for tests of which patterns match, and what a slow reference says of them."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from forethought.board import Board
from forethought.errors import ForethoughtError
from forethought.game import Game, State
from forethought.games import load
from forethought.patterns.atomic import atomic_patterns
from forethought.patterns.incremental import ActivePatterns, list_active
from forethought.patterns.pattern import Pattern, combined
from forethought.patterns.policies import Policies, join, make_policies, write_weights
from tests.naive.patterns import is_active, turned_patterns
from tests.patterns.samples import random_pattern

Reals = np.ndarray[Any, np.dtype[np.float64]]


def random_union(rng: np.random.Generator, board: Board) -> Pattern:
    """Return two atomic patterns, each turned at random, as one; those around both ends of a move among them."""
    atoms, moves = atomic_patterns(board), np.flatnonzero(board.origins >= 0)
    while True:
        chosen = [atoms[place] for place in rng.integers(len(atoms), size=2)]
        one, other = (turned_patterns(atom, board.grid.tiling)[rng.integers(8)] for atom in chosen)
        shift = None
        if len(moves):
            action = rng.choice(moves)
            (x, y), (to_x, to_y) = (board.grid.places[cells[action]] for cells in (board.origins, board.targets))
            shift = x - to_x, y - to_y
        try:
            return combined(one, other, shift)
        except ForethoughtError:  # they ask for two things at once
            continue


@cache
def patterns_of(spec: str) -> tuple[tuple[Pattern, ...], tuple[Pattern, ...]]:
    """Return patterns of one cell and of several for each player, not the same, and not as many."""
    board, rng = load(spec).board, np.random.default_rng(5)
    atoms = atomic_patterns(board)
    first = [*atoms[::9], *(random_union(rng, board) for _ in range(10)), random_pattern(rng, board)]
    second = [*(random_pattern(rng, board) for _ in range(7)), *atoms[4::11], random_union(rng, board)]
    return tuple(first), tuple(second)


def weights_for(patterns: Sequence[Sequence[Pattern]], seed: int, spread: float = 0.5) -> list[Reals]:
    rng = np.random.default_rng(seed)
    return [rng.normal(0.0, spread, len(own)) for own in patterns]


def policies_for(
    game: Game, patterns: Sequence[Sequence[Pattern]], priors: list[Reals], playing: Any = None
) -> Policies:
    policies = make_policies(join(patterns, game.board))
    write_weights(policies, priors, priors if playing is None else playing)
    return policies


def seen_by(player: int, state: State) -> list[int]:
    """List the cells as a player sees them."""
    cells = [0] * state.game.board.cells
    for fact in state.facts(player):
        if fact < 2 * len(cells):
            cells[fact % len(cells)] = 1 + fact // len(cells)
    return cells


def naive_active(patterns: Sequence[Pattern], state: State, player: int, actions: Sequence[int]) -> list[list[int]]:
    """List the numbers of the patterns that are active for each action."""
    board, cells = state.game.board, seen_by(player, state)
    return [[i for i, one in enumerate(patterns) if is_active(one, board, cells, action)] for action in actions]


def softmax(logits: Reals) -> Reals:
    risen = np.exp(logits - logits.max())
    return risen / risen.sum()


def naive_policy(patterns: Sequence[Pattern], weights: Reals, state: State) -> Reals:
    listed = naive_active(patterns, state, state.player, state.legal_actions())
    return softmax(np.array([sum(weights[i] for i in active) for active in listed]))


def active_lists(policies: Policies, active: ActivePatterns, player: int, actions: Sequence[int]) -> list[list[int]]:
    """Ask `list_active`; in order, as a list may have any."""
    out, ends = np.zeros(len(actions) * policies.patterns.patterns, np.int64), np.zeros(len(actions), np.int64)
    count = list_active(policies.patterns, active, player, np.array(actions), out, ends)
    assert count == ends[-1]
    return [sorted(out[begin:end].tolist()) for begin, end in pairwise([0, *ends.tolist()])]
