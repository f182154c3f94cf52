"""Positions of random games and patterns made at random, for all tests of patterns."""

from collections.abc import Iterator

import numpy as np

from forethought.board import Board
from forethought.game import Game, State
from forethought.patterns.pattern import EMPTY, FROM, KINDS, TO, Element, Pattern

BOARD_GAMES = (
    "breakthrough(rows=6,columns=5)",
    "connect_four",
    "fanorona",
    "go(size=5)",
    "gomoku(size=9)",
    "hex(size=5)",
    "knightthrough(rows=6,columns=5)",
    "othello",
    "teeko",
    "tic_tac_toe",
    "yavalath(side=4)",
)
# Columns, captures along lines, captures of groups, hexagons, and the smallest: for `make test`.
QUICK_GAMES = ("connect_four", "fanorona", "go(size=5)", "hex(size=5)", "tic_tac_toe")


def positions(game: Game, seed: int, every: int = 1) -> Iterator[State]:
    """Play one random game; yield its first position and every so manieth after it."""
    rng, state, ply = np.random.default_rng(seed), game.start(), 0
    while not state.is_terminal:
        if ply % every == 0:
            yield state.clone()
        state.apply(int(rng.choice(state.legal_actions())))
        ply += 1


def seen_cells(state: State, board: Board) -> list[int]:
    """List the cells as the player to move sees them."""
    cells = [EMPTY] * board.cells
    for fact in state.facts(state.player):
        if fact < 2 * board.cells:
            cells[fact % board.cells] = 1 + fact // board.cells
    return cells


def random_pattern(rng: np.random.Generator, board: Board) -> Pattern:
    """Return up to three elements near an anchor; the origin, if one is asked for, is that of some action."""
    places = rng.permutation([(x, y) for x in range(-2, 3) for y in range(-2, 3)])[: rng.integers(4)].tolist()
    elements = [Element(*place, int(rng.choice(KINDS)), bool(rng.random() < 0.6)) for place in places]
    if elements and elements[0].negated:  # two things that the same cell must not be
        elements.append(elements[0]._replace(kind=(elements[0].kind + 1) % len(KINDS)))
    moves = np.flatnonzero(board.origins >= 0)
    how = rng.integers(3) if len(moves) else 0
    if how < 2:
        return Pattern((TO, FROM)[how], tuple(elements))
    action = rng.choice(moves)
    (x, y), (to_x, to_y) = (board.grid.places[cells[action]] for cells in (board.origins, board.targets))
    return Pattern(TO, tuple(elements), (x - to_x, y - to_y))
