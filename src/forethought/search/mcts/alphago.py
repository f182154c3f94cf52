"""The player of AlphaGo's search: priors of one network, leaves valued by another and by fast roll-outs.

A leaf is worth (1 - lambda) * value + lambda * roll-out. With lambda = 0 nobody plays roll-outs, with lambda = 1 nobody
asks the value network. `docs/algorithms/alphago.md` lists what differs from the publication.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forethought.game import Game
from forethought.nets.backends import BackendSettings, PolicyPartSettings, load_evaluator
from forethought.nets.evaluator import Evaluator
from forethought.nets.formats import VALUE
from forethought.nets.paired import paired
from forethought.patterns.model import CE, has_rollout_part, load_model
from forethought.patterns.policies import Policies
from forethought.patterns.rollouts import pattern_rollouts
from forethought.player import NewGroup, register_player
from forethought.runs import weights_of
from forethought.search.mcts.players import PuctSettings, perfect_information
from forethought.search.mcts.search import TreeSearch, TreeSearchGroup
from forethought.search.player import NewSearch
from forethought.settings import changed, fixed, setting


@register_player("alphago", label="AlphaGo", suits=perfect_information)
@dataclass(frozen=True, kw_only=True)
class AlphaGoSettings(PuctSettings):
    """Plans by tree search with a run's policy network, value network and roll-out policy, as AlphaGo does."""

    run: str = setting("the run, or run@iteration, whose networks and roll-outs guide the search", names="run")
    simulations: int = changed(PuctSettings, "simulations", 800)
    prior: str = changed(PolicyPartSettings, "policy")
    prior_temperature: float = changed(PuctSettings, "prior_temperature", 0.67)
    rollout_weight: float = changed(PuctSettings, "rollout_weight", 0.5)
    parallel_simulations: int = changed(PuctSettings, "parallel_simulations", 8)
    virtual_loss: int = changed(PuctSettings, "virtual_loss", 3)
    max_considered_actions: int = fixed(PuctSettings, "max_considered_actions", 0)
    dirichlet_epsilon: float = fixed(PuctSettings, "dirichlet_epsilon", 0.0)
    dirichlet_alpha: float = fixed(PuctSettings, "dirichlet_alpha", 1.0)
    backend: str = changed(BackendSettings, "backend")

    def new_search(self, game: Game) -> NewSearch:
        evaluator, policies = self._loaded(game)
        return lambda rng: TreeSearch(game, self, rng, evaluator, _rollouts(game, policies))

    def new_group(self, game: Game) -> NewGroup:
        if self.seconds > 0.0:
            return super().new_group(game)  # each search has its own time
        evaluator, policies = self._loaded(game)
        return lambda rngs: TreeSearchGroup(game, self, rngs, evaluator, _rollouts(game, policies))

    def _loaded(self, game: Game) -> tuple[Evaluator, Policies | None]:
        """Return what the search asks, and what plays its roll-outs; nothing that lambda leaves without weight."""
        self.check_game(game, asks=True)
        weights = weights_of(self.run)
        evaluator = load_evaluator(weights, game, self.backend, self.prior)
        if self.rollout_weight < 1.0:
            evaluator = paired(evaluator, load_evaluator(weights, game, self.backend, VALUE))
        return evaluator, _fast_policies(weights, game) if self.rollout_weight > 0.0 else None


def _fast_policies(weights: Path, game: Game) -> Policies | None:
    """Return the fitted policies for roll-outs; None where there are none, and roll-outs are uniform."""
    if not has_rollout_part(weights):
        return None
    return load_model(weights, game).policies(game, priors=CE, playing=CE)


def _rollouts(game: Game, policies: Policies | None) -> Any:
    """Return the roll-outs of one search or one group, which has its own memory."""
    return None if policies is None else pattern_rollouts(game, policies)
