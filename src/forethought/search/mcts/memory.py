"""What the kernels of tree search work on: the rule of the search, the roots of its trees, and the walks that wait."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.game import Game
from forethought.nets.questions import Questions, make_questions
from forethought.randomness import Generator
from forethought.search.mcts.tree import NO_NODE

NO_TREE = -1


class Rule(NamedTuple):
    """How edges are selected, and what the value of a leaf is."""

    selection: int  # UCB1 or PUCT
    exploration: float
    pessimistic: bool  # first-play urgency: a loss; otherwise the mean of the parent
    virtual_loss: int  # visits that a waiting walk has lost
    expansion_threshold: int  # visits to a position before walks go on beyond it
    prior_temperature: float
    asks: bool  # whether leaves get priors, from an evaluator or from the roll-out policy
    rollout_weight: float  # of a roll-out in the value of a leaf; the rest is the evaluator's
    rollout_limit: int  # plies after which a roll-out counts as a draw
    solves: bool  # whether proven wins and losses are backed up
    width: int  # walks of one tree that may wait at the same time
    growth: int  # nodes that one walk may add and expand
    foreseen: int  # nodes that one walk may add because they are proven to lose
    worth: float  # the return of an evaluator's value of 1


class Trees(NamedTuple):
    """The roots of the trees, and how many walks each is searched for."""

    states: Bytes  # [trees, state_bytes] of the roots
    roots: Int64s  # [trees] or NO_NODE
    begun: Int64s  # [trees] walks
    end: Int64s  # [trees] number of walks to reach
    opened: Int64s  # [trees] walks begun before the root was expanded
    noise: Float64s  # [trees, choices] Gumbel noise of the root's actions
    schedule: Int64s  # [trees, walks] visits of the root's actions that each walk may select; empty: any
    scale: Float64s  # [trees, 1] the largest absolute return so far, at least 1
    rngs: npt.NDArray[np.uint64]  # [trees, 4]


class TreeWalks(NamedTuple):
    """The walks that wait: their paths, and what they ask."""

    questions: Questions
    entered: Int64s  # [1] the tree from whose root the roll-out policy was last begun, or NO_TREE
    tree: Int64s  # [slots]
    leaf: Int64s  # [slots] or NO_NODE, if it could not be added
    length: Int64s  # [slots]
    nodes: Int64s  # [slots, plies]
    edges: Int64s  # [slots, plies]
    returns: Float64s  # [players] of a finished walk
    seats: Float64s  # [players] an evaluator's values by seat
    weights: Float64s  # [choices] probabilities of chance
    ahead: Bytes  # [2, state_bytes] positions one and two actions ahead


def make_tree_walks(game: Game, slots: int, values: int) -> TreeWalks:
    return TreeWalks(
        make_questions(game, slots, values),
        np.full(1, NO_TREE, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros((slots, game.plies), np.int64),
        np.zeros((slots, game.plies), np.int64),
        np.zeros(game.players),
        np.zeros(game.players),
        np.zeros(game.table.choices),
        np.zeros((2, game.table.state_bytes), np.uint8),
    )


def make_trees(game: Game, rngs: Sequence[Generator]) -> Trees:
    count = len(rngs)
    return Trees(
        np.zeros((count, game.table.state_bytes), np.uint8),
        np.full(count, NO_NODE, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, game.table.choices)),
        np.zeros((count, 0), np.int64),
        np.ones((count, 1)),
        np.array(rngs, np.uint64),
    )
