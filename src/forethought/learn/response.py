"""A response learned by policy gradient: PPO in one seat, against a player that does not change.

An opponent that does not change makes the game a problem of one decider, so nothing need hold the policy back: there is
no magnet, and the temperature of the entropy falls to almost nothing. The critic sees the facts of all players while it
teaches; the response that is returned sees its own alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from forethought.evaluate.lockstep import CompiledStrategy, GamesInProgress, play_out
from forethought.evaluate.lower_bound import LEARNING, Exploited, Progress, ResponseSettings, register_response
from forethought.learn.algorithms.mmd import MmdLearning, MmdNetwork, hidden_of, temperature_at
from forethought.learn.division import games_of, parts_of
from forethought.learn.lockstep import Played, RecordedSide, advantages, joined
from forethought.learn.network_learner import require_torch
from forethought.learn.policy_gradient import BatchUpdate, Weights
from forethought.nets.mlp import make_mlp, mlp_of, parameters_of
from forethought.players.network import Thresholded
from forethought.playouts import return_size
from forethought.randomness import generators
from forethought.settings import changed, setting

if TYPE_CHECKING:
    from forethought.learn.actor_critic import ActorCritic

WEIGHTS, GAMES, ORDER = range(3)  # what a generator is for


@register_response("policy-gradient")
@dataclass(frozen=True, kw_only=True)
class PolicyGradientResponse(ResponseSettings):
    """Learns a network by PPO."""

    games: int = changed(ResponseSettings, "games", 100_000, low=1)
    batches: int = setting("parts of these games, each played by what was learned from those before it", 100, low=1)
    hidden: str = changed(MmdNetwork, "hidden")
    rate: float = changed(MmdLearning, "rate")
    batch: int = changed(MmdLearning, "batch")
    epochs: int = changed(MmdLearning, "epochs", 4)
    clip: float = changed(MmdLearning, "clip")
    gae_lambda: float = changed(MmdLearning, "gae_lambda", 1.0)
    max_gradient_norm: float = changed(MmdLearning, "max_gradient_norm")
    temperature: float = changed(MmdLearning, "temperature", 0.3)
    last_temperature: float = changed(MmdLearning, "last_temperature", 0.001)

    def learn(self, against: Exploited, progress: Progress) -> CompiledStrategy:
        require_torch()
        learner = _Learner(self, against, progress)
        for batch in range(self.batches):
            learner.improve(batch)
        return learner.response()


class _Learner:
    """A response in the making."""

    def __init__(self, chosen: PolicyGradientResponse, against: Exploited, progress: Progress) -> None:
        self._chosen, self._against, self._progress = chosen, against, progress
        self._unit = return_size(against.game)
        self._seed = against.seed, LEARNING, against.seat
        self._learners, self._order = self._new_learners(), np.random.default_rng((*self._seed, ORDER))

    def _new_learners(self) -> "ActorCritic":
        from forethought.learn.actor_critic import ActorCritic  # noqa: PLC0415 (torch)

        game, rng = self._against.game, np.random.default_rng((*self._seed, WEIGHTS))
        hidden = hidden_of(self._chosen.hidden, game)
        actor = make_mlp(game.facts, game.actions, hidden, rng)
        critic = make_mlp(game.facts * (game.players if game.hidden else 1), 1, hidden, rng)
        return ActorCritic(game, parameters_of(actor), parameters_of(critic), self._chosen.batch, threads=1)

    def improve(self, batch: int) -> None:
        """Play a batch of games, and learn from them."""
        chosen, part = self._chosen, batch / self._chosen.batches
        played = joined(list(self._play(batch)))
        update = BatchUpdate(
            Weights(temperature_at(part, chosen.temperature, chosen.last_temperature), 0.0, 0.0, chosen.clip),
            chosen.rate * (1.0 - part),
            chosen.max_gradient_norm,
            chosen.epochs,
            share=1.0,
        )
        if played.decisions.rows:
            worth = advantages(played, self._unit, chosen.gae_lambda)
            self._learners.learn(played.decisions, worth, update, self._order)

    def _play(self, batch: int) -> Iterator[Played]:
        against, networks = self._against, self._learners.networks(trailing=False)
        parts = list(parts_of(games_of(batch, self._chosen.batches, self._chosen.games), against.strategy.at_once))
        for number, games in enumerate(parts):
            self._progress((batch + number / len(parts)) / self._chosen.batches)
            seed = *self._seed, GAMES, batch, number
            playing = GamesInProgress(against.game, generators(games, *seed))
            side = RecordedSide(playing, [against.seat], networks)
            play_out([side, against.strategy.side(playing, against.others, *seed, 1)])
            yield side.played()

    def response(self) -> CompiledStrategy:
        return CompiledStrategy(Thresholded(mlp_of(self._learners.actor.parameters()), threshold=1.0))
