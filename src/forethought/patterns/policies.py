"""The patterns of both players on one board, and their weights, as arrays for kernels.

Patterns of one cell are evaluated by rings (`single_cell.py`), all others by their instances (`instances.py`). Both
players share one set of arrays: the sites, slots, instances and patterns of player 1 follow those of player 0, and
friend or enemy is translated to the owner of a cell.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int8s, Int32s, Int64s, UInt32s
from forethought.board import NOWHERE, Board
from forethought.patterns.instances import Instances, above_cells, compile_patterns
from forethought.patterns.pattern import Pattern
from forethought.patterns.single_cell import OCCURRENCES, Rings, make_rings, place_of, ring_weights

STATES = 3  # of a cell: empty, player 0's, player 1's
SEEN_BY_SECOND = np.array([0, 2, 1])  # for player 1, the pieces of player 0 are the enemy's
LEAST_WEIGHT = 0.001  # smaller ones are dropped in search


class Joined(NamedTuple):
    """The patterns of both players on one board. Instances and slots are those of patterns of several cells.

    Their numbers are unsigned, as those of `Rings`.
    """

    rings: Rings
    cells: int
    sites: int  # of one player; the last is no site
    patterns: int  # of both players
    split: int  # of player 0
    stacks: bool
    carries: bool  # whether any action has an origin
    targets: Int64s  # [actions] sites of one player
    origins: Int64s  # [actions] sites of one player
    above: Int64s  # [cells] where a piece comes to rest if the cell is taken
    slot: UInt32s  # [instances]
    slot_mass: UInt32s  # [slots] 2 * site + player
    slot_pattern: UInt32s  # [slots]
    site_begin: Int64s  # [2 * sites + 1] of slots; all of player 0's first
    gained: UInt32s  # instances of which one more element holds, by the change of a cell
    gained_begin: Int64s
    lost: UInt32s  # instances of which one element less holds
    lost_begin: Int64s
    unmet: Int8s  # [instances] number of elements that do not hold on an empty board
    met: Int8s  # [slots] number of instances whose elements all hold there


class Policies(NamedTuple):
    """Patterns with two sets of weights, for priors and for roll-outs; those of player 1 follow those of player 0."""

    patterns: Joined
    priors: Float64s  # [patterns]
    factors: Float64s  # [patterns] exp of the weights for roll-outs
    inverses: Float64s  # [patterns] of the factors
    ring_priors: Float64s  # [classes, occurrences, 2] the same for rings and both players
    ring_factors: Float64s
    ring_ratios: Float64s  # [classes, transitions, 2] of factors, as a ring changes; 1 where no kind comes or goes


def join(patterns: Sequence[Sequence[Pattern]], board: Board) -> Joined:
    """Lay out the patterns of both players in one set of arrays."""
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
    """Return the numbers of the patterns of several cells."""
    tiling = board.grid.tiling
    return np.array([i for i, pattern in enumerate(patterns) if place_of(pattern, tiling) is None], np.int64)


def make_policies(patterns: Joined) -> Policies:
    """Return policies with weights of 0; weights are set, any number of times, by `write_weights`."""
    count, rings = patterns.patterns, ring_weights(patterns.rings, np.zeros(patterns.patterns))
    single = (np.zeros(count), np.ones(count), np.ones(count))
    return Policies(patterns, *single, rings, rings + 1.0, np.ones((len(rings), OCCURRENCES * OCCURRENCES, 2)))


def write_weights(policies: Policies, priors: Sequence[Float64s], playing: Sequence[Float64s]) -> None:
    """Set the weights of each player; those close to 0 are dropped."""
    rings, played = policies.patterns.rings, _without_small(np.concatenate(playing))
    policies.priors[:] = _without_small(np.concatenate(priors))
    policies.factors[:], policies.inverses[:] = np.exp(played), np.exp(-played)
    policies.ring_priors[:] = ring_weights(rings, policies.priors)
    policies.ring_factors[:] = np.exp(ring_weights(rings, played))
    factors = policies.ring_factors
    policies.ring_ratios[:] = (factors[:, :, None] / factors[:, None]).reshape(policies.ring_ratios.shape)


def _without_small(weights: Float64s) -> Float64s:
    return np.where(np.abs(weights) < LEAST_WEIGHT, 0.0, weights)


def _chained(first: Int64s | Int32s, second: Int64s | Int32s, offset: int) -> UInt32s:
    return np.concatenate([first, second + offset]).astype(np.uint32)


def _met(instances: Instances) -> Int8s:
    """Count the instances of each slot that match on an empty board."""
    return np.bincount(
        instances.slot[instances.needed == instances.on_empty], minlength=len(instances.slot_site)
    ).astype(np.int8)


def _merged(first: Int32s, begin: Int64s, second: Int32s, second_begin: Int64s) -> tuple[UInt32s, Int64s]:
    """Merge two lists by change of a cell into one by change of its owner."""
    keys, seen = (np.repeat(np.arange(len(one) - 1), np.diff(one)) for one in (begin, second_begin))
    cell, before, after = seen // (STATES * STATES), seen // STATES % STATES, seen % STATES
    owned = (cell * STATES + SEEN_BY_SECOND[before]) * STATES + SEEN_BY_SECOND[after]
    every = np.concatenate([keys, owned])
    order = np.argsort(every, kind="stable")
    counts = np.bincount(every, minlength=len(begin) - 1)
    listed = np.concatenate([first, second])[order].astype(np.uint32)
    return listed, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
