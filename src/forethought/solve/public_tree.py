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
import numpy.typing as npt

from forethought.arrays import Float64s, Int64s
from forethought.compiler import kernel, pointer, row_pointer
from forethought.game import TERMINAL, Game, Table
from forethought.games.reference import GameReference, reference_to
from forethought.nets.evaluator import answer
from forethought.nets.questions import Questions, make_questions
from forethought.runtime.executor import Executor, Stopping
from forethought.solve.policies import is_uniform, uniform_table
from forethought.solve.public_deals import Deals, examine, first_deal

SUBTREES = 300  # enough to balance the load of workers although some are much larger than others

Progress = Callable[[float], None]


class PublicTreeResult(NamedTuple):
    """What best responses win against a policy, and the policy against itself."""

    best_response: tuple[float, float]  # what each player can win against the other's policy
    value: float  # what player 0 wins if both follow the policy
    nodes: int  # of the public tree
    infosets: int


class PublicStack(NamedTuple):
    """The memory of one traversal: a row for each depth of the public tree, and scratch memory."""

    records: npt.NDArray[np.uint8]  # [depth * kept, row_bytes] of the kept deals
    words: npt.NDArray[np.uint64]  # [depth * kept, row_words] the same memory
    made: npt.NDArray[np.uint8]  # [deals, row_bytes] of all deals, made when needed
    made_words: npt.NDArray[np.uint64]  # [deals, row_words] the same memory
    player: Int64s  # [depth] who acts
    actions: Int64s  # [depth, choices]
    open: Int64s  # [depth] number of actions to traverse: 0 at the end of the game and at the frontier
    tried: Int64s  # [depth] number of actions that have been traversed
    chances: Float64s  # [depth, hands, choices] the policy
    reach: Float64s  # [depth, players, hands] reach probability of a hand under the policy
    values: Float64s  # [depth, players, hands] value of a best response, times the reach of all others
    questions: Questions  # a row for each hand of the player who acts
    scratch: Any  # the policy's
    returns: Float64s
    nodes: Int64s  # [1] counted
    infosets: Int64s  # [1] counted
    total: Float64s  # [1] what player 0 wins if both follow the policy


class Frontier(NamedTuple):
    """Subtrees at one depth, in the order of the traversal; those beyond the room are only counted."""

    paths: Int64s  # [subtrees, depth] the place of each action among the legal ones
    values: Float64s  # [subtrees, players, hands]
    used: Int64s  # [1]


class Task(NamedTuple):
    """What is traversed, for kernels."""

    game: Table
    deals: Deals
    policy: Any
    uniform: bool  # whether it need not be asked


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


# The work at every node is in one kernel, and its helpers take few arrays: passing the whole stack several times per
# node took a third of the time.


@kernel
def walk(task: Task, stack: PublicStack, frontier: Frontier, path: Int64s, stop: int) -> None:
    """Traverse everything below a path from the root; subtrees at depth `stop` have the values of the frontier."""
    game, hands, kept = task.game, task.deals.hands, task.deals.kept
    root, depth, opening = len(path), 0, True
    stack.nodes[0] = stack.infosets[0] = 0
    stack.total[0] = 0.0
    while True:
        if opening:  # a new node: who acts, what is legal, what does the policy play
            record = row_pointer(stack.records, depth * kept)  # all deals agree on what is public
            player = game.player(record)
            stack.player[depth] = player
            stack.open[depth] = 0
            stack.tried[depth] = path[depth] if depth < root else 0
            clear(hands, stack.values, player, depth)
            if player == TERMINAL:
                settle(task, stack, depth)
                stack.nodes[0] += 1
            elif depth == stop:
                use_frontier(stack.values, stack.tried, frontier, depth)
            else:
                stack.open[depth] = game.legal(record, row_pointer(stack.actions, depth))
                consult(task, stack, depth)
                stack.nodes[0] += depth >= root
                stack.infosets[0] += hands[player] if depth >= root else 0
        choice = stack.tried[depth]
        opening = choice < stack.open[depth]
        if opening:  # play the next action
            for deal in range(depth * kept, (depth + 1) * kept):
                for word in range(stack.words.shape[1]):
                    stack.words[deal + kept, word] = stack.words[deal, word]
                game.apply(row_pointer(stack.records, deal + kept), stack.actions[depth, choice])
            carry_reach(hands, stack.reach, stack.chances, stack.player[depth], choice, depth)
            depth += 1
        elif depth > root:
            depth -= 1
            take_back(hands, stack.values, stack.player[depth], depth)
            stack.tried[depth] += 1
        else:
            return


