"""The patterns to begin with: a move's target, or its origin, with at most one cell near it.

The cells are those within two steps, and those three and four steps straight ahead. Steps go to neighbours: across
edges on squares and hexagons, along all eight lines on points.
"""

from collections.abc import Iterator

import numpy as np

from forethought.arrays import Bools
from forethought.board import NOWHERE, Board
from forethought.board.grids import EIGHT_WAYS, SIX_WAYS
from forethought.errors import ForethoughtError
from forethought.game import Game, State
from forethought.patterns.instances import activity, cells_of, compile_patterns
from forethought.patterns.pattern import ANCHORS, KINDS, TO, Element, Offset, Pattern, canonical

STEPS = {"square": EIGHT_WAYS[::2], "hex": SIX_WAYS, "point": EIGHT_WAYS}
LONGEST_BENT, LONGEST_STRAIGHT = 2, 4

SEED = 7
GAMES = 40
POSITIONS = 8  # of each game
ENOUGH_CASES = 50  # with a pattern active, before it counts as a duplicate of another


def starting_patterns(game: Game) -> tuple[Pattern, ...]:
    """Return the informative atomic patterns: none that is never or always active, and no duplicates.

    Duplicates are patterns that are active for exactly the same actions in random games, always the same ones; the
    simpler one stays.
    """
    if game.board is None:
        raise ForethoughtError(f"{game.name} has no board to look for patterns on; choose a board game.")
    patterns = atomic_patterns(game.board)
    possible = set(compile_patterns(patterns, game.board).slot_pattern.tolist())
    active = _activity_in_random_games(game, game.board, patterns)
    times = active.sum(axis=0)
    seen: set[bytes] = set()
    chosen = []
    for number, pattern in enumerate(patterns):
        cases = active[:, number].tobytes()
        telling = times[number] < ENOUGH_CASES or (times[number] < len(active) and cases not in seen)
        if number in possible and telling:
            chosen.append(pattern)
        seen.add(cases)
    return tuple(chosen)


def atomic_patterns(board: Board) -> list[Pattern]:
    """List all patterns of no cell or one, simplest first; those around an origin only where actions have one."""
    has_origins = (
        board.origins != NOWHERE
    ).any() and not board.stacks  # where pieces are stacked, none comes from a cell
    anchors = ANCHORS if has_origins else (TO,)
    around = [
        Pattern(anchor, (Element(*offset, kind, negated),))
        for offset in _offsets(board.grid.tiling)
        for anchor in anchors
        for negated in (False, True)
        for kind in KINDS
    ]
    return [*map(Pattern, anchors), *dict.fromkeys(canonical(pattern, board.grid.tiling) for pattern in around)]


def _offsets(tiling: str) -> list[Offset]:
    """List the offsets of the cells, nearer ones first."""
    steps = STEPS[tiling]
    ends: list[Offset] = [(0, 0)]
    found = [*ends]
    for length in range(1, LONGEST_STRAIGHT + 1):
        if length <= LONGEST_BENT:
            ends = [(right + step[0], up + step[1]) for right, up in ends for step in steps]
        else:
            ends = [(length * right, length * up) for right, up in steps]
        found += ends
    return list(dict.fromkeys(found))


def _activity_in_random_games(game: Game, board: Board, patterns: list[Pattern]) -> Bools:
    """Return which patterns are active [cases, patterns] for the legal actions of some positions."""
    instances = compile_patterns(patterns, board)
    rng = np.random.default_rng(SEED)
    return np.concatenate(
        [
            activity(instances, board, cells_of(board, state.facts(state.player)), state.legal_actions())
            for _ in range(GAMES)
            for state in _some(list(_random_game(game, rng)), rng)
        ]
    )


def _some(states: list[State], rng: np.random.Generator) -> list[State]:
    chosen = rng.permutation(len(states))[:POSITIONS]
    return [states[number] for number in chosen]


def _random_game(game: Game, rng: np.random.Generator) -> Iterator[State]:
    """Play at random; yield the positions in which a player decides."""
    state = game.start()
    while not state.is_terminal:
        if not state.is_chance:
            yield state.clone()
        state.apply(int(rng.choice(state.legal_actions(), p=state.chance() or None)))
