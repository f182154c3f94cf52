"""Fictitious play with best responses by tree search.

In every iteration each player searches for a best response to the network, which plays all other seats: a tree search
of one side (`search/ismcts/response.py`). The responses play games, and their decisions go to a reservoir, a uniform
sample of all there have been; the network imitates it. So the network is the average of all responses, and what plays
in the end. Where Neural Fictitious Self-Play learns responses by deep Q-learning, they are planned here.

The reservoir is part of the checkpoint. A run that is stopped goes on from there; the iteration that was in progress is
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
from forethought.learn.algorithms.nfsp import IMITATION_LOSS, RESPONSES, NfspLearning, NfspMemory
from forethought.learn.configuration import Configuration
from forethought.learn.fictitious_play import Imitations
from forethought.learn.learner import GAMES, LEARNING, MEMORY, WEIGHTS, Learner, LearnerState, register_learner
from forethought.learn.metrics import Metric
from forethought.learn.network_learner import require_torch
from forethought.learn.play import Play
from forethought.learn.population import Population
from forethought.learn.replay import ReservoirMemory
from forethought.learn.run import SavedGame
from forethought.learn.sections import LearningSettings, layers_of
from forethought.learn.state_parts import HasState, restore_parts, state_of_parts
from forethought.nets.mlp import Mlp, MlpWeights, make_mlp, mlp_of, parameters_of
from forethought.player import PlayerSettings
from forethought.players.network import NetworkSettings
from forethought.randomness import generator
from forethought.runtime.executor import Stopped, Stopping, in_order
from forethought.search.ismcts.response import ResponseSearch
from forethought.search.ismcts.search import IsmctsSettings
from forethought.settings import Settings, changed, setting

if TYPE_CHECKING:
    from forethought.learn.average_strategy import AverageStrategy


@dataclass(frozen=True, kw_only=True)
class ResponseSearchSettings(Settings):
    """How best responses are searched for."""

    simulations: int = changed(IsmctsSettings, "simulations", 20_000)
    exploration: float = changed(IsmctsSettings, "exploration", 0.5)
    population: int = setting("latest averages against which simulations are divided", 1, low=1)


@dataclass(frozen=True, kw_only=True)
class ImitatedMemory(Settings):
    """What the network learns from."""

    reservoir: int = changed(NfspMemory, "reservoir")


@dataclass(frozen=True, kw_only=True)
class ImitationLearning(Settings):
    """How the network learns: Adam on minibatches of the reservoir."""

    hidden: str = changed(NfspLearning, "hidden")
    rate: float = changed(LearningSettings, "rate", 2e-3)
    batch: int = changed(LearningSettings, "batch", 256)
    steps: int = changed(LearningSettings, "steps", 200)


@dataclass(frozen=True, kw_only=True)
class SearchFictitiousPlayConfiguration(Configuration):
    """Fictitious play with best responses by tree search, for all games."""

    algorithm: str = changed(Configuration, "algorithm", "search-fictitious-play")
    games: int = changed(Configuration, "games", 1_000)
    search: ResponseSearchSettings = field(default_factory=ResponseSearchSettings)
    memory: ImitatedMemory = field(default_factory=ImitatedMemory)
    learning: ImitationLearning = field(default_factory=ImitationLearning)


@dataclass(frozen=True)
class ResponseJob:
    """One seat's search for a best response, and games that it plays. Plain data."""

    reference: GameReference
    seat: int
    opponents: tuple[Mlp, ...]  # which the others play by, each in a part of the simulations
    search: ResponseSearchSettings
    seed: tuple[int, ...]
    games: int


@register_learner("search-fictitious-play", SearchFictitiousPlayConfiguration, label="Fictitious Play with Tree Search")
class SearchFictitiousPlay(Learner):
    """The algorithm, for one game and configuration."""

    metrics: ClassVar[Sequence[Metric]] = (IMITATION_LOSS, RESPONSES)

    def __init__(self, game: Game, configuration: SearchFictitiousPlayConfiguration) -> None:
        require_torch()
        super().__init__(game, configuration)
        self._chosen = configuration
        self._network = self._new_network(self.rng(WEIGHTS))
        self._population = Population(configuration.search.population)
        self._population.add(self._network.average.parameters())
        states, column = np.zeros((0, game.table.state_bytes), np.uint8), np.zeros(0, np.int32)
        self._memory = ReservoirMemory(configuration.memory.reservoir, Imitations(states, column, column))

    def _new_network(self, rng: np.random.Generator) -> "AverageStrategy":
        from forethought.learn.average_strategy import AverageStrategy  # noqa: PLC0415 (torch)

        learning, game = self._chosen.learning, self.game
        average = parameters_of(make_mlp(game.facts, game.actions, layers_of(learning.hidden), rng))
        return AverageStrategy(game, average, learning.batch)

    def iterate(self, number: int, play: Play) -> Mapping[str, float]:
        watch, rng = Stopwatch(), self.rng(MEMORY, number)
        for found in in_order(play.executor, respond, self._jobs(number)):
            self._memory.add(found, rng)
            play.pass_by(self._chosen.games, len(found.actions), watch.seconds)
            watch = Stopwatch()
        loss = self._learn(self.rng(LEARNING, number)) if self._memory.rows else math.nan
        self._population.add(self._network.average.parameters())
        return {"imitation_loss": loss, "responses": self._memory.rows}

    def _jobs(self, number: int) -> list[ResponseJob]:
        """Return the search of each seat."""
        chosen, reference = self._chosen, reference_to(self.game)
        opponents = tuple(mlp_of(member) for member in self._population.members)
        return [
            ResponseJob(reference, seat, opponents, chosen.search, (chosen.seed, GAMES, number, seat), chosen.games)
            for seat in range(self.game.players)
        ]

    def _learn(self, rng: np.random.Generator) -> float:
        """Imitate what is remembered, at a rate that falls linearly; return the mean loss."""
        learning = self._chosen.learning
        rates = learning.rate * (1.0 - np.arange(learning.steps) / learning.steps)
        losses = [self._network.learn_average(self._memory.batch(learning.batch, rng), rate) for rate in rates]
        return float(np.mean(losses))

    def state(self) -> LearnerState:
        return LearnerState(state_of_parts(self._parts()))

    def restore(self, state: LearnerState, games: Iterable[Sequence[SavedGame]]) -> None:  # noqa: ARG002
        restore_parts(self._parts(), state.arrays)

    def _parts(self) -> dict[str, HasState]:
        return {"network": self._network, "population": self._population, "memory": self._memory}

    def export(self, path: Path) -> None:
        MlpWeights(self._network.average.parameters()).save(path, self.game)

    @property
    def jobs_per_iteration(self) -> int:
        return self.game.players

    @classmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        return {"network": NetworkSettings(run=run), "policy": NetworkSettings(run=run, greedy="never")}


def respond(job: ResponseJob, stopping: Stopping) -> Imitations:
    """Search for a best response, and let it play. A task for an executor."""
    game, members = job.reference.game, len(job.opponents)
    search = ResponseSearch(game, job.seat, job.opponents[0], job.search.exploration, generator(*job.seed))
    for number, opponent in enumerate(job.opponents):
        if stopping():
            raise Stopped
        search.oppose(opponent)
        search.simulate_until(job.search.simulations * (number + 1) // members)
    return Imitations(*search.play(job.games))
