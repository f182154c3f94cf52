"""Many searches at once: each position has its own tree and generator; their questions form one batch.

Every tree is the same as if it were searched alone, if the evaluator's answers do not depend on the batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s, Int64s
from forethought.game import CHANCE, Game, State, Table
from forethought.nets.evaluator import Evaluator, check_sizes, is_compiled
from forethought.nets.values import value_columns
from forethought.playouts import largest_return
from forethought.randomness import Generator, word
from forethought.rollouts import uniform_rollouts
from forethought.search.mcts.gumbel import draw_noise, halving_schedule
from forethought.search.mcts.kernels import gather, search_by_answers, search_by_rollouts, settle
from forethought.search.mcts.memory import NO_TREE, Rule, Trees, TreeWalks, make_tree_walks, make_trees
from forethought.search.mcts.reuse import find_below, make_path
from forethought.search.mcts.settings import AS_LOSS, SELECTIONS, MctsSettings
from forethought.search.mcts.tree import NO_NODE, UNKNOWN, NodePool, add_node, make_pool, tidied
from forethought.status import BROKEN, NO_ROOM, broken_law

FIRST_ROOM = 64  # nodes and edges of a new pool


@dataclass(frozen=True)
class Found:
    """What a search has found about the legal actions at its root, in ascending order of actions."""

    actions: Int64s
    visits: Float64s
    values: Float64s  # mean return of the player to move, -1 to 1; 0 without visits
    priors: Float64s  # of the evaluator or roll-out policy, with Dirichlet noise; 0 without one
    proven: Float64s  # proven return of the player to move; NaN where nothing is proven
    noise: Float64s  # Gumbel noise
    value: float  # of the root for the player to move, -1 to 1


class Forest:
    """Searches positions of one game, all with the same settings."""

    def __init__(
        self,
        game: Game,
        settings: MctsSettings,
        rngs: Sequence[Generator],
        evaluator: Evaluator | None = None,
        rollouts: Any = None,
    ) -> None:
        """Search with an evaluator, a roll-out policy (`rollouts.py`), both or neither; without a policy, at random.

        Priors are the evaluator's, else those of a roll-out policy that gives them.
        """
        self._rollouts = uniform_rollouts(game) if rollouts is None else rollouts
        self.has_priors = evaluator is not None or self._rollouts.gives_priors
        settings.check_game(game, asks=self.has_priors)
        self.game, self.settings, self.evaluator = game, settings, evaluator
        self._trees = make_trees(game, rngs)
        if settings.max_considered_actions:
            self._trees = self._trees._replace(schedule=np.zeros((len(rngs), settings.planned), np.int64))
        columns = value_columns(game) if settings.rollout_weight < 1.0 else 0  # what nobody asks is not computed
        self._walks = make_tree_walks(game, len(rngs) * settings.parallel_simulations, columns)
        kept = columns if settings.expansion_threshold > 1 else 0
        self._pool, self._compared_path = make_pool(FIRST_ROOM, FIRST_ROOM, settings.max_nodes, kept), make_path(game)
        self._scratch = self._checked(evaluator).scratch(len(self._walks.tree)) if evaluator is not None else None
        self._closed = np.zeros(len(rngs), np.bool_)  # trees whose root has changed since they were last searched
        self.rule = Rule(
            selection=SELECTIONS.index(settings.selection),
            exploration=settings.exploration,
            pessimistic=settings.first_play_urgency == AS_LOSS,
            virtual_loss=settings.virtual_loss,
            expansion_threshold=settings.expansion_threshold,
            prior_temperature=settings.prior_temperature,
            asks=self.has_priors,
            rollout_weight=settings.rollout_weight,
            rollout_limit=settings.rollout_limit,
            solves=settings.solve,
            width=settings.parallel_simulations,
            growth=game.plies + 1 if game.outcomes else 1,
            foreseen=game.plies * game.table.choices if settings.solve else 0,
            worth=1.0 if evaluator is None else largest_return(game),
        )

    def _checked(self, evaluator: Evaluator) -> Evaluator:
        """Return the evaluator if it suits the game; others are refused."""
        check_sizes(evaluator, self.game)
        if self.settings.rollout_weight < 1.0 and evaluator.values != value_columns(self.game):
            raise self.game.mistake("the network gives no values of this game, which tree search needs")
        return evaluator

    @property
    def simulated(self) -> Int64s:
        """Number of simulations of each tree."""
        return self._trees.begun.copy()

    @property
    def nodes(self) -> int:
        """Number of positions in memory."""
        return int(self._pool.used[0])

    def rng(self, tree: int) -> Generator:
        """Return the generator of a tree, for drawing its moves."""
        row: Generator = self._trees.rngs[tree]
        return row

    def aim(self, tree: int, state: State) -> None:
        """Make a position, where a player is to move, the root of a tree; its subtree is kept if it is in memory."""
        trees, root = self._trees, NO_NODE
        if trees.roots[tree] != NO_NODE and not self.settings.max_considered_actions:  # halving counts visits from zero
            known = (self.game.table, self._pool, trees.roots[tree], trees.states[tree])
            root = find_below(*known, state.memory, self._compared_path)
        trees.roots[tree] = root
        if root == NO_NODE:
            if self.nodes == len(self._pool.nodes.first):
                self._make_room()
            trees.roots[tree] = add_node(self._pool, state.player)
        trees.states[tree] = state.memory
        self._closed[tree] = True

    def forget(self, tree: int) -> None:
        """Drop a tree; it is not searched until it is aimed again."""
        self._trees.roots[tree] = NO_NODE

    def search(self, simulations: int, trees: Sequence[int] | None = None) -> None:
        """Run more simulations in each of these trees, or of all. The first of a new root only evaluates it."""
        aimed = self._trees.roots != NO_NODE
        if trees is not None:
            aimed &= np.isin(np.arange(len(aimed)), trees)
        end = self._trees.begun + simulations * aimed
        closed = self._closed & aimed
        if simulations > 0 and closed.any():
            if self.nodes >= self.settings.max_nodes:  # perhaps of subtrees that are no longer needed
                self._make_room()
            if self.has_priors:
                self._open_roots(closed)
            self._closed[closed] = False
        self._walk_until(end)

    def _open_roots(self, closed: npt.NDArray[np.bool_]) -> None:
        """Expand new roots, and add noise to their actions."""
        trees = self._trees
        unexpanded = closed & (self._pool.nodes.degree[trees.roots] == 0)
        self._walk_until(trees.begun + unexpanded)
        trees.opened[closed] = trees.begun[closed]
        for tree in np.flatnonzero(closed & (self._pool.nodes.player[trees.roots] != CHANCE)):
            self._add_noise(int(tree))

    def _add_noise(self, tree: int) -> None:
        settings, edges, span = self.settings, self._pool.edges, self._span(tree)
        count = span.stop - span.start
        if settings.max_considered_actions and count:
            self._trees.noise[tree, :count] = settings.temperature * draw_noise(count, self._trees.rngs[tree])
            self._trees.schedule[tree] = halving_schedule(min(settings.max_considered_actions, count), settings.planned)
        if settings.dirichlet_epsilon > 0.0 and count:
            draws = np.random.default_rng(int(word(self._trees.rngs[tree]))).dirichlet(
                [settings.dirichlet_alpha] * count
            )
            edges.prior[span] = (1.0 - settings.dirichlet_epsilon) * edges.prior[
                span
            ] + settings.dirichlet_epsilon * draws

    def _walk_until(self, end: Int64s) -> None:
        self._trees.end[:], self._walks.entered[0] = end, NO_TREE
        while result := self._advance():
            if result == NO_ROOM:
                self._make_room()
            elif result == BROKEN:
                raise broken_law(self.game)
        if self.settings.solve and self._trees.scale.max() > 1.0:
            raise self.game.mistake("only games with returns from -1 to 1 can be solved in the search; leave solve out")

    def _advance(self) -> int:
        """Advance the simulations; return DONE, NO_ROOM, BROKEN, or how many have been answered."""
        search, evaluator = self._search(), self.evaluator
        if evaluator is None:
            return search_by_rollouts(*search)
        if is_compiled(evaluator):
            return search_by_answers(*search, evaluator, self._scratch)
        waiting = gather(*search)
        if waiting <= 0:
            return waiting
        evaluator.answer(self._walks.questions, waiting, self._scratch)
        return settle(*search, waiting) or waiting

    def _search(self) -> tuple[Table, NodePool, Rule, Trees, TreeWalks, Any]:
        return self.game.table, self._pool, self.rule, self._trees, self._walks, self._rollouts

    def _make_room(self) -> None:
        expanded = len(self._walks.tree) + self.rule.width * self.rule.growth
        nodes = expanded + self.rule.width * self.rule.foreseen
        self._pool = tidied(self._pool, self._trees.roots, nodes, expanded * self.game.table.choices)

    def _span(self, tree: int) -> slice:
        nodes, root = self._pool.nodes, self._trees.roots[tree]
        return slice(int(nodes.first[root]), int(nodes.first[root] + nodes.degree[root]))

    def principal_line(self, tree: int) -> list[int]:
        """Return the most visited actions from the root of a tree on, up to an outcome of chance."""
        nodes, edges, node, line = self._pool.nodes, self._pool.edges, int(self._trees.roots[tree]), list[int]()
        while node != NO_NODE and nodes.degree[node] > 0 and nodes.player[node] != CHANCE:
            span = slice(int(nodes.first[node]), int(nodes.first[node] + nodes.degree[node]))
            best = span.start + int(np.argmax(edges.visits[span]))
            if edges.visits[best] == 0:
                break
            line.append(int(edges.action[best]))
            node = int(edges.child[best])
        return line

    def found(self, tree: int) -> Found:
        """Return what was found at the root of a tree; no actions if it is not expanded."""
        nodes, edges, span, root = self._pool.nodes, self._pool.edges, self._span(tree), self._trees.roots[tree]
        order, scale, player = np.argsort(edges.action[span]), self._trees.scale[tree, 0], nodes.player[root]
        visits, children = edges.visits[span][order].astype(np.float64), edges.child[span][order]
        proven = np.where(children == NO_NODE, UNKNOWN, nodes.proven[children])
        solved = self.settings.solve & (proven != UNKNOWN)
        mine = np.where(solved, proven if player == 0 else -proven, np.nan)
        means = edges.total[span][order] / np.maximum(visits, 1.0) / scale
        return Found(
            actions=edges.action[span][order].astype(np.int64),
            visits=visits,
            values=np.where(solved, mine, means),
            priors=edges.prior[span][order].astype(np.float64),
            proven=mine,
            noise=self._trees.noise[tree, : len(visits)].copy(),
            value=float(nodes.total[root] / max(1, nodes.visits[root]) / scale),
        )
