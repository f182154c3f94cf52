"""Monte Carlo tree search as kernels: down a tree, a value for its leaf, back up (`search.py` describes the search).

A *walk*, the mechanism of one simulation, plays from the root of its tree to a leaf, a node that is not expanded, or to
the end of the game. A leaf's value comes from a roll-out, or from an evaluator, which also gives the priors of its
actions. Walks of many trees, and several of one tree, can wait for the evaluator's answers together; until then each
counts as a virtual loss for the others of its tree.

A position is expanded when it is first evaluated, or in UCT when a walk first goes on beyond it. Until it has been
visited as often as the expansion threshold says, walks end there AGAIN: with a new roll-out, and with the values that
the evaluator gave it before.
"""

from typing import Any

from forethought.compiler import inlined_kernel, kernel, pointer, row_pointer
from forethought.compiler.rows import copy_row
from forethought.game import CHANCE, TERMINAL, Table
from forethought.nets.evaluator import answer
from forethought.randomness import Generator, below, uniform
from forethought.rollouts import begin_rollouts, enter_leaf, write_legal
from forethought.search.mcts.gumbel import gumbel_choice
from forethought.search.mcts.leaves import (
    AGAIN,
    BELOW,
    END,
    LEAF,
    ON,
    TAKEN,
    ask,
    mix_values,
    open_leaf,
    play_on,
    play_on_alone,
    value_unasked,
    write_tempered,
)
from forethought.search.mcts.memory import Rule, Trees, TreeWalks
from forethought.search.mcts.proofs import prove, refute, value_of_end
from forethought.search.mcts.selection import puct
from forethought.search.mcts.tree import NO_NODE, UNKNOWN, Edges, NodePool, add_edges, add_node, has_room, is_full
from forethought.search.ucb1 import ucb1
from forethought.status import BROKEN, DONE, NO_ROOM

UCB1, PUCT = 0, 1
ROOT = 0  # as a depth


@kernel
def search_by_rollouts(game: Table, pool: NodePool, rule: Rule, trees: Trees, walks: TreeWalks, rollouts: Any) -> int:
    """Search one tree after the other, with leaves valued by roll-outs; return DONE, NO_ROOM or BROKEN."""
    for tree in range(len(trees.roots)):
        if trees.begun[tree] < trees.end[tree]:
            begin_rollouts(rollouts, game, trees.states[tree])
        while trees.begun[tree] < trees.end[tree]:
            if not has_room(pool, rule.growth + rule.foreseen, rule.growth * game.choices):
                return NO_ROOM
            where = descend(game, pool, rule, trees, walks, tree, 0)
            if where == BROKEN:
                return BROKEN
            if where != END:
                enter_leaf(rollouts, game, walks.questions.states[0])
                if where == LEAF and rule.asks:
                    open_leaf(game, pool, rule, walks, rollouts, trees.rngs[tree])
                if not play_on(game, rule, walks, rollouts, 0, trees.scale[tree], trees.rngs[tree]):
                    return BROKEN
            back_up(pool, rule, walks, 0)
            trees.begun[tree] += 1
    return DONE


@kernel
def search_by_answers(
    game: Table,
    pool: NodePool,
    rule: Rule,
    trees: Trees,
    walks: TreeWalks,
    rollouts: Any,
    evaluator: Any,
    scratch: Any,
) -> int:
    """Search all trees with a compiled evaluator; return DONE, NO_ROOM or BROKEN.

    Walks and answers alternate inside one kernel, because calling a kernel from Python costs more than many walks.
    """
    while True:
        waiting = gather(game, pool, rule, trees, walks, rollouts)
        if waiting <= 0:
            return waiting
        answer(evaluator, walks.questions, waiting, scratch)
        if settle(game, pool, rule, trees, walks, rollouts, waiting) == BROKEN:
            return BROKEN


