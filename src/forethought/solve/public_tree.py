"""Exact best responses without a tree in memory, for games in which only the deal is hidden.

In such a game all chance comes first and everything after it is public. An information set is then a *hand*, what a
player knows of the deal, at a node of the *public tree*. One depth-first traversal of that tree passes down the reach
probability of each hand of either player under the policy, and returns what each hand wins with a best response: the
maximum where its owner acts, the sum where the other does. Memory grows with the depth of the tree, not its size.

An executor divides the work: subtrees below a certain depth, the *frontier*, are traversed separately, and then the top
of the tree with their values. Sums are taken in that order, whichever subtree is finished first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int64s
from forethought.game import Game
from forethought.games.reference import GameReference, reference_to
from forethought.nets.questions import make_questions
from forethought.runtime.executor import Executor, Stopping
from forethought.solve.policies import is_uniform, uniform_table
from forethought.solve.public_deals import Deals, examine, first_deal
from forethought.solve.public_walk import Frontier, PublicStack, Task, walk

SUBTREES = 300  # enough to balance the load of workers although some are much larger than others

Progress = Callable[[float], None]


class PublicTreeResult(NamedTuple):
    """What best responses win against a policy, and the policy against itself."""

    best_response: tuple[float, float]  # what each player can win against the other's policy
    value: float  # what player 0 wins if both follow the policy
    nodes: int  # of the public tree
    infosets: int


@dataclass(frozen=True)
class WalkTask:
    """The same as plain data."""

    reference: GameReference
    deals: Deals
    policy: Any  # answers in kernels: a table, or a compiled network

    @property
    def game(self) -> Game:
        return self.reference.game

    @property
    def for_kernels(self) -> Task:
        return Task(self.game.table, self.deals, self.policy, is_uniform(self.policy))


class SubtreeJob(NamedTuple):
    """A subtree to traverse."""

    task: WalkTask
    number: int
    path: Int64s

    @property
    def described(self) -> str:
        return f"subtree {self.number} of {self.task.reference.spec}, path {self.path.tolist()}"


class Subtree(NamedTuple):
    """The result of a subtree."""

    values: Float64s  # [players, hands]
    sums: tuple[float, int, int]  # the policy's value, nodes, information sets


def is_public_tree(game: Game) -> str | None:
    """Return None if only the deal is hidden in a game, otherwise the reason why not.

    All deals and random plays are tested, so very rare exceptions can be missed.
    """
    return examine(game).reason


def best_responses(game: Game, policy: Any, executor: Executor, progress: Progress | None = None) -> PublicTreeResult:
    """Return what a best response of each player wins against the policy; the game must be a public tree.

    The policy answers inside kernels: a table, or a compiled network, which is asked about all hands of a node at once.
    """
    reason, deals = examine(game)
    if deals is None:
        raise game.mistake(f"best responses cannot be found along a public tree: {reason}")
    task = WalkTask(reference_to(game), deals, policy)
    frontier = _frontier(task)
    below = _walk_subtrees(task, frontier, executor, progress)
    top = _walk_top(task, frontier)
    first, second = (float(top.values[0, i, : deals.hands[i]].sum()) for i in range(2))
    value, nodes, infosets = below + np.array((top.total[0], top.nodes[0], top.infosets[0]))
    return PublicTreeResult((first, second), float(value), int(nodes), int(infosets))


def _make_stack(task: WalkTask) -> PublicStack:
    """Return a stack at the root, where every hand has reach probability 1."""
    game, deals = task.game, task.deals
    depths, choices, hands = game.plies + 1, game.table.choices, int(deals.hands.max())
    words = np.zeros((depths * deals.kept, deals.words.shape[1]), np.uint64)
    words[: deals.kept] = deals.words[: deals.kept]
    made_words = deals.words.copy()
    return PublicStack(
        words.view(np.uint8),
        words,
        made_words.view(np.uint8),
        made_words,
        np.zeros(depths, np.int64),
        np.zeros((depths, choices), np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros((depths, hands, choices)),
        np.ones((depths, 2, hands)),
        np.zeros((depths, 2, hands)),
        make_questions(game, hands),
        task.policy.scratch(hands),
        np.zeros(game.players),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1),
    )


def _make_frontier(deals: Deals, subtrees: int, depth: int) -> Frontier:
    values = np.zeros((subtrees, 2, int(deals.hands.max())))
    return Frontier(np.zeros((subtrees, depth), np.int64), values, np.zeros(1, np.int64))


def _frontier(task: WalkTask) -> Frontier:
    """Find a depth with many subtrees, and the paths to them; no subtrees if the tree is small."""
    depth = subtrees = 0
    while depth == 0 or (depth < task.game.plies and 0 < subtrees < SUBTREES):
        depth += 1
        counting = _make_frontier(task.deals, 0, depth)
        _walk_top(task, counting)
        subtrees = int(counting.used[0])
    frontier = _make_frontier(task.deals, subtrees, depth)
    _walk_top(task, frontier)
    return frontier


def _walk_top(task: WalkTask, frontier: Frontier) -> PublicStack:
    """Traverse the tree down to the frontier: paths are written to it, values are read from it."""
    stack = _make_stack(task)
    frontier.used[0] = 0
    walk(task.for_kernels, stack, frontier, np.zeros(0, np.int64), frontier.paths.shape[1])
    return stack


def _walk_subtrees(task: WalkTask, frontier: Frontier, executor: Executor, progress: Progress | None) -> Float64s:
    """Write the values of the subtrees, the largest first; return the policy's value, nodes, information sets."""
    sizes = _sizes(task, frontier, executor)
    found, done = np.zeros((len(sizes), 3)), 0
    for job, subtree in executor.map(walk_subtree, _jobs(task, frontier, np.argsort(-sizes, kind="stable"))):
        frontier.values[job.number] = subtree.values
        found[job.number] = subtree.sums
        done += sizes[job.number]
        if progress:
            progress(done / sizes.sum())
    return np.asarray(found.sum(axis=0))


def _sizes(task: WalkTask, frontier: Frontier, executor: Executor) -> Int64s:
    """Count the nodes of each subtree with one deal: a few percent of the work."""
    alone = WalkTask(task.reference, first_deal(task.deals), uniform_table())
    sizes = np.zeros(len(frontier.paths), np.int64)
    for job, subtree in executor.map(walk_subtree, _jobs(alone, frontier, np.arange(len(sizes)))):
        sizes[job.number] = subtree.sums[1]
    return sizes


def _jobs(task: WalkTask, frontier: Frontier, order: Int64s) -> Iterator[SubtreeJob]:
    return (SubtreeJob(task, n, frontier.paths[n]) for n in order.tolist())


def walk_subtree(job: SubtreeJob, _stopping: Stopping) -> Subtree:
    """Traverse the subtree below a path. A task for an executor."""
    stack, depth = _make_stack(job.task), len(job.path)
    nothing = _make_frontier(job.task.deals, 0, depth)  # no game goes deeper than its plies
    walk(job.task.for_kernels, stack, nothing, job.path, job.task.game.plies)
    return Subtree(stack.values[depth], (float(stack.total[0]), int(stack.nodes[0]), int(stack.infosets[0])))
