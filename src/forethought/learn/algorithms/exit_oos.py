"""ExIt-OOS: Expert Iteration whose expert is Online Outcome Sampling, with roll-outs by the apprentice.

The expert plays all seats of a game. All seats share one search: it holds nothing that is hidden, only what simulations
of the whole game have taught. At each decision it is aimed at what the player to move observes, and what it finds there
becomes a training sample.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.learn.configuration import Configuration
from forethought.learn.episodes import Episode, pass_chance
from forethought.learn.extra_samples import drawn_samples
from forethought.learn.forecast import expected, measured_rate
from forethought.learn.learner import Forecast, LearnerState, register_learner
from forethought.learn.metrics import Metric
from forethought.learn.network_learner import ENTROPY, LOSS, PRIOR_LOSS, REMEMBERED, NetworkLearner, SelfPlayJob
from forethought.learn.play import Play
from forethought.learn.run import SavedGame
from forethought.learn.samples import Example, joined, samples_of
from forethought.learn.sections import LAYERS, LearningSettings, MemorySettings, StartSettings, layers_of
from forethought.nets.backends import BACKENDS
from forethought.nets.evaluator import Evaluator
from forethought.nets.formats import NetworkWeights, Parameters, load_weights
from forethought.nets.mlp import CRITIC, Mlp, MlpWeights, default_hidden, is_small, make_mlp, parameters_of
from forethought.player import PlayerSettings
from forethought.players.network import NetworkSettings
from forethought.randomness import Generator, below, choose, generator, uniform
from forethought.runs import weights_of
from forethought.runtime.executor import Stopped, Stopping
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from forethought.settings import Settings, changed, fixed, setting

if TYPE_CHECKING:
    from forethought.learn.models import Model

INFOSET_BYTES = 32  # of an information set in a search, beside its actions (16 each)
BATCH_PER_DECISION = 32  # samples of a minibatch for each decision of a player; the paper's 32 N in Goofspiel(N)


@dataclass(frozen=True, kw_only=True)
class ExitOosSearch(OosSettings):
    """How the expert thinks."""

    seconds: float = fixed(OosSettings, "seconds", 0.0)  # by the clock, nothing could be repeated
    net: str = fixed(OosSettings, "net", "")
    threshold: float = fixed(OosSettings, "threshold", 0.0)  # what is learned is the whole average
    epsilon: float = changed(OosSettings, "epsilon", 0.6)
    linear: bool = changed(OosSettings, "linear", True)
    baseline_rate: float = changed(OosSettings, "baseline_rate", 0.05)
    targeting: str = changed(OosSettings, "targeting", "none")
    simulations: int = changed(OosSettings, "simulations", 40_000)
    prior: float = changed(OosSettings, "prior", 3e-3)  # times the number of the iteration
    prior_policy: str = setting(
        "what searches begin with: the policy that the last ones ended with, or the average, which plays",
        "current",
        words=("current", "average"),
    )
    rollouts: str = setting("who plays the roll-outs", "network", words=("network", "uniform"))


@dataclass(frozen=True, kw_only=True)
class ExitOosMemory(MemorySettings):
    """What the network learns averages from."""

    capacity: int = changed(MemorySettings, "capacity", 2_000)
    beta: float = changed(MemorySettings, "beta", 1.0)


@dataclass(frozen=True, kw_only=True)
class ExitOosLearning(LearningSettings):
    """How the apprentice learns: Adam on the divergence from the expert's policies."""

    rate: float = changed(LearningSettings, "rate", 2e-3)
    steps: int = changed(LearningSettings, "steps", 200)
    averaged_steps: int = changed(LearningSettings, "averaged_steps", 400)
    batch: int = changed(LearningSettings, "batch", 256, low=0)  # 0: the paper's
    hidden: str = setting(
        "hidden layers of the network; empty: the paper's for a game of this size",
        "128-128",
        example="128-64",
        pattern=LAYERS,
    )
    start: str = changed(StartSettings, "start")
    symmetries: bool = fixed(LearningSettings, "symmetries", False)


