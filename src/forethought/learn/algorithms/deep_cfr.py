"""Deep CFR (Brown et al., 2019) by outcome sampling, with DREAM's baseline (Steinberger et al., 2020).

Counterfactual regret minimisation whose tables are networks. Traversals sample games; at decisions of the player who
traverses they estimate how much better each action is than the strategy. A network that is taught anew in every
iteration, from all estimates so far, weighed by the numbers of their iterations, has the cumulative regrets up to a
factor for each information set; the next strategy is their regret matching. A second network expects what actions are
worth, with all cards open, and takes most of the chance out of the estimates. A third learns the average of all
strategies: it is what plays in the end.

The memories are part of the checkpoint. A run that is stopped goes on from there; the iteration that was in progress is
played again, the same.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from forethought.compiler.announce import Stopwatch
from forethought.game import Game
from forethought.games.reference import GameReference, reference_to
from forethought.learn.algorithms.nfsp import NfspPlay
from forethought.learn.configuration import Configuration
from forethought.learn.division import parts_of
from forethought.learn.learner import GAMES, LEARNING, MEMORY, WEIGHTS, Learner, LearnerState, register_learner
from forethought.learn.metrics import Metric
from forethought.learn.network_learner import require_torch
from forethought.learn.outcome_traversals import (
    HistoryTransitions,
    SampledAdvantages,
    SampledStrategies,
    TraversalExperience,
    TraversalNetworks,
    experience_of,
    joined_experience,
    traverse_games,
)
from forethought.learn.play import Play
from forethought.learn.replay import CircularMemory, ReservoirMemory
from forethought.learn.run import SavedGame
from forethought.learn.sections import LAYERS, LearningSettings, layers_of
from forethought.learn.state_parts import HasState, restore_parts, state_of_parts
from forethought.nets.formats import Parameters
from forethought.nets.mlp import MlpWeights, make_mlp, parameters_of
from forethought.player import PlayerSettings
from forethought.players.network import NetworkSettings
from forethought.playouts import return_size
from forethought.randomness import generators
from forethought.runtime.executor import Executor, Stopped, Stopping, in_order
from forethought.settings import Settings, changed, setting

if TYPE_CHECKING:
    from forethought.learn.regret_networks import RegretNetworks

ADVANTAGE_LOSS = Metric("advantage_loss", "Advantages: weighed squared error")
BASELINE_LOSS = Metric("baseline_loss", "Baseline: squared error")
STRATEGY_LOSS = Metric("strategy_loss", "Average strategy: weighed cross-entropy", "nats")
SPREAD = Metric("spread", "Sampled advantages: root mean square", "mean return")


@dataclass(frozen=True, kw_only=True)
class DeepCfrMemory(Settings):
    """What the networks learn from."""

    advantages: int = setting("sampled advantages in the reservoir", 1_000_000, low=1)
    strategies: int = setting("strategies in the reservoir from which their average is learned", 1_000_000, low=1)
    transitions: int = setting("latest decisions that the baseline is learned from", 100_000, low=1)


@dataclass(frozen=True, kw_only=True)
class DeepCfrLearning(Settings):
    """How the networks learn: Adam on minibatches of the memories."""

    hidden: str = setting("hidden layers of all networks", "128-128", example="128-64", pattern=LAYERS)
    rate: float = changed(LearningSettings, "rate", 3e-3)
    batch: int = changed(LearningSettings, "batch", 512)
    steps: int = changed(LearningSettings, "steps", 500)
    baseline_steps: int = setting("gradient steps of the baseline per iteration", 200, low=1)
    average_steps: int = setting("gradient steps of the average strategy per iteration", 200, low=1)


@dataclass(frozen=True, kw_only=True)
class DeepCfrSampling(Settings):
    """How games are sampled."""

    exploration: float = setting("epsilon: share of random actions of the traverser", 0.5, above=0.0, high=1.0)
    baseline: str = setting(
        "control variate of the estimates: a network that knows the facts of all players, or none",
        "network",
        words=("network", "none"),
    )
    together: int = changed(NfspPlay, "together", 256)


@dataclass(frozen=True, kw_only=True)
class DeepCfrConfiguration(Configuration):
    """Deep CFR by outcome sampling, for zero-sum games of two players."""

    algorithm: str = changed(Configuration, "algorithm", "deep-cfr")
    games: int = changed(Configuration, "games", 4_096)
    memory: DeepCfrMemory = field(default_factory=DeepCfrMemory)
    learning: DeepCfrLearning = field(default_factory=DeepCfrLearning)
    sampling: DeepCfrSampling = field(default_factory=DeepCfrSampling)


@dataclass(frozen=True)
class TraversalJob:
    """Games to be sampled together by one worker. Plain data."""

    reference: GameReference
    networks: TraversalNetworks
    exploration: float
    unit: float
    iteration: int
    seed: tuple[int, ...]
    games: int


@register_learner(
    "deep-cfr",
    DeepCfrConfiguration,
    label="Deep Counterfactual Regret Minimisation",
    suits=lambda game: game.players == 2 and game.zero_sum,
    presets={"no-baseline": {"sampling.baseline": "none"}},
)
class DeepCfrLearner(Learner):
    """The algorithm, for one game and configuration."""

    metrics: ClassVar[Sequence[Metric]] = (ADVANTAGE_LOSS, SPREAD, BASELINE_LOSS, STRATEGY_LOSS)
    remedy: ClassVar[str] = "more games and steps per iteration, and more iterations"

    def __init__(self, game: Game, configuration: DeepCfrConfiguration) -> None:
        require_torch()
        if game.players != 2 or not game.zero_sum:
            raise game.mistake("deep-cfr learns zero-sum games of two players; train it with --algorithm mmd")
        super().__init__(game, configuration)
        self._chosen, self._unit = configuration, return_size(game)
        self._networks = self._new_networks(self.rng(WEIGHTS))
        memory = configuration.memory
        states, players = np.zeros((0, game.table.state_bytes), np.uint8), np.zeros(0, np.int32)
        targets, column = np.zeros((0, game.table.choices), np.float32), np.zeros(0, np.float32)
        ended = np.zeros(0, np.uint8)
        self._advantages = ReservoirMemory(memory.advantages, SampledAdvantages(states, players, targets, column))
        self._strategies = ReservoirMemory(memory.strategies, SampledStrategies(states, players, targets, column))
        transitions = HistoryTransitions(states, players, players, column, ended, states, players)
        self._transitions = CircularMemory(memory.transitions, transitions)

    def _new_networks(self, rng: np.random.Generator) -> "RegretNetworks":
        from forethought.learn.regret_networks import RegretNetworks  # noqa: PLC0415 (torch)

        advantages, baseline, average = (self._new_parameters(rng, observers) for observers in (1, 2, 1))
        return RegretNetworks(
            self.game, constant(advantages, 1.0), constant(baseline, 0.0), average, self._chosen.learning.batch
        )

    def _new_parameters(self, rng: np.random.Generator, observers: int = 1) -> Parameters:
        hidden = layers_of(self._chosen.learning.hidden)
        return parameters_of(make_mlp(observers * self.game.facts, self.game.actions, hidden, rng))

    def iterate(self, number: int, play: Play) -> Mapping[str, float]:
        watch = Stopwatch()
        found = self._sample(number, play.executor)
        memory_rng = self.rng(MEMORY, number)
        self._advantages.add(found.advantages, memory_rng)
        self._strategies.add(found.strategies, memory_rng)
        self._transitions.add(found.transitions, memory_rng)
        play.pass_by(self._chosen.games, len(found.transitions.actions), watch.seconds)
        squares = np.square(found.advantages.targets).sum(axis=1)
        return self._learn(number) | {"spread": float(np.sqrt(squares.mean()))}

    def _sample(self, number: int, executor: Executor) -> TraversalExperience:
        """Sample games by the latest networks."""
        chosen, reference, networks = self._chosen, reference_to(self.game), self._networks.traversal_networks()
        jobs = [
            TraversalJob(
                reference,
                networks,
                chosen.sampling.exploration,
                self._unit,
                number,
                (chosen.seed, GAMES, number, job),
                size,
            )
            for job, size in enumerate(parts_of(chosen.games, chosen.sampling.together))
        ]
        return joined_experience(list(in_order(executor, sample_games, jobs)))

    def _learn(self, number: int) -> dict[str, float]:
        """Let all networks learn from their memories; the baseline is that of the new advantages."""
        learning, networks, rng = self._chosen.learning, self._networks, self.rng(LEARNING, number)
        networks.renew_advantages(self._new_parameters(rng))

        def advantages(rate: float) -> float:
            return networks.learn_advantages(self._advantages.batch(learning.batch, rng), number, rate)

        def baseline(rate: float) -> float:
            return networks.learn_baseline(self._transitions.batch(learning.batch, rng), rate)

        def average(rate: float) -> float:
            return networks.learn_average(self._strategies.batch(learning.batch, rng), number, rate)

        losses = {"advantage_loss": self._steps(advantages, learning.steps)}
        if self._chosen.sampling.baseline == "network":
            losses["baseline_loss"] = self._steps(baseline, learning.baseline_steps)
        return losses | {"strategy_loss": self._steps(average, learning.average_steps)}

    def _steps(self, step: Callable[[float], float], steps: int) -> float:
        """Take so many steps at rates that fall linearly; return the mean loss."""
        rate = self._chosen.learning.rate
        return float(np.mean([step(rate * (1.0 - done / steps)) for done in range(steps)]))

    def state(self) -> LearnerState:
        return LearnerState(state_of_parts(self._parts()))

    def restore(self, state: LearnerState, games: Iterable[Sequence[SavedGame]]) -> None:  # noqa: ARG002
        restore_parts(self._parts(), state.arrays)

    def _parts(self) -> dict[str, HasState]:
        return {
            "networks": self._networks,
            "advantages": self._advantages,
            "strategies": self._strategies,
            "transitions": self._transitions,
        }

    def export(self, path: Path) -> None:
        MlpWeights(self._networks.average.parameters()).save(path, self.game)

    @classmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        return {"network": NetworkSettings(run=run), "policy": NetworkSettings(run=run, greedy="never")}


def sample_games(job: TraversalJob, stopping: Stopping) -> TraversalExperience:
    """Sample the games of a job, all at once. A task for an executor."""
    if stopping():
        raise Stopped
    rngs = generators(job.games, *job.seed)
    traversed = traverse_games(job.reference.game, job.networks, job.exploration, job.unit, rngs)
    return experience_of(traversed, job.iteration)


def constant(parameters: Parameters, output: float) -> Parameters:
    """Return a network whose outputs are all alike: equal advantages are a uniform strategy."""
    last = len(parameters) // 2 - 1
    weight, bias = parameters[f"weight{last}"], parameters[f"bias{last}"]
    return parameters | {f"weight{last}": np.zeros_like(weight), f"bias{last}": np.full_like(bias, output)}
