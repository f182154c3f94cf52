"""The player that plays a linear policy on patterns, and does not search."""

from dataclasses import dataclass

import numpy as np

from forethought.game import Game, Observation
from forethought.patterns.incremental import make_pattern_memory, policy_at, update_from_empty
from forethought.patterns.model import OBJECTIVES, TSPG, load_model, suits_patterns
from forethought.patterns.policies import Policies
from forethought.player import NewPlayer, PlayerSettings, Policy, register_player
from forethought.runs import weights_of
from forethought.settings import setting


class PatternPlayer:
    """Draws its moves from a linear policy, without search."""

    def __init__(self, game: Game, policies: Policies) -> None:
        self._game, self._policies, self._memory = game, policies, make_pattern_memory(game, policies.patterns)

    def think(self, observation: Observation) -> Policy:
        assert observation.state is not None  # noqa: S101 (patterns are for games that hide nothing)
        actions, chances = np.array(observation.legal_actions), np.zeros(len(observation.legal_actions))
        update_from_empty(self._game.table, self._policies, self._memory, observation.state.memory)
        policy_at(self._policies, self._memory, observation.player, actions, chances)
        return Policy(observation.legal_actions, tuple(chances.tolist()))


@register_player("linear", label="Patterns without search", suits=suits_patterns)
@dataclass(frozen=True, kw_only=True)
class LinearSettings(PlayerSettings):
    """Plays the linear policy of a run on its patterns, without search."""

    run: str = setting("the run, or run@iteration, whose patterns play", names="run")
    policy: str = setting("which of its policies plays", TSPG, words=OBJECTIVES)

    def new_player(self, game: Game) -> NewPlayer:
        policies = load_model(weights_of(self.run), game).policies(game, priors=self.policy, playing=self.policy)
        return lambda _rng: PatternPlayer(game, policies)
