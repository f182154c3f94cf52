"""The walks of Monte Carlo tree search as kernels: down a tree, a value for its leaf, back up. `mcts.py` says more.

A walk plays from the root of its tree and ends at a leaf, a node that is not expanded, or at the end of the game. A
leaf's value comes from a random roll-out, or from an evaluator, which also gives the priors of its actions. Walks of
many trees, and several of one tree, can wait for the evaluator's answers together; those of one tree do not see what
the others will learn, but see that they are on their way.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer, row_pointer
from forethought.compiler.rows import copy_row
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.nets.evaluator import answer
from forethought.nets.questions import Questions, make_questions
from forethought.nets.values import seat_values
from forethought.randomness import Generator, below, uniform
from forethought.rollouts import begin_rollouts, enter_leaf, roll_out, write_legal, write_priors
from forethought.search.mcts.gumbel import gumbel_choice
from forethought.search.mcts.proofs import note_scale, prove, refute, value_of_end
from forethought.search.mcts.selection import puct
from forethought.search.mcts.tree import NO_NODE, UNKNOWN, Edges, NodePool, add_edges, add_node, has_room, is_full
from forethought.search.ucb1 import ucb1
from forethought.status import BROKEN, CUT, DONE, NO_ROOM

UCB1, PUCT = 0, 1
LEAF, END, TAKEN, BELOW = range(4)  # where a walk stands, unless a law is BROKEN
ROOT = 0  # as a depth


class Rule(NamedTuple):
    """How walks choose, and what they take for the value of a leaf."""

    selection: int  # UCB1 or PUCT
    exploration: float
    pessimistic: bool  # an untried action counts as lost; else as what its node is worth so far
    asks: bool  # whether leaves get priors, from an evaluator or from the roll-out policy
    rollout_weight: float  # of a roll-out in the value of a leaf; the rest is the evaluator's
    rollout_limit: int  # plies after which a roll-out counts as a draw
    solves: bool  # whether proven wins and losses are passed on
    width: int  # walks of one tree that may wait at once
    growth: int  # nodes that one walk may add and expand
    foreseen: int  # nodes that one walk may add because what leads there loses
    worth: float  # return that an evaluator's value of 1 stands for


class Trees(NamedTuple):
    """Where each tree begins, and how long it is to be searched."""

    states: Bytes  # [trees, state_bytes] of the roots
    roots: Int64s  # [trees] or NO_NODE
    begun: Int64s  # [trees] walks
    end: Int64s  # [trees] how many there shall be
    opened: Int64s  # [trees] walks begun when the root's actions were first known
    noise: Float64s  # [trees, choices] Gumbel noise of the root's actions
    schedule: Int64s  # [trees, walks] visits of the root's actions that may be chosen, walk by walk; empty: any may
    scale: Float64s  # [trees, 1] the largest absolute return so far, at least 1
    rngs: npt.NDArray[np.uint64]  # [trees, 4]


class Flights(NamedTuple):
    """The walks on their way: how they came where they are, and what they ask there."""

    questions: Questions
    tree: Int64s  # [slots]
    leaf: Int64s  # [slots] or NO_NODE, if it may not be added
    length: Int64s  # [slots]
    nodes: Int64s  # [slots, plies]
    edges: Int64s  # [slots, plies]
    returns: Float64s  # [players] of a walk that ends
    seats: Float64s  # [players] what an evaluator expects for each
    weights: Float64s  # [choices] probabilities of chance
    ahead: Bytes  # [2, state_bytes] a position one action on, and two


def make_flights(game: Game, slots: int, values: int) -> Flights:
    return Flights(
        make_questions(game, slots, values),
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


@kernel
def search_by_rollouts(game: Table, pool: NodePool, rule: Rule, trees: Trees, flights: Flights, rollouts: Any) -> int:
    """Walk in one tree after the other, leaves being valued by roll-outs; return DONE, NO_ROOM or BROKEN."""
    for tree in range(len(trees.roots)):
        if trees.begun[tree] < trees.end[tree]:
            begin_rollouts(rollouts, game, trees.states[tree])
        while trees.begun[tree] < trees.end[tree]:
            if not has_room(pool, rule.growth + rule.foreseen, rule.growth * game.choices):
                return NO_ROOM
            where = descend(game, pool, rule, trees, flights, tree, 0)
            if where == BROKEN:
                return BROKEN
            if where != END:
                enter_leaf(rollouts, game, flights.questions.states[0])
                if where == LEAF and rule.asks:
                    open_leaf(game, pool, flights, rollouts, trees.rngs[tree])
                if not play_on(game, rule, flights, rollouts, 0, trees.scale[tree], trees.rngs[tree]):
                    return BROKEN
            back_up(pool, rule, flights, 0)
            trees.begun[tree] += 1
    return DONE


@kernel
def search_by_answers(
    game: Table,
    pool: NodePool,
    rule: Rule,
    trees: Trees,
    flights: Flights,
    rollouts: Any,
    evaluator: Any,
    scratch: Any,
) -> int:
    """Walk until all is done, a compiled evaluator answering; return DONE, NO_ROOM or BROKEN.

    Walks and answers take turns inside one kernel, as calling a kernel costs more than many walks.
    """
    while True:
        waiting = gather(game, pool, rule, trees, flights, rollouts)
        if waiting <= 0:
            return waiting
        answer(evaluator, flights.questions, waiting, scratch)
        if settle(game, pool, rule, trees, flights, rollouts, waiting) == BROKEN:
            return BROKEN


@kernel
def gather(game: Table, pool: NodePool, rule: Rule, trees: Trees, flights: Flights, rollouts: Any) -> int:
    """Walk in every tree until `width` walks wait there; return how many wait in all, DONE, or a reason.

    The reason is NO_ROOM, if none waits and none could, or BROKEN.
    """
    waiting, room = 0, rule.width * rule.growth
    for tree in range(len(trees.roots)):
        here = 0
        while here < rule.width and trees.begun[tree] < trees.end[tree]:
            # Nothing stops a tree whose walks wait: which of them wait together must not depend on the room there is.
            if here == 0 and not has_room(pool, room + rule.width * rule.foreseen, (waiting + room) * game.choices):
                return waiting if waiting > 0 else NO_ROOM
            where = descend(game, pool, rule, trees, flights, tree, waiting)
            if where == BROKEN or (
                where == BELOW and not play_on_alone(game, rule, trees, flights, rollouts, tree, waiting)
            ):
                return BROKEN
            if where == TAKEN:
                turn_back(pool.edges, flights, waiting)
                break
            if where == LEAF:
                ask(game, pool.nodes.player[flights.leaf[waiting]], flights.questions, waiting)
                waiting, here = waiting + 1, here + 1
            else:
                back_up(pool, rule, flights, waiting)
                here += here > 0  # it has taken the room of one that waits
            trees.begun[tree] += 1
    return waiting


@kernel
def settle(game: Table, pool: NodePool, rule: Rule, trees: Trees, flights: Flights, rollouts: Any, waiting: int) -> int:
    """Take the answers to the first so many questions back up their trees; return DONE, or BROKEN."""
    questions, returns, seats = flights.questions, flights.returns, flights.seats
    for slot in range(waiting):
        tree, leaf, count = flights.tree[slot], flights.leaf[slot], questions.counts[slot]
        first = add_edges(pool, leaf, questions.actions[slot], count)
        for i in range(count):
            pool.edges.prior[first + i] = questions.policies[slot, i]
        if rule.rollout_weight > 0.0 and not play_on_alone(game, rule, trees, flights, rollouts, tree, slot):
            return BROKEN
        seat_values(questions.values[slot], pool.nodes.player[leaf], game.players, seats)
        weight = rule.rollout_weight
        for player in range(game.players):
            returns[player] = (1.0 - weight) * rule.worth * seats[player] + weight * returns[player]
        back_up(pool, rule, flights, slot)
    return DONE


@inlined_kernel
def descend(game: Table, pool: NodePool, rule: Rule, trees: Trees, flights: Flights, tree: int, slot: int) -> int:
    """Walk down a tree to a LEAF, or to the END of the game or to a proven outcome, of which it writes the returns.

    It may also come to a leaf that is TAKEN by another walk, or go BELOW a tree that is full.
    """
    nodes, edges, questions = pool.nodes, pool.edges, flights.questions
    copy_row(trees.states[tree], questions.states[slot])
    s = row_pointer(questions.states, slot)
    node, edge, depth, where = trees.roots[tree], -1, ROOT, LEAF
    while True:
        player = nodes.player[node]
        if player == TERMINAL or (nodes.proven[node] != UNKNOWN and depth > ROOT):
            where = END
            break
        if nodes.degree[node] == 0:
            if player != CHANCE and (rule.asks or nodes.visits[node] == 0):
                where = TAKEN if depth > ROOT and edges.waiting[edge] > 1 else LEAF
                break
            if not expand(game, pool, flights, slot, node, player):
                return BROKEN
        if depth == game.plies:
            return BROKEN
        edge = choose_sound_edge(game, pool, rule, trees, flights, tree, slot, node, depth)
        flights.nodes[slot, depth], flights.edges[slot, depth] = node, edge
        edges.waiting[edge] += 1
        depth += 1
        game.apply(s, edges.action[edge])
        if edges.child[edge] == NO_NODE and not is_full(pool):
            edges.child[edge] = add_node(pool, game.player(s))
        node = edges.child[edge]
        if node == NO_NODE:
            where = BELOW
            break
    flights.tree[slot], flights.leaf[slot], flights.length[slot] = tree, node, depth
    if where == END:
        value_of_end(game, pool.nodes, node, s, trees.scale[tree], flights.returns)
    return where


@inlined_kernel
def expand(game: Table, pool: NodePool, flights: Flights, slot: int, node: int, player: int) -> bool:
    """Add the edges of a node about which nobody is asked: with chance's probabilities, or without priors."""
    questions, edges = flights.questions, pool.edges
    s = row_pointer(questions.states, slot)
    count = write_legal(game, s, row_pointer(questions.actions, slot))
    if count == BROKEN:
        return False
    first = add_edges(pool, node, questions.actions[slot], count)
    if player == CHANCE:
        game.chance(s, pointer(flights.weights))
        for i in range(count):
            edges.prior[first + i] = flights.weights[i]
    return True


