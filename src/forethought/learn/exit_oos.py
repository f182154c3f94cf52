"""ExIt-OOS: the expert is Online Outcome Sampling, whose roll-outs follow the apprentice."""

import time
from collections.abc import Sequence
from threading import Event

import numpy as np

from forethought.game import Game
from forethought.learn.configuration import ExitOosConfiguration
from forethought.learn.episodes import Episode
from forethought.learn.method import Lessons
from forethought.learn.models import MlpModel, Model
from forethought.learn.sections import layers_of
from forethought.learn.self_play import Expert, play_episode
from forethought.nets.mlp import Mlp, Parameters, default_hidden, make_mlp, parameters_of
from forethought.nets.networks import Network
from forethought.randomness import Generator, generator
from forethought.search.online import OnlineSearch
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings

INDEX_BYTES = 32  # of an information set in a search, beside its actions (16 each)


class ExitOos:
    """The algorithm, for one game and configuration."""

    together = 1

    def __init__(self, game: Game, configuration: ExitOosConfiguration) -> None:
        if not game.hidden:
            raise game.mistake("it hides nothing; train it with --algorithm alphazero")
        self.game, self._chosen, learning = game, configuration, configuration.learning
        self.simulations = configuration.search.simulations
        self.capacity, self.beta = configuration.memory.capacity, configuration.memory.beta
        batch = learning.batch_for(game)
        self.lessons = Lessons(learning.rate, 0.0, learning.steps, batch, symmetries=False, threads=1)

    def new_network(self, rng: np.random.Generator) -> tuple[Model, Parameters]:
        hidden = layers_of(self._chosen.learning.hidden) or default_hidden(self.game)
        first = make_mlp(self.game.facts, self.game.actions, hidden, rng)
        return MlpModel(len(hidden) + 1), parameters_of(first)

    def play(self, network: Network, rngs: Sequence[Generator], stop: Event) -> list[Episode]:
        expert = self.expert(network)
        return [play_episode(self.game, expert, rng, stop) for rng in rngs]

    def accepts(self, candidate: Network, best: Network, seed: Sequence[int]) -> bool:  # noqa: ARG002
        return True

    def probe(self, network: Network, seconds: float) -> float:
        expert = self.expert(network)
        search = OnlineOutcomeSampling(self.game, expert.settings, generator(0), expert.network)
        return measured_rate(search, seconds)

    def tree_bytes(self, walks: float) -> float:
        return min(walks, self._chosen.search.max_infosets) * (INDEX_BYTES + 16 * self.game.actions)

    def expert(self, network: Network) -> Expert:
        """Return the expert that plays with this network."""
        chosen = self._chosen.search
        settings = OosSettings(
            targeting=chosen.targeting,
            delta=chosen.delta,
            epsilon=chosen.epsilon,
            gamma=chosen.gamma,
            weighting=chosen.weighting,
            ema_decay=chosen.decay,
            max_infosets=chosen.max_infosets,
            parallel_simulations=chosen.slots,
        )
        asked = network if chosen.rollouts == "network" and isinstance(network, Mlp) else None
        return Expert(settings, chosen.simulations, self._chosen.play.exploration, asked, self._chosen.play.aside)


def measured_rate(search: OnlineSearch, seconds: float) -> float:
    """Search for so long; return walks a second."""
    search.simulate(1)  # compiles what must be, before the clock starts
    began, walked = time.perf_counter(), search.simulated
    search.simulate_for(seconds)
    return (search.simulated - walked) / (time.perf_counter() - began)