@dataclass(frozen=True, kw_only=True)
class ExitOosPlay(Settings):
    """How self-play moves."""

    exploration: float = setting("share of uniformly random moves in self-play", 0.0, low=0.0, high=1.0)
    extra_samples: int = setting(
        "samples per game from elsewhere in the search's tree; 0: only from where play went", 1000, low=0
    )


@dataclass(frozen=True, kw_only=True)
class ExitOosConfiguration(Configuration):
    """Expert Iteration with Online Outcome Sampling, where information is hidden."""

    algorithm: str = changed(Configuration, "algorithm", "exit-oos")
    games: int = changed(Configuration, "games", 16)
    search: ExitOosSearch = field(default_factory=ExitOosSearch)
    memory: ExitOosMemory = field(default_factory=ExitOosMemory)
    learning: ExitOosLearning = field(default_factory=ExitOosLearning)
    play: ExitOosPlay = field(default_factory=ExitOosPlay)


@register_learner(
    "exit-oos",
    ExitOosConfiguration,
    label="Expert Iteration with Online Outcome Sampling",
    suits=lambda game: game.hidden,
    recommended=is_small,
    presets={
        "paper": {
            "games": 32,
            "search.simulations": 10_000,
            "search.prior": 0.0,
            "search.linear": False,
            "search.baseline_rate": 0.0,
            "search.epsilon": 0.4,
            "search.targeting": "infoset",
            "play.extra_samples": 0,
            "memory.capacity": 32_000,
            "memory.beta": 2.0,
            "learning.rate": 1e-3,
            "learning.steps": 128,
            "learning.averaged_steps": 0,
            "learning.batch": 0,
            "learning.hidden": "",
        }
    },
)
class ExitOos(NetworkLearner):
    """The algorithm, for one game and configuration."""

    metrics: ClassVar[Sequence[Metric]] = (LOSS, PRIOR_LOSS, ENTROPY, REMEMBERED)

    def __init__(self, game: Game, configuration: ExitOosConfiguration) -> None:
        if not game.hidden:
            raise game.mistake("it hides nothing; train it with --algorithm alphazero")
        self._chosen = configuration
        if configuration.search.prior > 0.0 and configuration.search.rollouts != "network":
            raise ForethoughtError(
                "A prior is what the network learned: use search.rollouts=network or search.prior=0."
            )
        backend = configuration.search.backend
        super().__init__(game, configuration, configuration.memory, configuration.learning, backend)

    def new_network(self, rng: np.random.Generator) -> "tuple[Model, Parameters]":
        from forethought.learn.models import PRIOR_HEAD, MlpModel  # noqa: PLC0415 (torch)

        start = self._start(rng)
        layers, has_prior, parameters = len(start.parameters) // 2, self._chosen.search.prior > 0.0, start.parameters
        if has_prior:  # both heads begin alike
            last = (parameters[f"{part}{layers - 1}"].copy() for part in ("weight", "bias"))
            parameters = parameters | dict(zip(PRIOR_HEAD, last, strict=True))
        return MlpModel(layers, has_prior=has_prior, critic=start.critic_parameters), parameters

    def _start(self, rng: np.random.Generator) -> MlpWeights:
        """Return the network to begin with: that of another run, or a new one."""
        game, learning = self.game, self._chosen.learning
        if not learning.start:
            hidden = layers_of(learning.hidden) or default_hidden(game)
            return MlpWeights(parameters_of(make_mlp(game.facts, game.actions, hidden, rng)))
        found = load_weights(weights_of(learning.start), game)
        if not isinstance(found, MlpWeights) or found.values:
            raise ForethoughtError(
                f"The network of {learning.start} is of another kind; start with a run of exit-oos or mmd."
            )
        return found

    def state(self) -> LearnerState:
        """Return the critic, too: the run that it comes from may go on."""
        found = super().state()
        critic = {f"{CRITIC}{name}": array for name, array in self._model_critic().items()}
        return LearnerState({**found.arrays, **critic}, found.about)

    def restore(self, state: LearnerState, games: Iterable[Sequence[SavedGame]]) -> None:
        arrays = dict(state.arrays)
        critic = {name.removeprefix(CRITIC): arrays.pop(name) for name in list(arrays) if name.startswith(CRITIC)}
        self._model = replace(self._model, critic=critic)  # type: ignore[type-var]
        super().restore(LearnerState(arrays, state.about), games)

    def _model_critic(self) -> Parameters:
        weights = self._weights()
        return weights.critic_parameters if isinstance(weights, MlpWeights) else {}

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
        expert = new_expert(self.game, chosen, self._weights(), iteration=1)
        probe = expert.new_search(generator(0))
        infoset = INFOSET_BYTES + 16 * self.game.actions
        return expected(
            self.game,
            chosen,
            rate=measured_rate(probe),
            simulations=search.simulations,
            capacity=chosen.memory.capacity,
            search_bytes=lambda simulations: min(simulations, search.max_infosets) * infoset,
        )


