"""The patterns of both players on one board, and their weights, as kernels read them.

Patterns of one cell are read off rings (`single_cell.py`); of all others the instances are kept (`instances.py`). Both
players' stand side by side in one set of arrays: player 1's sites, slots, instances and patterns follow player 0's, and
what they see of a cell, friend or enemy, is translated to who owns it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int8s, Int32s, Int64s
from forethought.board import NOWHERE, Board
from forethought.patterns.instances import Instances, above_cells, compile_patterns
from forethought.patterns.pattern import Pattern
from forethought.patterns.single_cell import OCCURRENCES, Rings, make_rings, place_of, ring_weights

STATES = 3  # of a cell: empty, player 0's, player 1's
SEEN_BY_SECOND = np.array([0, 2, 1])  # for player 1 the first player's pieces are the enemy's
FAINTEST = 0.001  # weights below are dropped in search


class Joined(NamedTuple):
    """The patterns of both players on one board. Instances and slots are of those that look at several cells."""

    rings: Rings
    cells: int
    sites: int  # of one player; the last is no site
    patterns: int  # of both players
    split: int  # of player 0
    stacks: bool
    carries: bool  # whether any action has an origin
    targets: Int64s  # [actions] sites of one player
    origins: Int64s  # [actions] sites of one player
    above: Int64s  # [cells] where a piece lands that finds the cell taken
    slot: Int32s  # [instances]
    slot_mass: Int32s  # [slots] 2 * site + player
    slot_pattern: Int32s  # [slots]
    site_begin: Int64s  # [2 * sites + 1] of slots; all of player 0's first
    gained: Int32s  # instances of which an element becomes true, by the change of a cell
    gained_begin: Int64s
    lost: Int32s  # instances of which one becomes false
    lost_begin: Int64s
    unmet: Int8s  # [instances] elements not true on an empty board
    met: Int8s  # [slots] instances without any, there


class Policies(NamedTuple):
    """Patterns with weights: those of priors, and those that play; player 1's follow player 0's."""

    patterns: Joined
    priors: Float64s  # [patterns]
    factors: Float64s  # [patterns] exp of the weights that play
    inverses: Float64s  # [patterns] of the factors
    ring_priors: Float64s  # [classes, occurrences, 2] the same for rings and both players
    ring_factors: Float64s
    ring_ratios: Float64s  # [classes, occurrences before and after, 2] of factors, as a ring changes


def join(patterns: Sequence[Sequence[Pattern]], board: Board) -> Joined:
    """Compile the patterns of both players and put them side by side."""
    numbers = [_of_several_cells(own, board) for own in patterns]
    first, second = (
        compile_patterns([own[number] for number in chosen], board)
        for own, chosen in zip(patterns, numbers, strict=True)
    )
    sites, instances, slots = len(first.site_begin) - 1, len(first.slot), len(first.slot_site)
    gained, gained_begin = _merged(first.gained, first.gained_begin, second.gained + instances, second.gained_begin)
    lost, lost_begin = _merged(first.lost, first.lost_begin, second.lost + instances, second.lost_begin)
    return Joined(
        rings=make_rings(patterns, board),
        cells=board.cells,
        sites=sites,
        patterns=sum(map(len, patterns)),
        split=len(patterns[0]),
        stacks=board.stacks,
        carries=bool((board.origins != NOWHERE).any()),
        targets=np.where(board.targets == NOWHERE, sites - 1, board.targets),
        origins=np.where(board.origins == NOWHERE, sites - 1, board.origins + board.cells),
        above=above_cells(board),
        slot=_chained(first.slot, second.slot, slots),
        slot_mass=_chained(2 * first.slot_site, 2 * second.slot_site, 1),
        slot_pattern=_chained(numbers[0][first.slot_pattern], numbers[1][second.slot_pattern], len(patterns[0])),
        site_begin=np.concatenate([first.site_begin[:-1], second.site_begin + slots]),
        gained=gained,
        gained_begin=gained_begin,
        lost=lost,
        lost_begin=lost_begin,
        unmet=np.concatenate([one.needed - one.on_empty for one in (first, second)]),
        met=np.concatenate([_met(first), _met(second)]),
    )


def _of_several_cells(patterns: Sequence[Pattern], board: Board) -> Int64s:
    """Return the numbers of the patterns that rings do not decide."""
    tiling = board.grid.tiling
    return np.array([i for i, pattern in enumerate(patterns) if place_of(pattern, tiling) is None], np.int64)


def make_policies(patterns: Joined) -> Policies:
    """Return policies of no opinion; weights are written later, and may be again."""
    count, rings = patterns.patterns, ring_weights(patterns.rings, np.zeros(patterns.patterns))
    single = (np.zeros(count), np.ones(count), np.ones(count))
    return Policies(patterns, *single, rings, rings + 1.0, np.ones((len(rings), OCCURRENCES * OCCURRENCES, 2)))


def write_weights(policies: Policies, priors: Sequence[Float64s], playing: Sequence[Float64s]) -> None:
    """Let policies have these weights, player by player; the faint ones count as none."""
    rings, played = policies.patterns.rings, _audible(np.concatenate(playing))
    policies.priors[:] = _audible(np.concatenate(priors))
    policies.factors[:], policies.inverses[:] = np.exp(played), np.exp(-played)
    policies.ring_priors[:] = ring_weights(rings, policies.priors)
    policies.ring_factors[:] = np.exp(ring_weights(rings, played))
    factors = policies.ring_factors
    policies.ring_ratios[:] = (factors[:, None] / factors[:, :, None]).reshape(policies.ring_ratios.shape)


def _audible(weights: Float64s) -> Float64s:
    return np.where(np.abs(weights) < FAINTEST, 0.0, weights)


def _chained(first: Int64s | Int32s, second: Int64s | Int32s, offset: int) -> Int32s:
    return np.concatenate([first, second + offset]).astype(np.int32)


def _met(instances: Instances) -> Int8s:
    """Count the instances of each slot that match on an empty board."""
    return np.bincount(
        instances.slot[instances.needed == instances.on_empty], minlength=len(instances.slot_site)
    ).astype(np.int8)


def _merged(first: Int32s, begin: Int64s, second: Int32s, second_begin: Int64s) -> tuple[Int32s, Int64s]:
    """Return two lists by change of a cell as one by change of its owner."""
    keys, seen = (np.repeat(np.arange(len(one) - 1), np.diff(one)) for one in (begin, second_begin))
    cell, before, after = seen // (STATES * STATES), seen // STATES % STATES, seen % STATES
    owned = (cell * STATES + SEEN_BY_SECOND[before]) * STATES + SEEN_BY_SECOND[after]
    every = np.concatenate([keys, owned])
    order = np.argsort(every, kind="stable")
    counts = np.bincount(every, minlength=len(begin) - 1)
    listed = np.concatenate([first, second])[order].astype(np.int32)
    return listed, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
