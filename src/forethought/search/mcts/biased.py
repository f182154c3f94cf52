"""Tree search biased by pattern policies, as in the TSPG paper: one gives the priors, one plays below the tree."""

from forethought.compiler import inlined_kernel, kernel, row_pointer
from forethought.game import Table
from forethought.patterns.incremental import (
    PatternMemory,
    copy_active,
    play_out,
    start_from_empty,
    update,
    write_policy,
)
from forethought.patterns.policies import Policies
from forethought.randomness import Generator, below
from forethought.search.mcts.kernels import (
    END,
    LEAF,
    Flights,
    Rule,
    Trees,
    back_up,
    descend,
    most_plies,
    note_end,
)
from forethought.search.mcts.tree import NodePool, add_edges, has_room
from forethought.status import BROKEN, DONE, NO_ROOM


@kernel
def search_with_patterns(
    game: Table, pool: NodePool, rule: Rule, trees: Trees, flights: Flights, policies: Policies, memory: PatternMemory
) -> int:
    """Walk in one tree after the other; return DONE, NO_ROOM or BROKEN."""
    for tree in range(len(trees.roots)):
        rng = trees.rngs[tree]
        if trees.begun[tree] < trees.end[tree]:
            start_from_empty(policies, memory)
            update(game, policies, memory, trees.states[tree])
            copy_active(memory.now, memory.root)
        while trees.begun[tree] < trees.end[tree]:
            if not has_room(pool, rule.growth + rule.foreseen, rule.growth * game.choices):
                return NO_ROOM
            where = descend(game, pool, rule, trees, flights, tree, 0)
            if where == BROKEN:
                return BROKEN
            if where != END:
                copy_active(memory.root, memory.now)
                update(game, policies, memory, flights.questions.states[0])
                if where == LEAF:
                    open_leaf(game, pool, flights, policies, memory, rng)
                played = play_below(game, rule, flights, policies, memory, rng)
                if not note_end(game, rule, flights, 0, played, trees.scale[tree]):
                    return BROKEN
            back_up(pool, rule, flights, 0)
            trees.begun[tree] += 1
    return DONE


@inlined_kernel
def open_leaf(
    game: Table, pool: NodePool, flights: Flights, policies: Policies, memory: PatternMemory, rng: Generator
) -> None:
    """Add the legal actions of a leaf in random order, which decides ties, with the policy as priors."""
    questions, leaf = flights.questions, flights.leaf[0]
    actions, chances = questions.actions[0], questions.policies[0]
    count = game.legal(row_pointer(questions.states, 0), row_pointer(questions.actions, 0))
    for i in range(count - 1):
        other = i + below(count - i, rng)
        actions[i], actions[other] = actions[other], actions[i]
    write_policy(policies, memory.now, pool.nodes.player[leaf], actions, count, chances)
    first = add_edges(pool, leaf, actions, count)
    for i in range(count):
        pool.edges.prior[first + i] = chances[i]


@inlined_kernel
def play_below(
    game: Table, rule: Rule, flights: Flights, policies: Policies, memory: PatternMemory, rng: Generator
) -> int:
    """Play by the policies from a leaf."""
    questions, limit = flights.questions, most_plies(game, rule, flights, 0)
    return play_out(game, policies, memory, questions.states[0], questions.actions[0], limit, rng)
