"""Magnetic mirror descent by policy gradient: self-play without search, in the form of PPO (Sokota et al., 2023).

One network decides for all seats. A batch of games is played by its latest policy, and it learns from them at once:
actions that went better than the critic expected become more probable, while the entropy's temperature and a magnet
keep the policy from running after its opponents. The temperature and the learning rate fall during the training. What
plays in the end is a moving average of the weights; as a magnet that trails behind, it is NashPG's. Without a magnet
and without proximal_weight it is PPO.

Nothing is remembered from batch to batch but weights. So a run that is stopped goes on from its last checkpoint; the
iteration that was in progress is played again, the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from forethought.compiler.announce import Stopwatch
from forethought.game import Game
from forethought.games.reference import GameReference, reference_to
from forethought.learn.configuration import Configuration
from forethought.learn.division import games_of, parts_of
from forethought.learn.learner import GAMES, LEARNING, WEIGHTS, Learner, LearnerState, register_learner
from forethought.learn.lockstep import Networks, Played, advantages, joined, play_games
from forethought.learn.metrics import Metric
from forethought.learn.network_learner import ENTROPY, VALUE_LOSS, require_torch
from forethought.learn.play import Play
from forethought.learn.policy_gradient import BatchUpdate, Measures, Weights
from forethought.learn.run import SavedGame
from forethought.learn.sections import LAYERS, LearningSettings, layers_of
from forethought.nets.formats import Parameters
from forethought.nets.mlp import MIDDLING, MlpWeights, is_small, make_mlp, parameters_of
from forethought.player import PlayerSettings
from forethought.players.network import NetworkSettings
from forethought.playouts import return_size
from forethought.randomness import generators
from forethought.runtime.executor import Executor, Stopped, Stopping, in_order
from forethought.runtime.threads import Threads
from forethought.settings import Settings, changed, setting

if TYPE_CHECKING:
    from forethought.learn.actor_critic import ActorCritic

FOR_LEARNING = 0.9  # of the time; the rest is for evaluation
TRAILING = "trailing"
SMALL, LARGE = (128, 128), (256, 256)  # hidden layers, for games of up to MIDDLING and above
LARGE_GAME = 2_000  # facts x actions, above which trainings begin from the preset `large`: goofspiel(13) has 2,730

TEMPERATURE = Metric("temperature", "Temperature of the entropy", "mean return")
DIVERGENCE = Metric("divergence", "Divergence from the policy that played", "nats")
CLIPPED = Metric("clipped", "Decisions whose gradient is clipped", "share")


@dataclass(frozen=True, kw_only=True)
class MmdNetwork(Settings):
    """What the actor and the critic are made of."""

    hidden: str = setting(
        "hidden layers of the actor; empty: 128-128, or 256-256 where facts times actions exceed 1,000",
        "",
        example="256-256",
        pattern=LAYERS,
    )
    critic_hidden: str = setting(
        "hidden layers of the critic; empty: as the actor's", "", example="256-256", pattern=LAYERS
    )
    critic_sees: str = setting(
        "what the critic knows in self-play: the facts of all players, or of the mover alone",
        "all",
        words=("all", "mover"),
    )


@dataclass(frozen=True, kw_only=True)
class MmdLearning(Settings):
    """How the actor and the critic learn: Adam on the losses of PPO, regularised."""

    rate: float = changed(LearningSettings, "rate", 3e-3)
    batch: int = changed(LearningSettings, "batch", 512)
    epochs: int = setting("times that each decision is learned from", 1, low=1)
    clip: float = setting("epsilon: how far the probability ratio counts", 0.2, above=0.0)
    gae_lambda: float = setting("lambda of generalised advantage estimation", 0.95, low=0.0, high=1.0)
    max_gradient_norm: float = setting("length to which the actor's gradient is shortened", 0.5, above=0.0)
    temperature: float = setting("weight of the entropy at first", 0.15, low=0.0)
    last_temperature: float = setting("weight of the entropy at last; it falls geometrically", 0.01, low=0.0)
    magnet: str = setting(
        "what the policy is drawn towards: nothing, the uniform policy, or the moving average of its own past",
        TRAILING,
        words=("none", "uniform", TRAILING),
    )
    magnet_weight: float = setting("weight of the divergence from the magnet", 0.2, low=0.0)
    proximal_weight: float = setting("weight of the divergence from the policy that played", 0.05, low=0.0)
    span: float = setting("share of the training so far that the moving average spans", 0.2, above=0.0, high=1.0)


@dataclass(frozen=True, kw_only=True)
class MmdPlay(Settings):
    """How self-play is divided."""

    batches: int = setting("batches of an iteration, each played by what was learned from those before it", 16, low=1)
    together: int = setting("games of one worker that are played in lock-step", 128, low=1)


@dataclass(frozen=True, kw_only=True)
class MmdConfiguration(Configuration):
    """Magnetic mirror descent by policy gradient, for all games."""

    algorithm: str = changed(Configuration, "algorithm", "mmd")
    games: int = changed(Configuration, "games", 8_192)
    network: MmdNetwork = field(default_factory=MmdNetwork)
    learning: MmdLearning = field(default_factory=MmdLearning)
    play: MmdPlay = field(default_factory=MmdPlay)


@dataclass(frozen=True)
class LockstepJob:
    """Games of self-play, to be played together by one worker. Plain data."""

    reference: GameReference
    networks: Networks
    seed: tuple[int, ...]
    games: int

    @property
    def described(self) -> str:
        return f"{self.games} games of {self.reference.spec}, seed {self.seed}"


def constant_temperature(temperature: float) -> dict[str, float]:
    return {"learning.temperature": temperature, "learning.last_temperature": temperature}


PRESETS: dict[str, dict[str, Any]] = {
    "paper": {"learning.magnet": "none", "learning.proximal_weight": 0.05} | constant_temperature(0.05),
    "ppo": {"learning.magnet": "none", "learning.proximal_weight": 0.0} | constant_temperature(0.05),
    "large": {
        "network.hidden": "256-64",
        "learning.magnet_weight": 0.1,
        "learning.temperature": 0.05,
        "learning.last_temperature": 3e-3,
        "learning.rate": 2e-3,
    },  # with a fifth of this magnet, a learned response gains four times as much in goofspiel(13)
    "nashpg": {"learning.magnet": TRAILING, "learning.proximal_weight": 0.0} | constant_temperature(0.1),
}


@register_learner(
    "mmd",
    MmdConfiguration,
    label="Magnetic Mirror Descent",
    recommended=lambda game: game.hidden and not is_small(game),
    presets=PRESETS,
    usual_preset=lambda game: "large" if game.hidden and game.facts * game.actions > LARGE_GAME else "",
)
class Mmd(Learner):
    """The algorithm, for one game and configuration."""

    metrics: ClassVar[Sequence[Metric]] = (ENTROPY, VALUE_LOSS, DIVERGENCE, CLIPPED, TEMPERATURE)
    remedy: ClassVar[str] = "larger batches (games) and more iterations"

    def __init__(self, game: Game, configuration: MmdConfiguration) -> None:
        require_torch()
        super().__init__(game, configuration)
        self._chosen, self._unit = configuration, return_size(game)
        self._learners = self._new_learners(self.rng(WEIGHTS))

    def _new_learners(self, rng: np.random.Generator) -> "ActorCritic":
        from forethought.learn.actor_critic import ActorCritic  # noqa: PLC0415 (torch)

        game, chosen = self.game, self._chosen.network
        observers = game.players if chosen.critic_sees == "all" and game.hidden else 1
        hidden = hidden_of(chosen.hidden, game)
        actor = make_mlp(game.facts, game.actions, hidden, rng)
        critic = make_mlp(game.facts * observers, 1, layers_of(chosen.critic_hidden) or hidden, rng)
        batch, threads = self._chosen.learning.batch, self._chosen.threads
        return ActorCritic(game, parameters_of(actor), parameters_of(critic), batch, threads)

    def iterate(self, number: int, play: Play) -> Mapping[str, float]:
        batches, found = self._chosen.play.batches, list[Measures]()
        rng = self.rng(LEARNING, number)
        for batch in range(batches):
            watch = Stopwatch()
            played = self._play(number, batch, play.executor)
            play.pass_by(len(played.returns), played.decisions.rows, watch.seconds)
            found.append(self._learn(played, (number - 1) * batches + batch, rng))
        means = Measures(*(float(np.mean(measured)) for measured in zip(*found, strict=True)))
        return {
            "entropy": means.entropy,
            "value_loss": means.value_loss,
            "divergence": means.proximal_weight,
            "clipped": means.clipped,
            "temperature": self._temperature(number * batches),
        }

    def _play(self, number: int, batch: int, executor: Executor) -> Played:
        """Play a batch of games by the latest policy."""
        trailing = self._chosen.learning.magnet == TRAILING
        networks, reference = self._learners.networks(trailing), reference_to(self.game)
        sizes = enumerate(
            parts_of(games_of(batch, self._chosen.play.batches, self._chosen.games), self._chosen.play.together)
        )
        seed = (self._chosen.seed, GAMES, number, batch)
        jobs = [LockstepJob(reference, networks, (*seed, job), size) for job, size in sizes]
        return joined(list(in_order(executor, play_lockstep, jobs)))

    def _learn(self, played: Played, done: int, rng: np.random.Generator) -> Measures:
        """Learn from a batch, after so many others."""
        chosen = self._chosen.learning
        magnet_weight = 0.0 if chosen.magnet == "none" else chosen.magnet_weight
        update = BatchUpdate(
            Weights(self._temperature(done), magnet_weight, chosen.proximal_weight, chosen.clip),
            chosen.rate * (1.0 - self._progress(done)),
            chosen.max_gradient_norm,
            chosen.epochs,
            1.0 / (1.0 + chosen.span * done),
        )
        return self._learners.learn(played.decisions, advantages(played, self._unit, chosen.gae_lambda), update, rng)

    def _progress(self, done: int) -> float:
        """Return the part of the training that so many batches are."""
        return min(1.0, done / (self._chosen.iterations * self._chosen.play.batches))

    def _temperature(self, done: int) -> float:
        learning = self._chosen.learning
        return temperature_at(self._progress(done), learning.temperature, learning.last_temperature)

    def state(self) -> LearnerState:
        return LearnerState(self._learners.state())

    def restore(self, state: LearnerState, games: Iterable[Sequence[SavedGame]]) -> None:  # noqa: ARG002
        self._learners.restore(dict(state.arrays))

    def export(self, path: Path) -> None:
        MlpWeights(self._learners.average, critic_parameters=self._critic()).save(path, self.game)

    def _critic(self) -> Parameters:
        """Return the critic in the units of returns, if it sees all players: what searches may ask."""
        found = self._learners.critic.parameters()
        if len(found["weight0"]) != self.game.facts * self.game.players:
            return {}
        last = len(found) // 2 - 1
        return found | {f"{part}{last}": found[f"{part}{last}"] * np.float32(self._unit) for part in ("weight", "bias")}

    def iterations_within(self, seconds: float) -> int:
        """Play and learn from a batch, and see how many fit, leaving time for evaluation: the rates fall to the end."""
        learners, executor = self._new_learners(self.rng(WEIGHTS)), Threads(self._chosen.threads)
        self._learners, kept = learners, self._learners
        for _ in range(2):  # the first compiles
            watch = Stopwatch()
            self._learn(self._play(0, 0, executor), 0, self.rng(LEARNING))
        self._learners = kept
        per_iteration = max(watch.seconds, 1e-3) * self._chosen.play.batches
        return max(1, int(FOR_LEARNING * seconds / per_iteration))

    @classmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        return {"network": NetworkSettings(run=run), "policy": NetworkSettings(run=run, greedy="never")}


def play_lockstep(job: LockstepJob, stopping: Stopping) -> Played:
    """Play the games of a job, all at once. A task for an executor."""
    if stopping():
        raise Stopped
    return play_games(job.reference.game, job.networks, generators(job.games, *job.seed))


def hidden_of(hidden: str, game: Game) -> tuple[int, ...]:
    """Return the widths of hidden layers, which depend on the game if none are given."""
    return layers_of(hidden) or (LARGE if game.facts * game.actions > MIDDLING else SMALL)


def temperature_at(part: float, first: float, last: float) -> float:
    """Return the temperature after a part of the training; it falls geometrically."""
    return first ** (1.0 - part) * last**part if min(first, last) > 0.0 else first + (last - first) * part
