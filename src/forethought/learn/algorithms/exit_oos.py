"""ExIt-OOS: Expert Iteration whose expert is Online Outcome Sampling, with roll-outs by the apprentice.

The expert plays all seats of a game. All seats share one search: it holds nothing that is hidden, only what simulations
of the whole game have taught. At each decision it is aimed at what the player to move observes, and what it finds there
becomes a training sample.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from forethought.game import Game
from forethought.learn.configuration import Configuration
from forethought.learn.episodes import Episode, pass_chance
from forethought.learn.forecast import expected, measured_rate
from forethought.learn.learner import Forecast, register_learner
from forethought.learn.metrics import Metric
from forethought.learn.network_learner import ENTROPY, LOSS, REMEMBERED, NetworkLearner, SelfPlayJob
from forethought.learn.play import Play
from forethought.learn.run import SavedGame
from forethought.learn.samples import Example, samples_of
from forethought.learn.sections import LAYERS, LearningSettings, MemorySettings, layers_of
from forethought.nets.evaluator import Evaluator
from forethought.nets.formats import Parameters
from forethought.nets.mlp import default_hidden, make_mlp, parameters_of
from forethought.player import PlayerSettings
from forethought.players.network import NetworkSettings
from forethought.randomness import Generator, below, choose, generator, uniform
from forethought.runtime.executor import Stopped, Stopping
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from forethought.settings import Settings, changed, fixed, setting
from forethought.solve.mccfr import average_policy

if TYPE_CHECKING:
    from forethought.learn.models import Model

INFOSET_BYTES = 32  # of an information set in a search, beside its actions (16 each)
BATCH_PER_DECISION = 32  # samples of a minibatch for each decision of a player; the paper's 32 N in Goofspiel(N)


@dataclass(frozen=True, kw_only=True)
class ExitOosSearch(OosSettings):
    """How the expert thinks."""

    seconds: float = fixed(OosSettings, "seconds", 0.0)  # by the clock, nothing could be repeated
    net: str = fixed(OosSettings, "net", "")
    rollouts: str = setting("who plays the roll-outs", "network", words=("network", "uniform"))


@dataclass(frozen=True, kw_only=True)
class ExitOosLearning(LearningSettings):
    """How the apprentice learns: Adam on the divergence from the expert's policies."""

    batch: int = changed(LearningSettings, "batch", 0, low=0)
    hidden: str = setting(
        "hidden layers of the network; empty: as the game's size suggests", "", example="128-64", pattern=LAYERS
    )
    symmetries: bool = fixed(LearningSettings, "symmetries", False)


@dataclass(frozen=True, kw_only=True)
class ExitOosPlay(Settings):
    """How self-play moves."""

    exploration: float = setting("share of uniformly random moves in self-play", 0.0, low=0.0, high=1.0)
    extra_samples: int = setting(
        "samples per game from elsewhere in the search's tree; 0: only from where play went", 0, low=0
    )


@dataclass(frozen=True, kw_only=True)
class ExitOosConfiguration(Configuration):
    """Expert Iteration with Online Outcome Sampling, where information is hidden."""

    algorithm: str = changed(Configuration, "algorithm", "exit-oos")
    search: ExitOosSearch = field(default_factory=ExitOosSearch)
    memory: MemorySettings = field(default_factory=MemorySettings)
    learning: ExitOosLearning = field(default_factory=ExitOosLearning)
    play: ExitOosPlay = field(default_factory=ExitOosPlay)