@kernel
def clear(hands: Int64s, values: Float64s, player: int, depth: int) -> None:
    """Initialise the values of a node: minus infinity for the player to move, 0 for the other."""
    for owner in range(2):
        for hand in range(hands[owner]):
            values[depth, owner, hand] = -np.inf if owner == player else 0.0


@kernel
def carry_reach(hands: Int64s, reach: Float64s, chances: Float64s, player: int, choice: int, depth: int) -> None:
    """Write the reach probabilities of all hands after a choice of this player."""
    for hand in range(hands[player]):
        reach[depth + 1, player, hand] = reach[depth, player, hand] * chances[depth, hand, choice]
    for hand in range(hands[1 - player]):
        reach[depth + 1, 1 - player, hand] = reach[depth, 1 - player, hand]


@kernel
def take_back(hands: Int64s, values: Float64s, player: int, depth: int) -> None:
    """Back up the values of an action: the maximum for the player who acts, the sum for the other."""
    for hand in range(hands[player]):
        values[depth, player, hand] = max(values[depth, player, hand], values[depth + 1, player, hand])
    for hand in range(hands[1 - player]):
        values[depth, 1 - player, hand] += values[depth + 1, 1 - player, hand]


@kernel
def use_frontier(values: Float64s, tried: Int64s, frontier: Frontier, depth: int) -> None:
    """Write the path to a subtree of the frontier, and read its values."""
    n = frontier.used[0]
    frontier.used[0] += 1
    if n < len(frontier.paths):
        for above in range(depth):
            frontier.paths[n, above] = tried[above]
        for player in range(2):
            for hand in range(values.shape[2]):
                values[depth, player, hand] = frontier.values[n, player, hand]


@kernel
def consult(task: Task, stack: PublicStack, depth: int) -> None:
    """Write the policy for each hand."""
    player, count, questions = stack.player[depth], stack.open[depth], stack.questions
    hands = task.deals.hands[player]
    if task.uniform:
        for hand in range(hands):
            for i in range(count):
                stack.chances[depth, hand, i] = 1.0 / count
        return
    for hand in range(hands):
        deal = task.deals.examples[player, hand]
        make_records(task.deals, stack, depth, deal, deal + 1)
        made = row_pointer(stack.made, deal)
        questions.known[hand] = task.game.facts(made, player, row_pointer(questions.facts, hand))
        questions.counts[hand] = count
        for i in range(count):
            questions.actions[hand, i] = stack.actions[depth, i]
    answer(task.policy, questions, hands, stack.scratch)
    for hand in range(hands):
        for i in range(count):
            stack.chances[depth, hand, i] = questions.policies[hand, i]


@kernel
def make_records(deals: Deals, stack: PublicStack, depth: int, begin: int, end: int) -> None:
    """Make the records of some deals: as kept, or of the public bits of the first and of their own hidden bits."""
    for deal in range(begin, end):
        kept = depth * deals.kept + (deal if deals.kept > 1 else 0)
        for word in range(len(deals.public)):
            stack.made_words[deal, word] = stack.words[kept, word] & deals.public[word] | deals.secrets[deal, word]


@kernel
def settle(task: Task, stack: PublicStack, depth: int) -> None:
    """Write what each hand wins at the end of the game, over all hands of the other; the game is zero-sum."""
    deals, reach, values = task.deals, stack.reach, stack.values
    make_records(deals, stack, depth, 0, len(deals.weights))
    for deal in range(len(deals.weights)):
        task.game.returns(row_pointer(stack.made, deal), pointer(stack.returns))
        won = deals.weights[deal] * stack.returns[0]
        mine, theirs = deals.held[0, deal], deals.held[1, deal]
        values[depth, 0, mine] += won * reach[depth, 1, theirs]
        values[depth, 1, theirs] -= won * reach[depth, 0, mine]
    for hand in range(deals.hands[0]):
        stack.total[0] += reach[depth, 0, hand] * values[depth, 0, hand]
