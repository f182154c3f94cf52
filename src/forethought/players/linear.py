"""Players that know patterns: their linear policies alone, or tree search biased by them."""

import numpy as np

from forethought.errors import ForethoughtError
from forethought.game import Game, Observation
from forethought.patterns.incremental import make_standing, policy_at, stand_at
from forethought.patterns.model import CE, OBJECTIVES, load_model
from forethought.patterns.policies import Policies
from forethought.players.player import NewPlayer, Policy
from forethought.players.searching import Budget, SearchPlayer
from forethought.randomness import Generator
from forethought.runs import weights_of
from forethought.search.mcts.search import TreeSearch
from forethought.search.mcts.settings import TreeSettings


class PatternPlayer:
    """Draws its moves from a linear policy, without search."""

    def __init__(self, game: Game, policies: Policies) -> None:
        self._game, self._policies, self._standing = game, policies, make_standing(game, policies.patterns)

    def think(self, observation: Observation) -> Policy:
        assert observation.state is not None  # noqa: S101 (patterns are for games that hide nothing)
        actions, chances = np.array(observation.legal_actions), np.zeros(len(observation.legal_actions))
        stand_at(self._game.table, self._policies, self._standing, observation.state.memory)
        policy_at(self._policies, self._standing, observation.player, actions, chances)
        return Policy(observation.legal_actions, tuple(chances.tolist()))


def linear(game: Game, run: str, policy: str = "tspg") -> NewPlayer:
    """Plays the linear policy of a run on its patterns, without search: linear(run=RUN,policy=tspg), ce or double."""
    _check_objective("policy", policy)
    policies = load_model(weights_of(run), game).policies(game, priors=policy, playing=policy)
    return lambda _rng: PatternPlayer(game, policies)


def biased(  # noqa: PLR0913, PLR0917 (one parameter each of the search)
    game: Game,
    run: str,
    simulations: int = 1_600,
    seconds: float = 0.0,
    playouts: str = "tspg",
    exploration: float = 2.5,
    cut: int = 200,
    temperature: float = 0.0,
    max_nodes: int = 1_000_000,
) -> NewPlayer:
    """Plans by tree search with the patterns of a run: ce gives the priors; playouts=tspg, double or ce plays below."""
    _check_objective("playouts", playouts)
    policies = load_model(weights_of(run), game).policies(game, priors=CE, playing=playouts)
    settings, budget = biased_settings(exploration, cut, max_nodes), Budget(simulations, seconds)

    def new_player(rng: Generator) -> SearchPlayer:
        return SearchPlayer(TreeSearch(game, settings, rng, policies, temperature), budget)

    return new_player


def biased_settings(exploration: float, cut: int, max_nodes: int) -> TreeSettings:
    """Return how a tree is searched with patterns: PUCT, untried moves at their position's value, roll-outs only."""
    return TreeSettings(selection="puct", exploration=exploration, cut=cut, max_nodes=max_nodes)


def _check_objective(name: str, value: str) -> None:
    if value not in OBJECTIVES:
        raise ForethoughtError(f"{name} must be one of {', '.join(OBJECTIVES)}, not {value}.")