@dataclass(frozen=True)
class Expert:
    """Begins the searches of an iteration, guided by the apprentice."""

    game: Game
    configuration: ExitOosConfiguration
    rollouts: Evaluator | None  # None: uniform
    prior: Evaluator | None  # what information sets begin with
    critic: Mlp | None
    iteration: int

    @property
    def simulations(self) -> int:
        return self.configuration.search.simulations

    def new_search(self, rng: Generator) -> OnlineOutcomeSampling:
        """Begin a search. The weight of the prior grows with the iterations, as regrets that were kept would."""
        chosen, labelled = self.configuration.search, self.configuration.play.extra_samples > 0
        settings = replace(chosen, prior=chosen.prior * self.iteration)
        return OnlineOutcomeSampling(self.game, settings, rng, self.rollouts, labelled, self.prior, self.critic)


def new_expert(game: Game, configuration: ExitOosConfiguration, weights: NetworkWeights, iteration: int) -> Expert:
    """Return the expert of an iteration, guided by a network."""
    chosen = configuration.search
    if chosen.rollouts != "network":
        return Expert(game, configuration, None, None, None, iteration)
    run = BACKENDS.find(chosen.backend)
    prior = run(weights.prior if chosen.prior_policy == "current" else weights) if chosen.prior > 0.0 else None
    return Expert(game, configuration, run(weights), prior, weights.critic, iteration)


def play_games(job: SelfPlayJob, stopping: Stopping) -> list[Episode]:
    """Play the games of a job, one after another. A task for an executor."""
    game, configuration, weights = job.reference.game, job.configuration, job.weights.weights(job.reference.game)
    assert isinstance(configuration, ExitOosConfiguration)  # noqa: S101 (the jobs are this learner's)
    expert = new_expert(game, configuration, weights, job.iteration)
    return [play_game(expert, generator(*seed), stopping) for seed in job.seeds()]


def play_game(expert: Expert, rng: Generator, stopping: Stopping) -> Episode:
    """Play one game."""
    game, chosen, search = expert.game, expert.configuration.play, expert.new_search(rng)
    state, found, currents, actions = game.start(), list[Example](), list[list[float]](), list[int]()
    pass_chance(state, actions, rng)
    while not state.is_terminal:
        if stopping():
            raise Stopped
        observation = state.observation(state.player)
        legal = observation.legal_actions
        search.aim_at(observation)
        search.simulate(expert.simulations)
        policy = search.policy(observation)
        found.append((observation.facts, legal, policy.tolist()))
        currents.append(search.current_policy(observation).tolist())
        explores = chosen.exploration > 0.0 and uniform(rng) < chosen.exploration
        choice = below(len(legal), rng) if explores else choose(policy, len(legal), rng)
        actions.append(legal[choice])
        state.apply(legal[choice])
        pass_chance(state, actions, rng)
    two_heads = expert.prior is not None
    samples = samples_of(game, found, currents=currents if two_heads else None)
    if (extra := chosen.extra_samples) > 0:  # half of it for the second head, if there is one
        uniformly = extra // 2 if two_heads else 0
        samples = joined([samples, drawn_samples(search, extra - uniformly, uniformly, rng, two_heads)])
    return Episode(samples, actions, state.returns(), search.simulated)
