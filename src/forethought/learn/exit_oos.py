"""ExIt-OOS: the expert is Online Outcome Sampling, whose roll-outs follow the apprentice.

The expert plays all seats of a game, and what it finds at each decision becomes a training example. All seats share one
search: it holds nothing that is hidden, only what walks through the whole game have taught. At each decision it is
aimed at what the player to move observes.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event

import numpy as np

from forethought.game import Game
from forethought.learn.configuration import ExitOosConfiguration
from forethought.learn.episodes import Episode, pass_chance
from forethought.learn.method import Lessons
from forethought.learn.models import MlpModel, Model
from forethought.learn.samples import Example, samples_of
from forethought.learn.sections import layers_of
from forethought.nets.mlp import Mlp, Parameters, default_hidden, make_mlp, parameters_of
from forethought.nets.networks import Network
from forethought.randomness import Generator, below, choose, generator, uniform
from forethought.runtime import Stopped
from forethought.search.online import OnlineSearch
from forethought.search.oos import OnlineOutcomeSampling, Settings
from forethought.solve.mccfr import average_policy

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

    def expert(self, network: Network) -> "Expert":
        """Return the expert that plays with this network."""
        chosen = self._chosen.search
        settings = Settings(
            chosen.targeting,
            chosen.delta,
            chosen.epsilon,
            chosen.gamma,
            chosen.weighting,
            chosen.decay,
            chosen.max_infosets,
            chosen.slots,
        )
        asked = network if chosen.rollouts == "network" and isinstance(network, Mlp) else None
        return Expert(settings, chosen.simulations, self._chosen.play.exploration, asked, self._chosen.play.aside)


def measured_rate(search: OnlineSearch, seconds: float) -> float:
    """Search for so long; return walks a second."""
    search.walks(1)  # compiles what must be, before the clock starts
    began, walked = time.perf_counter(), search.walked
    search.walks_for(seconds)
    return (search.walked - walked) / (time.perf_counter() - began)


@dataclass(frozen=True)
class Expert:
    """How the expert thinks and plays."""

    settings: Settings
    simulations: int  # walks a decision
    exploration: float  # share of moves drawn uniformly
    network: Mlp | None  # whose policy the roll-outs follow; uniform without
    aside: int = 0  # examples from information sets of the search beside those that were played


def play_episode(game: Game, expert: Expert, rng: Generator, stop: Event) -> Episode:
    """Play one game."""
    search = OnlineOutcomeSampling(game, expert.settings, rng, expert.network, labelled=expert.aside > 0)
    state, examples, actions = game.start(), list[Example](), list[int]()
    pass_chance(state, actions, rng)
    while not state.is_terminal:
        if stop.is_set():
            raise Stopped
        observation = state.observation(state.player)
        legal = observation.legal_actions
        search.aim_at(observation)
        search.walks(expert.simulations)
        found = search.policy(observation)
        examples.append((observation.facts, legal, found.tolist()))
        explores = expert.exploration > 0.0 and uniform(rng) < expert.exploration
        choice = below(len(legal), rng) if explores else choose(found, len(legal), rng)
        actions.append(legal[choice])
        state.apply(legal[choice])
        pass_chance(state, actions, rng)
    examples += concluded(search, expert.aside, rng) if expert.aside > 0 else []
    return Episode(samples_of(game, examples), actions, state.returns(), search.walked)


def concluded(search: OnlineOutcomeSampling, count: int, rng: Generator) -> list[Example]:
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