@inlined_kernel
def choose_edge(pool: NodePool, rule: Rule, trees: Trees, tree: int, node: int, depth: int, rng: Generator) -> int:
    """Choose how to go on from an expanded node."""
    nodes, edges = pool.nodes, pool.edges
    first, count, visits, scale = nodes.first[node], nodes.degree[node], nodes.visits[node], trees.scale[tree, 0]
    if nodes.player[node] == CHANCE:
        return draw_chance_edge(edges, first, count, rng)
    if rule.selection == UCB1:
        edge = ucb1(edges.visits, edges.total, first, count, visits, rule.exploration * scale)
        if edges.visits[edge] + edges.waiting[edge] == 0:  # any of those not tried yet
            other = edge + below(first + count - edge, rng)
            edges.action[edge], edges.action[other] = edges.action[other], edges.action[edge]
            edges.prior[edge], edges.prior[other] = edges.prior[other], edges.prior[edge]
        return edge
    value = nodes.total[node] / (visits * scale) if visits > 0 else 0.0
    walk = trees.begun[tree] - trees.opened[tree]
    if depth == ROOT and trees.schedule.shape[1] > 0:
        wanted = trees.schedule[tree, walk] if walk < trees.schedule.shape[1] else -1
        return gumbel_choice(edges, first, count, trees.noise[tree], value, wanted, scale)
    return puct(edges, first, count, visits, rule.exploration, -1.0 if rule.pessimistic else value, scale)


