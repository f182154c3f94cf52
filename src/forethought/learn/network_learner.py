"""What expert iteration with a network has in common: self-play, a memory of samples, an apprentice that learns.

The memory is rebuilt from the games on disk when a run is resumed, by adding all of them again in their order.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games.reference import GameReference, reference_to
from forethought.learn.configuration import Configuration
from forethought.learn.learner import GAMES, LEARNING, MEMORY, WEIGHTS, Learner, LearnerState
from forethought.learn.memory import Memory
from forethought.learn.metrics import Metric
from forethought.learn.play import Play
from forethought.learn.priors import AveragesAndPriors
from forethought.learn.run import SavedGame
from forethought.learn.samples import Samples, joined
from forethought.learn.sections import LearningSettings, MemorySettings
from forethought.learn.symmetries import TurnedMemory
from forethought.nets.backends import BACKENDS, load_evaluator
from forethought.nets.evaluator import Evaluator
from forethought.nets.formats import NetworkWeights, Parameters, load_weights
from forethought.runtime.carried import CarriedFile
from forethought.runtime.local import Local

if TYPE_CHECKING:
    from forethought.learn.apprentice import Source
    from forethought.learn.models import Model

LOSS = Metric("loss", "Policy loss: divergence from the expert's policy", "nats")
VALUE_LOSS = Metric("value_loss", "Value loss: squared error")
PRIOR_LOSS = Metric("prior_loss", "Prior loss: divergence from the expert's current policy", "nats")
ENTROPY = Metric("entropy", "Entropy of the network's policies", "nats")
REMEMBERED = Metric("remembered", "Samples in memory", "samples")


@dataclass(frozen=True)
class NetworkReference:
    """Names a network by its file, which travels with it; elsewhere it is loaded again."""

    file: CarriedFile
    backend: str
    _loaded: Local[Evaluator] = field(default_factory=Local, compare=False, repr=False)

    def network(self, game: Game) -> Evaluator:
        return self._loaded.get(lambda: load_evaluator(self.file.path, game, self.backend))

    def weights(self, game: Game) -> NetworkWeights:
        """Return the content of the file."""
        return load_weights(self.file.path, game)


@dataclass(frozen=True)
class SelfPlayJob:
    """Games of self-play, to be played together by one worker. Plain data."""

    reference: GameReference
    configuration: Configuration
    weights: NetworkReference
    iteration: int
    indexes: tuple[int, ...]

    @property
    def described(self) -> str:
        return f"games {self.indexes} of iteration {self.iteration}, seed {self.configuration.seed}"

    def seeds(self) -> list[tuple[int, ...]]:
        """Return the seed of each game."""
        return [(self.configuration.seed, GAMES, self.iteration, index) for index in self.indexes]


class NetworkLearner(Learner):
    """A network that learns from an expert's self-play."""

    metrics: ClassVar[Sequence[Metric]] = (LOSS, VALUE_LOSS, ENTROPY, REMEMBERED)
    games_at_once = 1  # of one worker

    def __init__(
        self, game: Game, configuration: Configuration, memory: MemorySettings, learning: LearningSettings, backend: str
    ) -> None:
        """Begin; a backend runs the network in self-play."""
        require_torch()
        super().__init__(game, configuration)
        self._backend = backend
        self._model, self.parameters = self.new_network(self.rng(WEIGHTS))
        self._apprentice = _apprentice(self._model, self.parameters, learning, self.torch_threads)
        self.network = self._playing(self.parameters)
        self._learning, self._memory_settings = learning, memory
        if learning.device == "cuda" and self._apprentice.device.type != "cuda":
            self.warnings.append("There is no CUDA device here; the network learns on the CPU.")
        self.memory: Memory | None = None
        self.latest: Samples | None = None  # of the last iteration

    @property
    def jobs_per_iteration(self) -> int:
        return -(-self.configuration.games // self.games_at_once)

    @property
    def torch_threads(self) -> int:
        """With how many threads torch learns; the last bits of weights depend on it."""
        return 1

    @abstractmethod
    def new_network(self, rng: np.random.Generator) -> "tuple[Model, Parameters]":
        """Return the kind of network to train, and where it begins."""

    @abstractmethod
    def self_play(self, play: Play, jobs: Iterable[SelfPlayJob]) -> list[SavedGame]:
        """Play the games of some jobs: `play.episodes(task, jobs)` with the algorithm's task."""

    def accepts(self, number: int, candidate: Parameters, play: Play) -> bool:  # noqa: ARG002
        """Whether a network that has learned takes the place of the one that plays."""
        return True

    def batch_size(self) -> int:
        """Return the rows of a minibatch."""
        return self._learning.batch

    def iterate(self, number: int, play: Play) -> Mapping[str, float]:
        games = self.self_play(play, self._jobs(number, play))
        self._remember(joined([game.samples for game in games]), number)
        lesson = self._learn(number)
        candidate = self._apprentice.parameters()
        if number == 1 or self.accepts(number, candidate, play):
            self.parameters, self.network = candidate, self._playing(candidate)
        measured = {
            "loss": lesson.loss,
            "entropy": lesson.entropy,
            "remembered": self.memory.rows if self.memory else 0,
        }
        measured |= {"value_loss": lesson.value_loss} if self.network.values else {}
        return measured | ({"prior_loss": lesson.prior_loss} if lesson.prior_loss else {})

    def _weights(self) -> NetworkWeights:
        """Return the network that plays, as its file would have it."""
        return self._model.weights(self.parameters)

    def _playing(self, parameters: Parameters) -> Evaluator:
        """Return the network that plays."""
        return BACKENDS.find(self._backend)(self._model.weights(parameters))

    def _jobs(self, number: int, play: Play) -> list[SelfPlayJob]:
        """Divide the games that are missing among the workers."""
        missing, size = play.missing(self.configuration.games), self.games_at_once
        path = play.workspace / "playing.safetensors"
        self._model.save(path, self.parameters, self.game)
        weights = NetworkReference(CarriedFile(path), self._backend, Local(self.network))
        game = reference_to(self.game)
        groups = [tuple(missing[place : place + size]) for place in range(0, len(missing), size)]
        return [SelfPlayJob(game, self.configuration, weights, number, group) for group in groups]

    def _remember(self, samples: Samples, number: int) -> None:
        """Add an iteration's games. The first tells how many decisions a game has: capacity is counted in games."""
        self.latest = samples
        if self.memory is None:
            rows = self._memory_settings.capacity * max(1, -(-samples.rows // self.configuration.games))
            width, values, currents = samples.facts.shape[1], samples.values.shape[1], samples.currents.shape[1] > 0
            self.memory = Memory(rows, self._memory_settings.beta, width, self.game.actions, values, currents)
        self.memory.add(samples, self.rng(MEMORY, number))

    def _learn(self, number: int) -> Any:
        memory, board = self.memory, self.game.board
        if memory is None:
            raise ForethoughtError("There is nothing to learn from: no game was played.")
        source: Source = memory
        if self._learning.symmetries and board is not None:
            source = TurnedMemory(memory, self.game, board)
        elif self.latest is not None and self.latest.currents.shape[1]:
            source = AveragesAndPriors(memory, self.latest)
        return self._apprentice.fit(source, self._learning.steps, self.batch_size(), self.rng(LEARNING, number))

    def state(self) -> LearnerState:
        playing = {f"playing.{name}": array for name, array in self.parameters.items()}
        return LearnerState(self._apprentice.state() | playing)

    def restore(self, state: LearnerState, games: Iterable[Sequence[SavedGame]]) -> None:
        arrays = dict(state.arrays)
        self.parameters = {name: arrays.pop(f"playing.{name}") for name in self.parameters}
        self._apprentice.restore(arrays)
        self.network = self._playing(self.parameters)
        for number, played in enumerate(games, 1):
            self._remember(joined([game.samples for game in played]), number)

    def export(self, path: Path) -> None:
        self._model.save(path, self.parameters, self.game)


def require_torch() -> None:
    """Refuse to train a network without torch, and say how to get it."""
    if find_spec("torch") is None:
        raise ForethoughtError("Training a network needs torch: pip install 'forethought[train]'.")


def _apprentice(model: "Model", parameters: Parameters, learning: LearningSettings, threads: int) -> Any:
    from forethought.learn.apprentice import Apprentice  # noqa: PLC0415 (torch: only whoever trains needs it)

    return Apprentice(
        model,
        parameters,
        learning.rate,
        learning.weight_decay,
        threads,
        learning.device,
        averaged_steps=learning.averaged_steps,
    )
