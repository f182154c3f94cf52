"""Monte Carlo tree search: planning where nothing is hidden.

**UCT** (Kocsis and Szepesvari, 2006) selects by UCB1 and values leaves by random roll-outs. **PUCT** (AlphaGo Zero,
AlphaZero) asks an evaluator about each new position: its policy gives the priors, and its value replaces the roll-out.
The value may also be a mix, as in AlphaGo: (1 - weight) * value + weight * roll-out.

There may be any number of players, each of whom maximises its own return; outcomes of chance are sampled.

Choices, where the papers are silent or differ:

- A position is expanded when it is evaluated; in UCT, at its second visit. A root's first simulation only does that.
  With an expansion threshold above 1, later simulations end there as well: until a position has been visited that often
  its value is the mean of new roll-outs, mixed with what the network said of it once. The root has no threshold.
- First-play urgency: an untried action has the mean of its parent so far (as in TSPG), or counts as a loss.
- The visits of a node include the one that evaluated it, so that priors matter from the first selection on.
- In UCT, untried actions come first, in random order.
- The tree is kept from move to move: simulations are added to those of the new position.
- Several simulations of one tree may wait for answers at once; each is a virtual loss on its path until then. It counts
  for the mean and the visits of the path's actions, not for the visits of its nodes.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from forethought.arrays import Float64s
from forethought.game import Game, Observation
from forethought.nets.evaluator import Evaluator
from forethought.player import Policy
from forethought.randomness import Generator
from forethought.search.mcts.forest import Forest, Found
from forethought.search.mcts.gumbel import chosen_action, improved_policy
from forethought.search.mcts.settings import MctsSettings
from forethought.search.online import OnlineSearch


def playing_policy(found: Found, temperature: float, halving: bool = False) -> Float64s:
    """Return the policy to play: proportional to visits ** (1 / temperature), at 0 the most visited action.

    An action that is proven to win is played, or the best if all are proven; one that is proven to lose is avoided.
    After sequential halving, the action that is left is played.
    """
    won, open_end = found.proven == 1.0, np.isnan(found.proven).any()
    playable = found.proven != -1.0 if open_end else found.proven == found.proven.max()
    visits, chosen = found.visits * playable, found.priors * playable
    if won.any():
        chosen = won.astype(np.float64)
    elif halving and visits.any():
        chosen = np.zeros(len(visits))
        chosen[chosen_action(found.priors, visits, found.values, found.noise)] = 1.0
    elif visits.any():
        chosen = sharpened(visits, temperature)
    policy: Float64s = chosen / chosen.sum() if chosen.any() else playable / playable.sum()
    return policy


def learning_policy(found: Found, halving: bool) -> Float64s:
    """Return the target for learning: the shares of visits; after sequential halving, the improved policy."""
    if halving:
        return improved_policy(found.priors, found.visits, found.values, found.value)
    return playing_policy(found, 1.0)


def sharpened(visits: Float64s, temperature: float) -> Float64s:
    """Return weights proportional to visits ** (1 / temperature); at 0, equal ones of the most visited."""
    if temperature == 0.0:
        return np.asarray(visits == visits.max(), np.float64)
    weights: Float64s = (visits / visits.max()) ** (1.0 / temperature)
    return weights


def policy_at_root(forest: Forest, tree: int, observation: Observation) -> Float64s:
    """Return the policy to play at the root of a tree; uniform without simulations."""
    found, settings = forest.found(tree), forest.settings
    if not len(found.actions):
        return np.full(len(observation.legal_actions), 1.0 / len(observation.legal_actions))
    return playing_policy(found, settings.temperature, settings.max_considered_actions > 0)


class TreeSearch(OnlineSearch):
    """The search of one player, kept during a whole game."""

    def __init__(
        self,
        game: Game,
        settings: MctsSettings,
        rng: Generator,
        evaluator: Evaluator | None = None,
        rollouts: Any = None,
    ) -> None:
        super().__init__(game)
        self._forest = Forest(game, settings, [rng], evaluator, rollouts)
        self.aim_at(None)

    @property
    def simulated(self) -> int:
        return int(self._forest.simulated[0])

    @property
    def infosets(self) -> int:
        return self._forest.nodes

    def aim_at(self, observation: Observation | None) -> None:
        state = None if observation is None else observation.state
        self._forest.aim(0, self.game.start() if state is None else state)

    def simulate_until(self, end: int) -> None:
        self._forest.search(end - self.simulated)

    def policy(self, observation: Observation) -> Float64s:
        return policy_at_root(self._forest, 0, observation)

    def principal_line(self) -> list[int]:
        return self._forest.principal_line(0)

    def about_actions(self, observation: Observation) -> dict[str, Float64s]:
        found, count = self._forest.found(0), len(observation.legal_actions)
        if not len(found.actions):
            return {"value": np.zeros(count), "visits": np.zeros(count)}
        known = {"value": found.values, "visits": found.visits}
        return known | ({"prior": found.priors} if self._forest.has_priors else {})


class TreeSearchGroup:
    """Tree searches in several games at once, whose questions to the evaluator form one batch."""

    def __init__(
        self,
        game: Game,
        settings: MctsSettings,
        rngs: Sequence[Generator],
        evaluator: Evaluator,
        rollouts: Any = None,
    ) -> None:
        together = replace(settings, max_nodes=settings.max_nodes * len(rngs))
        self._forest = Forest(game, together, rngs, evaluator, rollouts)

    def think(self, games: Sequence[int], observations: Sequence[Observation]) -> list[Policy]:
        for tree, observation in zip(games, observations, strict=True):
            assert observation.state is not None  # noqa: S101 (tree search is for games that hide nothing)
            self._forest.aim(tree, observation.state)
        self._forest.search(self._forest.settings.simulations, games)
        return [
            Policy(seen.legal_actions, tuple(policy_at_root(self._forest, tree, seen).tolist()))
            for tree, seen in zip(games, observations, strict=True)
        ]