@inlined_kernel
def choose_sound_edge(
    game: Table, pool: NodePool, rule: Rule, trees: Trees, flights: Flights, tree: int, slot: int, node: int, depth: int
) -> int:
    """Choose an edge that does not lose at once, if there is one and proofs are wanted."""
    state, actions = flights.questions.states[slot], flights.questions.actions[slot]
    edge = choose_edge(pool, rule, trees, tree, node, depth, trees.rngs[tree])
    if rule.solves and pool.nodes.player[node] != CHANCE:
        while refute(game, pool, node, edge, state, actions, flights.ahead, flights.returns):
            if pool.nodes.proven[node] != UNKNOWN:
                break
            edge = choose_edge(pool, rule, trees, tree, node, depth, trees.rngs[tree])
    return edge


@inlined_kernel
def draw_chance_edge(edges: Edges, first: int, count: int, rng: Generator) -> int:
    """Draw an outcome of chance."""
    rest = uniform(rng)
    for edge in range(first, first + count - 1):
        rest -= edges.prior[edge]
        if rest < 0.0:
            return edge
    return first + count - 1


@inlined_kernel
def ask(game: Table, player: int, questions: Questions, slot: int) -> None:
    """Write what the player to move knows and may do."""
    s = row_pointer(questions.states, slot)
    questions.known[slot] = game.facts(s, player, row_pointer(questions.facts, slot))
    questions.counts[slot] = game.legal(s, row_pointer(questions.actions, slot))


