"""The traversal of a public tree: kernels, and the memory they need; `public_tree.py` divides the work."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s, Int64s
from forethought.compiler import kernel, pointer, row_pointer
from forethought.game import TERMINAL, Table
from forethought.nets.evaluator import answer
from forethought.nets.questions import Questions
from forethought.solve.public_deals import Deals

# A hand that the policy brings to a node with this probability or less plays uniformly from there: networks need not be
# asked what no play shows. It changes what a best response wins by less than this times the hands of all nodes: 1e-6 in
# Liar's Dice with two dice, where it leaves out most questions.
NEGLIGIBLE = 1e-15


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
    """Write the policy for each hand that comes here."""
    player, count, questions = stack.player[depth], stack.open[depth], stack.questions
    hands = task.deals.hands[player]
    if task.uniform:
        for hand in range(hands):
            for i in range(count):
                stack.chances[depth, hand, i] = 1.0 / count
        return
    reach, asked = stack.reach[depth, player], 0
    for hand in range(hands):
        if reach[hand] > NEGLIGIBLE:
            deal = task.deals.examples[player, hand]
            make_records(task.deals, stack, depth, deal, deal + 1)
            made = row_pointer(stack.made, deal)
            questions.known[asked] = task.game.facts(made, player, row_pointer(questions.facts, asked))
            questions.counts[asked] = count
            for i in range(count):
                questions.actions[asked, i] = stack.actions[depth, i]
            asked += 1
    answer(task.policy, questions, asked, stack.scratch)
    asked = 0
    for hand in range(hands):
        known = reach[hand] > NEGLIGIBLE
        for i in range(count):
            stack.chances[depth, hand, i] = questions.policies[asked, i] if known else 1.0 / count
        asked += known


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