@register_learner(
    "exit-oos",
    ExitOosConfiguration,
    label="Expert Iteration with Online Outcome Sampling",
    suits=lambda game: game.hidden,
    recommended=True,
)
class ExitOos(NetworkLearner):
    """The algorithm, for one game and configuration."""

    metrics: ClassVar[Sequence[Metric]] = (LOSS, ENTROPY, REMEMBERED)

    def __init__(self, game: Game, configuration: ExitOosConfiguration) -> None:
        if not game.hidden:
            raise game.mistake("it hides nothing; train it with --algorithm alphazero")
        self._chosen = configuration
        backend = configuration.search.backend
        super().__init__(game, configuration, configuration.memory, configuration.learning, backend)

    def new_network(self, rng: np.random.Generator) -> "tuple[Model, Parameters]":
        from forethought.learn.models import MlpModel  # noqa: PLC0415 (torch)

        hidden = layers_of(self._chosen.learning.hidden) or default_hidden(self.game)
        first = make_mlp(self.game.facts, self.game.actions, hidden, rng)
        return MlpModel(len(hidden) + 1), parameters_of(first)

    def batch_size(self) -> int:
        return self._chosen.learning.batch or BATCH_PER_DECISION * max(1, self.game.plies // self.game.players)

    def self_play(self, play: Play, jobs: Iterable[SelfPlayJob]) -> list[SavedGame]:
        return play.episodes(play_games, jobs)

    @classmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        network = NetworkSettings(run=run)
        return {"network": network, "policy": network}

    def forecast(self) -> Forecast:
        chosen, search = self._chosen, self._chosen.search
        probe = expert_search(self.game, chosen, self.network, generator(0))
        infoset = INFOSET_BYTES + 16 * self.game.actions
        return expected(
            self.game,
            chosen,
            rate=measured_rate(probe),
            simulations=search.simulations,
            capacity=chosen.memory.capacity,
            search_bytes=lambda simulations: min(simulations, search.max_infosets) * infoset,
        )


def expert_search(
    game: Game, configuration: ExitOosConfiguration, network: Evaluator, rng: Generator
) -> OnlineOutcomeSampling:
    """Return the expert's search, whose roll-outs follow the network."""
    chosen = configuration.search
    asked = network if chosen.rollouts == "network" else None
    return OnlineOutcomeSampling(game, chosen, rng, asked, labelled=configuration.play.extra_samples > 0)


def play_games(job: SelfPlayJob, stopping: Stopping) -> list[Episode]:
    """Play the games of a job, one after another. A task for an executor."""
    game, configuration = job.reference.game, job.configuration
    assert isinstance(configuration, ExitOosConfiguration)  # noqa: S101 (the jobs are this learner's)
    network = job.weights.network(game)
    return [play_game(game, configuration, network, generator(*seed), stopping) for seed in job.seeds()]


def play_game(
    game: Game, configuration: ExitOosConfiguration, network: Evaluator, rng: Generator, stopping: Stopping
) -> Episode:
    """Play one game."""
    search, chosen = expert_search(game, configuration, network, rng), configuration.play
    state, examples, actions = game.start(), list[Example](), list[int]()
    pass_chance(state, actions, rng)
    while not state.is_terminal:
        if stopping():
            raise Stopped
        observation = state.observation(state.player)
        legal = observation.legal_actions
        search.aim_at(observation)
        search.simulate(configuration.search.simulations)
        found = search.policy(observation)
        examples.append((observation.facts, legal, found.tolist()))
        explores = chosen.exploration > 0.0 and uniform(rng) < chosen.exploration
        choice = below(len(legal), rng) if explores else choose(found, len(legal), rng)
        actions.append(legal[choice])
        state.apply(legal[choice])
        pass_chance(state, actions, rng)
    examples += sampled_strategies(search, chosen.extra_samples, rng) if chosen.extra_samples > 0 else []
    return Episode(samples_of(game, examples), actions, state.returns(), search.simulated)


def sampled_strategies(search: OnlineOutcomeSampling, count: int, rng: Generator) -> list[Example]:
    """Return so many of the strategies that a search has found, drawn in proportion to their weight in the averages.

    That is how often a player comes to an information set by its own choices: what it would not play towards, it need
    not learn to play well. Without replacement (Efraimidis and Spirakis).
    """
    found = average_policy(search.game, search.table, {})
    offsets = found.action_offsets
    entries = np.arange(offsets[-1]) + np.repeat(offsets[1:], np.diff(offsets))
    totals = np.add.reduceat(search.table.entries[entries], offsets[:-1]) * (np.diff(offsets) > 1)
    draws = np.array([uniform(rng) for _ in range(len(totals))])
    keys = np.where(totals > 0.0, np.log(1.0 - draws) / np.maximum(totals, 1e-300), -np.inf)
    best = [int(row) for row in np.argsort(-keys, kind="stable")[:count] if keys[row] > -np.inf]
    return [
        (
            found.facts[found.fact_offsets[row] : found.fact_offsets[row + 1]].tolist(),
            found.actions[offsets[row] : offsets[row + 1]].tolist(),
            found.probabilities[offsets[row] : offsets[row + 1]].tolist(),
        )
        for row in best
    ]