@kernel
def gather(game: Table, pool: NodePool, rule: Rule, trees: Trees, walks: TreeWalks, rollouts: Any) -> int:
    """Walk in every tree until `width` walks wait there; return how many wait in all, DONE, NO_ROOM or BROKEN.

    NO_ROOM is returned only if no walk waits.
    """
    waiting, room = 0, rule.width * rule.growth
    for tree in range(len(trees.roots)):
        here = 0
        while here < rule.width and trees.begun[tree] < trees.end[tree]:
            # A tree with waiting walks is not interrupted: which of them wait together must not depend on memory.
            if here == 0 and not has_room(pool, room + rule.width * rule.foreseen, (waiting + room) * game.choices):
                return waiting if waiting > 0 else NO_ROOM
            where = descend(game, pool, rule, trees, walks, tree, waiting)
            if where == BROKEN:
                return BROKEN
            if where == TAKEN:
                turn_back(pool.edges, walks, waiting)
                break
            if where in (BELOW, AGAIN) and not value_unasked(
                game, pool, rule, trees, walks, rollouts, tree, waiting, where
            ):
                return BROKEN
            if where == LEAF:
                ask(game, pool.nodes.player[walks.leaf[waiting]], walks.questions, waiting)
                waiting, here = waiting + 1, here + 1
            else:
                back_up(pool, rule, walks, waiting)
                here += here > 0  # it counts as one that waits
            trees.begun[tree] += 1
    return waiting


@kernel
def settle(game: Table, pool: NodePool, rule: Rule, trees: Trees, walks: TreeWalks, rollouts: Any, waiting: int) -> int:
    """Back up the answers to the first `waiting` questions; return DONE or BROKEN."""
    questions = walks.questions
    for slot in range(waiting):
        leaf = walks.leaf[slot]
        first = add_edges(pool, leaf, questions.actions[slot], questions.counts[slot])
        write_tempered(pool.edges, first, questions.policies[slot], questions.counts[slot], rule.prior_temperature)
        for column in range(pool.nodes.values.shape[1]):
            pool.nodes.values[leaf, column] = questions.values[slot, column]
        if rule.rollout_weight > 0.0 and not play_on_alone(game, rule, trees, walks, rollouts, walks.tree[slot], slot):
            return BROKEN
        if rule.rollout_weight < 1.0:
            mix_values(game, rule, pool.nodes.player[leaf], questions.values[slot], walks)
        back_up(pool, rule, walks, slot)
    return DONE


@inlined_kernel
def descend(game: Table, pool: NodePool, rule: Rule, trees: Trees, walks: TreeWalks, tree: int, slot: int) -> int:
    """Descend to a LEAF, or to the END of the game or a proven outcome, whose returns are written.

    The leaf may be TAKEN by a waiting walk, or visited AGAIN; if the pool is full, the walk may go BELOW the tree.
    """
    nodes, edges, questions = pool.nodes, pool.edges, walks.questions
    copy_row(trees.states[tree], questions.states[slot])
    s = row_pointer(questions.states, slot)
    node, edge, depth = trees.roots[tree], -1, ROOT
    while True:
        where = end_at(pool, rule, node, edge, depth)
        if where != ON:
            break
        if nodes.degree[node] == 0 and not expand(game, pool, walks, slot, node, nodes.player[node]):
            return BROKEN
        if depth == game.plies:
            return BROKEN
        edge = choose_sound_edge(game, pool, rule, trees, walks, tree, slot, node, depth)
        walks.nodes[slot, depth], walks.edges[slot, depth] = node, edge
        edges.waiting[edge] += 1
        depth += 1
        game.apply(s, edges.action[edge])
        if edges.child[edge] == NO_NODE and not is_full(pool):
            edges.child[edge] = add_node(pool, game.player(s))
        node = edges.child[edge]
        if node == NO_NODE:
            where = BELOW
            break
    walks.tree[slot], walks.leaf[slot], walks.length[slot] = tree, node, depth
    if where == END:
        value_of_end(game, pool.nodes, node, s, trees.scale[tree], walks.returns)
    return where


@inlined_kernel
def end_at(pool: NodePool, rule: Rule, node: int, edge: int, depth: int) -> int:
    """Return how a walk that came by an edge ends at a node, or ON if it does not.

    Before a node has been visited often enough walks end there, at the LEAF or AGAIN; the root is always open.
    """
    nodes, player = pool.nodes, pool.nodes.player[node]
    if player == TERMINAL or (nodes.proven[node] != UNKNOWN and depth > ROOT):
        return END
    if player == CHANCE:
        return ON
    closed = nodes.visits[node] < (1 if depth == ROOT else rule.expansion_threshold)
    if nodes.degree[node] == 0 and (rule.asks or closed):
        return TAKEN if depth > ROOT and pool.edges.waiting[edge] > 1 else LEAF
    return AGAIN if closed else ON


