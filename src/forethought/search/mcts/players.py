"""Players that search a tree of positions; where nothing is hidden."""

from dataclasses import dataclass

from forethought.game import Game
from forethought.nets.backends import BackendSettings, load_evaluator
from forethought.nets.evaluator import Evaluator
from forethought.patterns.model import CE, OBJECTIVES, TSPG, load_model, suits_patterns
from forethought.patterns.rollouts import pattern_rollouts
from forethought.player import NewGroup, register_player
from forethought.runs import weights_of
from forethought.search.mcts.search import TreeSearch, TreeSearchGroup
from forethought.search.mcts.settings import MctsSettings
from forethought.search.player import NewSearch
from forethought.settings import changed, fixed, setting


def perfect_information(game: Game) -> bool:
    return not game.hidden


@register_player(
    "uct",
    label="Monte Carlo tree search",
    suits=perfect_information,
    thinks="uct:{simulations}",
    reviews="uct:2000",
)
@dataclass(frozen=True, kw_only=True)
class UctSettings(MctsSettings):
    """Plans by Monte Carlo tree search with random roll-outs (UCT)."""

    selection: str = fixed(MctsSettings, "selection", "ucb1")
    first_play_urgency: str = fixed(MctsSettings, "first_play_urgency", "parent")
    rollout_weight: float = fixed(MctsSettings, "rollout_weight", 1.0)
    prior_temperature: float = fixed(MctsSettings, "prior_temperature", 1.0)
    parallel_simulations: int = fixed(MctsSettings, "parallel_simulations", 1)
    virtual_loss: int = fixed(MctsSettings, "virtual_loss", 1)
    max_considered_actions: int = fixed(MctsSettings, "max_considered_actions", 0)
    dirichlet_epsilon: float = fixed(MctsSettings, "dirichlet_epsilon", 0.0)
    dirichlet_alpha: float = fixed(MctsSettings, "dirichlet_alpha", 1.0)

    def new_search(self, game: Game) -> NewSearch:
        self.check_game(game, asks=False)
        return lambda rng: TreeSearch(game, self, rng)


@dataclass(frozen=True, kw_only=True)
class PuctSettings(MctsSettings):
    """PUCT with the values of a network, as in AlphaZero."""

    selection: str = fixed(MctsSettings, "selection", "puct")
    exploration: float = changed(MctsSettings, "exploration", 1.5)
    rollout_weight: float = changed(MctsSettings, "rollout_weight", 0.0)


@register_player("az", label="AlphaZero", suits=perfect_information)
@dataclass(frozen=True, kw_only=True)
class AzSettings(PuctSettings):
    """Plans by Monte Carlo tree search guided by the network of a run, as AlphaZero does."""

    run: str = setting("the run, or run@iteration, whose network guides the search", names="run")
    backend: str = changed(BackendSettings, "backend")
    simulations: int = changed(PuctSettings, "simulations", 800)
    dirichlet_epsilon: float = fixed(PuctSettings, "dirichlet_epsilon", 0.0)
    dirichlet_alpha: float = fixed(PuctSettings, "dirichlet_alpha", 1.0)

    def new_search(self, game: Game) -> NewSearch:
        network = self._network(game)
        return lambda rng: TreeSearch(game, self, rng, network)

    def new_group(self, game: Game) -> NewGroup:
        if self.seconds > 0.0:
            return super().new_group(game)  # each search has its own time
        network = self._network(game)
        return lambda rngs: TreeSearchGroup(game, self, rngs, network)

    def _network(self, game: Game) -> Evaluator:
        self.check_game(game, asks=True)
        network = load_evaluator(weights_of(self.run), game, self.backend)
        if network.values == 0:
            raise game.mistake(
                f"the network of {self.run} gives no values, which a tree search needs; use net:{self.run}"
            )
        return network


@dataclass(frozen=True, kw_only=True)
class PatternSearchSettings(MctsSettings):
    """PUCT biased by linear policies on patterns, which also play the roll-outs."""

    selection: str = fixed(MctsSettings, "selection", "puct")
    exploration: float = changed(MctsSettings, "exploration", 2.5)
    first_play_urgency: str = fixed(MctsSettings, "first_play_urgency", "parent")
    rollout_weight: float = fixed(MctsSettings, "rollout_weight", 1.0)
    rollout_limit: int = changed(MctsSettings, "rollout_limit", 200, low=1)
    playouts: str = setting("the policy that plays the roll-outs", TSPG, words=OBJECTIVES)
    solve: bool = fixed(MctsSettings, "solve", False)
    parallel_simulations: int = fixed(MctsSettings, "parallel_simulations", 1)
    virtual_loss: int = fixed(MctsSettings, "virtual_loss", 1)
    max_considered_actions: int = fixed(MctsSettings, "max_considered_actions", 0)
    dirichlet_epsilon: float = fixed(MctsSettings, "dirichlet_epsilon", 0.0)
    dirichlet_alpha: float = fixed(MctsSettings, "dirichlet_alpha", 1.0)


@register_player("biased", label="Tree search biased by patterns", suits=suits_patterns)
@dataclass(frozen=True, kw_only=True)
class BiasedSettings(PatternSearchSettings):
    """Plans by tree search with the patterns of a run: the policy ce gives the priors, another plays the roll-outs."""

    run: str = setting("the run, or run@iteration, whose patterns bias the search", names="run")

    def new_search(self, game: Game) -> NewSearch:
        policies = load_model(weights_of(self.run), game).policies(game, priors=CE, playing=self.playouts)
        return lambda rng: TreeSearch(game, self, rng, rollouts=pattern_rollouts(game, policies))
