"""What the leaves of tree search are worth, in kernels: roll-outs, an evaluator's values, a mix; and their priors."""

from typing import Any

from forethought.arrays import Float64s
from forethought.compiler import inlined_kernel, pointer, row_pointer
from forethought.game import Table
from forethought.nets.questions import Questions
from forethought.nets.values import seat_values
from forethought.randomness import Generator, below
from forethought.rollouts import begin_rollouts, enter_leaf, roll_out, write_priors
from forethought.search.mcts.memory import Rule, Trees, TreeWalks
from forethought.search.mcts.proofs import note_scale
from forethought.search.mcts.tree import Edges, NodePool, add_edges
from forethought.status import CUT

LEAF, AGAIN, TAKEN, END, BELOW, ON = range(6)  # how a descent ends, or that it goes on; or a law is BROKEN


@inlined_kernel
def ask(game: Table, player: int, questions: Questions, slot: int) -> None:
    """Write the facts and the legal actions of the player to move."""
    s = row_pointer(questions.states, slot)
    questions.known[slot] = game.facts(s, player, row_pointer(questions.facts, slot))
    questions.counts[slot] = game.legal(s, row_pointer(questions.actions, slot))


@inlined_kernel
def open_leaf(game: Table, pool: NodePool, rule: Rule, walks: TreeWalks, rollouts: Any, rng: Generator) -> None:
    """Add the legal actions of a leaf in random order, which decides ties, with the roll-out policy as priors."""
    questions, leaf = walks.questions, walks.leaf[0]
    actions, priors = questions.actions[0], questions.policies[0]
    count = game.legal(row_pointer(questions.states, 0), row_pointer(questions.actions, 0))
    for i in range(count - 1):
        other = i + below(count - i, rng)
        actions[i], actions[other] = actions[other], actions[i]
    write_priors(rollouts, pool.nodes.player[leaf], actions, count, priors)
    write_tempered(pool.edges, add_edges(pool, leaf, actions, count), priors, count, rule.prior_temperature)


@inlined_kernel
def write_tempered(edges: Edges, first: int, policy: Float64s, count: int, temperature: float) -> None:
    """Write priors in proportion to policy ** (1 / temperature), computed in place."""
    if temperature != 1.0:
        highest, total = 0.0, 0.0
        for i in range(count):
            highest = max(highest, policy[i])
        for i in range(count):
            policy[i] = (policy[i] / highest) ** (1.0 / temperature)
            total += policy[i]
        for i in range(count):
            policy[i] /= total
    for i in range(count):
        edges.prior[first + i] = policy[i]


@inlined_kernel
def value_unasked(
    game: Table,
    pool: NodePool,
    rule: Rule,
    trees: Trees,
    walks: TreeWalks,
    rollouts: Any,
    tree: int,
    slot: int,
    where: int,
) -> bool:
    """Write the returns of a walk that asks nobody, BELOW the tree or AGAIN at a leaf; whether no law is broken."""
    rolls = where == BELOW or rule.rollout_weight > 0.0
    if rolls and not play_on_alone(game, rule, trees, walks, rollouts, tree, slot):
        return False
    if where == AGAIN and rule.rollout_weight < 1.0:
        leaf = walks.leaf[slot]
        mix_values(game, rule, pool.nodes.player[leaf], pool.nodes.values[leaf], walks)
    return True


@inlined_kernel
def mix_values(game: Table, rule: Rule, mover: int, values: Float64s, walks: TreeWalks) -> None:
    """Mix the evaluator's values of a leaf into the returns of its roll-out."""
    returns, seats, weight = walks.returns, walks.seats, rule.rollout_weight
    seat_values(values, mover, game.players, seats)
    for player in range(game.players):
        returns[player] = (1.0 - weight) * rule.worth * seats[player] + weight * returns[player]


@inlined_kernel
def play_on(
    game: Table, rule: Rule, walks: TreeWalks, rollouts: Any, slot: int, scale: Float64s, rng: Generator
) -> bool:
    """Roll out from a leaf that the policy has entered, and write the returns; whether no law is broken."""
    questions, limit = walks.questions, most_plies(game, rule, walks, slot)
    played = roll_out(rollouts, game, questions.states[slot], questions.actions[slot], limit, rng)
    return note_end(game, rule, walks, slot, played, scale)


@inlined_kernel
def play_on_alone(game: Table, rule: Rule, trees: Trees, walks: TreeWalks, rollouts: Any, tree: int, slot: int) -> bool:
    """Roll out from one of several waiting leaves of any tree, and write the returns; whether no law is broken."""
    if walks.entered[0] != tree:
        begin_rollouts(rollouts, game, trees.states[tree])
        walks.entered[0] = tree
    enter_leaf(rollouts, game, walks.questions.states[slot])
    return play_on(game, rule, walks, rollouts, slot, trees.scale[tree], trees.rngs[tree])


@inlined_kernel
def most_plies(game: Table, rule: Rule, walks: TreeWalks, slot: int) -> int:
    """Return the plies after which a roll-out from a leaf is cut, or has broken a law."""
    return min(rule.rollout_limit, game.plies - walks.length[slot])  # type: ignore[no-any-return]


@inlined_kernel
def note_end(game: Table, rule: Rule, walks: TreeWalks, slot: int, played: int, scale: Float64s) -> bool:
    """Write the returns of a roll-out, zeros if it was cut; whether no law is broken."""
    returns = walks.returns
    if played == CUT:
        returns[:] = 0.0
        return rule.rollout_limit < game.plies - walks.length[slot]  # type: ignore[no-any-return]
    game.returns(row_pointer(walks.questions.states, slot), pointer(returns))
    note_scale(scale, returns)
    return played >= 0