@inlined_kernel
def expand(game: Table, pool: NodePool, walks: TreeWalks, slot: int, node: int, player: int) -> bool:
    """Expand a node without asking for priors: a chance node, or any node of UCT."""
    questions, edges = walks.questions, pool.edges
    s = row_pointer(questions.states, slot)
    count = write_legal(game, s, row_pointer(questions.actions, slot))
    if count == BROKEN:
        return False
    first = add_edges(pool, node, questions.actions[slot], count)
    if player == CHANCE:
        game.chance(s, pointer(walks.weights))
        for i in range(count):
            edges.prior[first + i] = walks.weights[i]
    return True


@inlined_kernel
def choose_edge(pool: NodePool, rule: Rule, trees: Trees, tree: int, node: int, depth: int, rng: Generator) -> int:
    """Select an edge of an expanded node."""
    nodes, edges = pool.nodes, pool.edges
    first, count, visits, scale = nodes.first[node], nodes.degree[node], nodes.visits[node], trees.scale[tree, 0]
    if nodes.player[node] == CHANCE:
        return draw_chance_edge(edges, first, count, rng)
    if rule.selection == UCB1:
        idle, exploration = rule.expansion_threshold, rule.exploration * scale
        edge = ucb1(edges.visits, edges.total, first, count, visits, idle, exploration)
        if edges.visits[edge] + edges.waiting[edge] == 0:  # a random one of those not tried yet
            other = edge + below(first + count - edge, rng)
            edges.action[edge], edges.action[other] = edges.action[other], edges.action[edge]
            edges.prior[edge], edges.prior[other] = edges.prior[other], edges.prior[edge]
        return edge
    value = nodes.total[node] / (visits * scale) if visits > 0 else 0.0
    walk = trees.begun[tree] - trees.opened[tree]
    if depth == ROOT and trees.schedule.shape[1] > 0:
        wanted = trees.schedule[tree, walk] if walk < trees.schedule.shape[1] else -1
        return gumbel_choice(edges, first, count, trees.noise[tree], value, wanted, scale)
    unvisited = -1.0 if rule.pessimistic else value
    return puct(edges, first, count, visits, rule.exploration, rule.virtual_loss, unvisited, scale)


@inlined_kernel
def choose_sound_edge(
    game: Table, pool: NodePool, rule: Rule, trees: Trees, walks: TreeWalks, tree: int, slot: int, node: int, depth: int
) -> int:
    """Select an edge; with MCTS-Solver, one that does not lose at once, if there is one."""
    state, actions = walks.questions.states[slot], walks.questions.actions[slot]
    edge = choose_edge(pool, rule, trees, tree, node, depth, trees.rngs[tree])
    if rule.solves and pool.nodes.player[node] != CHANCE:
        while refute(game, pool, node, edge, state, actions, walks.ahead, walks.returns):
            if pool.nodes.proven[node] != UNKNOWN:
                break
            edge = choose_edge(pool, rule, trees, tree, node, depth, trees.rngs[tree])
    return edge


@inlined_kernel
def draw_chance_edge(edges: Edges, first: int, count: int, rng: Generator) -> int:
    """Draw an outcome of a chance node."""
    rest = uniform(rng)
    for edge in range(first, first + count - 1):
        rest -= edges.prior[edge]
        if rest < 0.0:
            return edge
    return first + count - 1


@inlined_kernel
def turn_back(edges: Edges, walks: TreeWalks, slot: int) -> None:
    """Undo a walk that has reached a leaf where another one waits."""
    for i in range(walks.length[slot]):
        edges.waiting[walks.edges[slot, i]] -= 1


@inlined_kernel
def back_up(pool: NodePool, rule: Rule, walks: TreeWalks, slot: int) -> None:
    """Add a walk's returns to the nodes and edges on its path."""
    nodes, edges, returns = pool.nodes, pool.edges, walks.returns
    leaf = walks.leaf[slot]
    if leaf != NO_NODE:
        nodes.visits[leaf] += 1
        if nodes.player[leaf] >= 0:
            nodes.total[leaf] += returns[nodes.player[leaf]]
    for i in range(walks.length[slot]):
        node, edge = walks.nodes[slot, i], walks.edges[slot, i]
        nodes.visits[node] += 1
        edges.visits[edge] += 1
        edges.waiting[edge] -= 1
        player = nodes.player[node]
        if player >= 0:
            nodes.total[node] += returns[player]
            edges.total[edge] += returns[player]
    if rule.solves and leaf != NO_NODE and nodes.proven[leaf] != UNKNOWN:
        prove(pool, walks.nodes[slot], walks.edges[slot], walks.length[slot])