@inlined_kernel
def open_leaf(game: Table, pool: NodePool, flights: Flights, rollouts: Any, rng: Generator) -> None:
    """Add the legal actions of a leaf in random order, which decides ties, with the roll-out policy as priors."""
    questions, leaf = flights.questions, flights.leaf[0]
    actions, priors = questions.actions[0], questions.policies[0]
    count = game.legal(row_pointer(questions.states, 0), row_pointer(questions.actions, 0))
    for i in range(count - 1):
        other = i + below(count - i, rng)
        actions[i], actions[other] = actions[other], actions[i]
    write_priors(rollouts, pool.nodes.player[leaf], actions, count, priors)
    first = add_edges(pool, leaf, actions, count)
    for i in range(count):
        pool.edges.prior[first + i] = priors[i]


@inlined_kernel
def play_on(
    game: Table, rule: Rule, flights: Flights, rollouts: Any, slot: int, scale: Float64s, rng: Generator
) -> bool:
    """Play on from a leaf that the roll-out policy has entered, and write the returns; whether laws are kept."""
    questions, limit = flights.questions, most_plies(game, rule, flights, slot)
    played = roll_out(rollouts, game, questions.states[slot], questions.actions[slot], limit, rng)
    return note_end(game, rule, flights, slot, played, scale)


@inlined_kernel
def play_on_alone(game: Table, rule: Rule, trees: Trees, flights: Flights, rollouts: Any, tree: int, slot: int) -> bool:
    """Play on from one of several leaves of any tree; whether laws are kept."""
    begin_rollouts(rollouts, game, trees.states[tree])
    enter_leaf(rollouts, game, flights.questions.states[slot])
    return play_on(game, rule, flights, rollouts, slot, trees.scale[tree], trees.rngs[tree])


@inlined_kernel
def most_plies(game: Table, rule: Rule, flights: Flights, slot: int) -> int:
    """Return after how many plies a roll-out from a leaf is cut, or has broken a law."""
    return min(rule.rollout_limit, game.plies - flights.length[slot])  # type: ignore[no-any-return]


@inlined_kernel
def note_end(game: Table, rule: Rule, flights: Flights, slot: int, played: int, scale: Float64s) -> bool:
    """Write the returns of a game that was played on, none if it was cut; whether it kept its laws."""
    returns = flights.returns
    if played == CUT:
        returns[:] = 0.0
        return rule.rollout_limit < game.plies - flights.length[slot]  # type: ignore[no-any-return]
    game.returns(row_pointer(flights.questions.states, slot), pointer(returns))
    note_scale(scale, returns)
    return played >= 0


@inlined_kernel
def turn_back(edges: Edges, flights: Flights, slot: int) -> None:
    """Undo a walk that came where another one waits."""
    for i in range(flights.length[slot]):
        edges.waiting[flights.edges[slot, i]] -= 1


@inlined_kernel
def back_up(pool: NodePool, rule: Rule, flights: Flights, slot: int) -> None:
    """Tell every node and edge of a walk what it came to."""
    nodes, edges, returns = pool.nodes, pool.edges, flights.returns
    leaf = flights.leaf[slot]
    if leaf != NO_NODE:
        nodes.visits[leaf] += 1
        if nodes.player[leaf] >= 0:
            nodes.total[leaf] += returns[nodes.player[leaf]]
    for i in range(flights.length[slot]):
        node, edge = flights.nodes[slot, i], flights.edges[slot, i]
        nodes.visits[node] += 1
        edges.visits[edge] += 1
        edges.waiting[edge] -= 1
        player = nodes.player[node]
        if player >= 0:
            nodes.total[node] += returns[player]
            edges.total[edge] += returns[player]
    if rule.solves and leaf != NO_NODE and nodes.proven[leaf] != UNKNOWN:
        prove(pool, flights.nodes[slot], flights.edges[slot], flights.length[slot])
