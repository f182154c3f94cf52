"""Neural Fictitious Self-Play (Heinrich and Silver, 2016): best responses by deep Q-learning, averaged by imitation.

Two networks decide for all seats. One holds action values, learned from the latest decisions; its best action is an
approximate best response to what the others play. The other imitates a uniform sample of all best responses that were
ever played: it is their average, as in fictitious play, and what plays in the end. In every game each player is a best
response with the probability eta, otherwise the average; so action values are learned against opponents that are a
little ahead of the average (anticipatory dynamics).

The memories are part of the checkpoint. A run that is stopped goes on from there; the iteration that was in progress is
played again, the same.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from forethought.compiler.announce import Stopwatch
from forethought.game import Game
from forethought.games.reference import GameReference, reference_to
from forethought.learn.configuration import Configuration
from forethought.learn.division import games_of, parts_of
from forethought.learn.fictitious_play import (
    FictitiousExperience,
    FictitiousPlayers,
    Imitations,
    Transitions,
    joined_experience,
    play_games,
)
from forethought.learn.learner import GAMES, LEARNING, MEMORY, WEIGHTS, Learner, LearnerState, register_learner
from forethought.learn.metrics import Metric
from forethought.learn.network_learner import require_torch
from forethought.learn.play import Play
from forethought.learn.replay import CircularMemory, ReservoirMemory
from forethought.learn.run import SavedGame
from forethought.learn.sections import LAYERS, LearningSettings, layers_of
from forethought.learn.state_parts import HasState, restore_parts, state_of_parts
from forethought.nets.formats import Parameters
from forethought.nets.mlp import MlpWeights, make_mlp, mlp_of, parameters_of
from forethought.player import PlayerSettings
from forethought.players.network import NetworkSettings
from forethought.playouts import return_size
from forethought.randomness import generators
from forethought.runtime.executor import Executor, Stopped, Stopping, in_order
from forethought.settings import Settings, changed, setting

if TYPE_CHECKING:
    from forethought.learn.response_and_average import ResponseAndAverage

VALUE_ERROR = Metric("value_error", "Action values: squared error")
IMITATION_LOSS = Metric("imitation_loss", "Average strategy: cross-entropy from best responses", "nats")
RESPONSES = Metric("responses", "Best responses in the reservoir", "decisions")


@dataclass(frozen=True, kw_only=True)
class NfspMemory(Settings):
    """What the networks learn from."""

    transitions: int = setting("latest decisions that action values are learned from, at most", 1_000_000, low=1)
    share: float = setting("share of all decisions that the latest are", 0.02, low=0.0, high=1.0)
    least: int = setting("latest decisions that action values are learned from, at least", 200_000, low=1)
    reservoir: int = setting("best responses that the average is learned from", 2_000_000, low=1)

    def window(self, made: int) -> int:
        """Return how many of the latest decisions action values are learned from, of so many that were made."""
        return max(self.least, int(self.share * made))


@dataclass(frozen=True, kw_only=True)
class NfspLearning(Settings):
    """How the networks learn: Adam on minibatches of the memories."""

    hidden: str = setting("hidden layers of both networks", "128", example="128-64", pattern=LAYERS)
    rate: float = changed(LearningSettings, "rate", 3e-3)
    value_rate: float = setting("learning rate of the action values", 3e-3, above=0.0, high=1.0)
    batch: int = changed(LearningSettings, "batch", 512)
    steps: int = changed(LearningSettings, "steps", 256)
    target_updates: int = setting("updates of the action values between those of their target network", 300, low=1)
    slowing: float = setting(
        "iterations after which both rates have fallen to 0.71; they fall as 1 / sqrt(1 + n / these)", 30.0, above=0.0
    )


@dataclass(frozen=True, kw_only=True)
class NfspPlay(Settings):
    """How games are played."""

    anticipation: float = setting("eta: probability that a player plays its best response", 0.25, above=0.0, high=1.0)
    epsilon: float = setting(
        "share of random actions of a best response; they are not imitated", 0.1, low=0.0, high=1.0
    )
    batches: int = setting("batches of an iteration, after each of which the networks learn", 16, low=1)
    together: int = setting("games of one worker in lock-step", 512, low=1)


@dataclass(frozen=True, kw_only=True)
class NfspConfiguration(Configuration):
    """Neural Fictitious Self-Play, for all games."""

    algorithm: str = changed(Configuration, "algorithm", "nfsp")
    games: int = changed(Configuration, "games", 32_768)
    memory: NfspMemory = field(default_factory=NfspMemory)
    learning: NfspLearning = field(default_factory=NfspLearning)
    play: NfspPlay = field(default_factory=NfspPlay)


@dataclass(frozen=True)
class FictitiousJob:
    """Games of self-play, to be played together by one worker. Plain data."""

    reference: GameReference
    players: FictitiousPlayers
    unit: float
    seed: tuple[int, ...]
    games: int


@register_learner("nfsp", NfspConfiguration, label="Neural Fictitious Self-Play")
class NfspLearner(Learner):
    """The algorithm, for one game and configuration."""

    metrics: ClassVar[Sequence[Metric]] = (VALUE_ERROR, IMITATION_LOSS, RESPONSES)
    remedy: ClassVar[str] = "more games and steps per iteration, and more iterations"

    def __init__(self, game: Game, configuration: NfspConfiguration) -> None:
        require_torch()
        super().__init__(game, configuration)
        self._chosen, self._unit = configuration, return_size(game)
        self._networks = self._new_networks(self.rng(WEIGHTS))
        states, column = np.zeros((0, game.table.state_bytes), np.uint8), np.zeros(0, np.int32)
        imitations = Imitations(states, column, column)
        transitions = Transitions(*imitations, np.zeros(0, np.float32), np.zeros(0, np.uint8), states)
        self._transitions = CircularMemory(configuration.memory.transitions, transitions)
        self._imitations = ReservoirMemory(configuration.memory.reservoir, imitations)

    def _new_networks(self, rng: np.random.Generator) -> "ResponseAndAverage":
        from forethought.learn.response_and_average import ResponseAndAverage  # noqa: PLC0415 (torch)

        learning = self._chosen.learning
        response, average = self._new_parameters(rng), self._new_parameters(rng)
        return ResponseAndAverage(self.game, response, average, learning.batch, learning.target_updates)

    def _new_parameters(self, rng: np.random.Generator) -> Parameters:
        return parameters_of(make_mlp(self.game.facts, self.game.actions, layers_of(self._chosen.learning.hidden), rng))

    def iterate(self, number: int, play: Play) -> Mapping[str, float]:
        batches, losses = self._chosen.play.batches, list[tuple[float, float]]()
        memory_rng, learning_rng = self.rng(MEMORY, number), self.rng(LEARNING, number)
        for batch in range(batches):
            watch = Stopwatch()
            found = self._play(number, batch, play.executor)
            self._transitions.add(found.transitions, memory_rng)
            self._imitations.add(found.imitations, memory_rng)
            play.pass_by(found.games, len(found.transitions.actions), watch.seconds)
            losses += self._learn(number, games_of(batch, batches, self._chosen.learning.steps), learning_rng)
        errors, entropies = np.nanmean(np.array(losses), axis=0)
        return {
            "value_error": float(errors),
            "imitation_loss": float(entropies),
            "responses": self._imitations.rows,
        }

    def _play(self, number: int, batch: int, executor: Executor) -> FictitiousExperience:
        """Play a batch of games by the latest networks."""
        chosen, reference = self._chosen.play, reference_to(self.game)
        average, response = (mlp_of(net.parameters()) for net in (self._networks.average, self._networks.response))
        players = FictitiousPlayers(average, response, chosen.anticipation, chosen.epsilon)
        sizes = enumerate(parts_of(games_of(batch, chosen.batches, self._chosen.games), chosen.together))
        seed = (self._chosen.seed, GAMES, number, batch)
        jobs = [FictitiousJob(reference, players, self._unit, (*seed, job), size) for job, size in sizes]
        return joined_experience(list(in_order(executor, play_fictitiously, jobs)))

    def _learn(self, number: int, steps: int, rng: np.random.Generator) -> list[tuple[float, float]]:
        """Let both networks learn from their memories; return the losses, where there is something to learn from."""
        learning, losses = self._chosen.learning, list[tuple[float, float]]()
        window = self._chosen.memory.window(self._transitions.offered)
        part = slowed(number, learning.slowing)
        for _ in range(steps):
            error = entropy = math.nan
            if self._transitions.rows:
                decisions = self._transitions.latest(window, learning.batch, rng)
                error = self._networks.learn_values(decisions, part * learning.value_rate)
            if self._imitations.rows:
                imitated = self._imitations.batch(learning.batch, rng)
                entropy = self._networks.learn_average(imitated, part * learning.rate)
            losses.append((error, entropy))
        return losses

    def state(self) -> LearnerState:
        return LearnerState(state_of_parts(self._parts()))

    def restore(self, state: LearnerState, games: Iterable[Sequence[SavedGame]]) -> None:  # noqa: ARG002
        restore_parts(self._parts(), state.arrays)

    def _parts(self) -> dict[str, HasState]:
        return {"networks": self._networks, "transitions": self._transitions, "imitations": self._imitations}

    def export(self, path: Path) -> None:
        MlpWeights(self._networks.average.parameters()).save(path, self.game)

    @classmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        return {"network": NetworkSettings(run=run), "policy": NetworkSettings(run=run, greedy="never")}


def slowed(iteration: int, slowing: float) -> float:
    """Return to which part rates have fallen before an iteration; they fall as its inverse square root."""
    return 1.0 / math.sqrt(1.0 + (iteration - 1) / slowing)


def play_fictitiously(job: FictitiousJob, stopping: Stopping) -> FictitiousExperience:
    """Play the games of a job, all at once. A task for an executor."""
    if stopping():
        raise Stopped
    return play_games(job.reference.game, job.players, job.unit, generators(job.games, *job.seed))
