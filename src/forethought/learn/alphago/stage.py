"""What a stage is, and what the stages share: the game, the configuration, and the networks as far as they are."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from forethought.arrays import Array
from forethought.game import Game
from forethought.learn.alphago.networks import beginning
from forethought.learn.alphago.settings import AlphaGoConfiguration
from forethought.learn.board_networks import network_kind, torch_threads
from forethought.learn.learner import WEIGHTS, LearnerState
from forethought.learn.play import Play
from forethought.learn.samples import Samples
from forethought.learn.symmetries import maps_of, turned
from forethought.nets.formats import IMITATION, REINFORCED, Parameters
from forethought.patterns.model import FORMAT, ROLLOUT, model_content, model_in
from forethought.tensors import Content, Tensors

if TYPE_CHECKING:
    from forethought.learn.apprentice import Apprentice, PolicyLoss
    from forethought.learn.models import Model

NETWORK = "network."  # of arrays of a checkpoint


class Pipeline:
    """The networks by their names, all of one kind. What a stage has learned, the next ones find here."""

    def __init__(self, game: Game, configuration: AlphaGoConfiguration) -> None:
        self.game, self.chosen = game, configuration
        self.model, self._new, begun, self.rollout = beginning(game, configuration.network, self.rng(WEIGHTS))
        self.networks = dict(begun)
        self._maps = maps_of(game, game.board) if configuration.learning.symmetries and game.board else None

    @property
    def strongest(self) -> Parameters:
        """The policy network that plays best: the one that learns by winning begins as the one that imitates."""
        return self.networks.get(REINFORCED, self.networks[IMITATION])

    def compiled(self, parameters: Parameters) -> Any:
        """Return a network for kernels."""
        return self.model.weights(parameters).compiled()

    def new_network(self, iteration: int) -> Parameters:
        """Return a network that has learned nothing."""
        return self._new(self.rng(WEIGHTS, iteration))

    def contents(self) -> dict[str, Content]:
        """Return what the file of the networks holds."""
        playing = {**self.networks, REINFORCED: self.strongest}
        found = {name: self.model.weights(parameters).content(self.game) for name, parameters in playing.items()}
        return found if self.rollout is None else found | {ROLLOUT: model_content(self.rollout, self.game)}

    def rng(self, purpose: int, iteration: int = 0) -> np.random.Generator:
        """Return the generator of one purpose in one iteration."""
        return np.random.default_rng((self.chosen.seed, purpose, iteration))

    def apprentice(
        self, start: Parameters, rate: float, decay: float, policy_loss: "PolicyLoss", model: "Model"
    ) -> "Apprentice":
        """Return whoever teaches a network, from where it is."""
        from forethought.learn.apprentice import Apprentice  # noqa: PLC0415 (torch: only whoever trains needs it)

        learning, kind = self.chosen.learning, network_kind(self.game, self.chosen.network)
        threads = torch_threads(kind, learning.threads, self.chosen.threads)
        return Apprentice(model, start, rate, decay, threads, learning.device, policy_loss=policy_loss)

    def turned(self, samples: Samples, rng: np.random.Generator) -> Samples:
        """Return the rows, each under a symmetry drawn uniformly, if the board has any and they are wanted."""
        if self._maps is None:
            return samples
        facts, actions = self._maps
        return turned(samples, rng.integers(len(facts), size=samples.rows), facts, actions)

    def state(self) -> LearnerState:
        """Return the networks and the policy of roll-outs for a checkpoint."""
        arrays: dict[str, Array] = {}
        for name, network in self.networks.items():
            arrays |= named(network, f"{NETWORK}{name}.")
        if self.rollout is None:
            return LearnerState(arrays)
        _, weights, about = model_content(self.rollout, self.game)
        return LearnerState(arrays | named(weights, f"{ROLLOUT}."), {ROLLOUT: about})

    def restore(self, state: LearnerState) -> None:
        """Take the networks and the policy of roll-outs from a checkpoint."""
        arrays = part_of(state.arrays, NETWORK)
        names = sorted({name.partition(".")[0] for name in arrays})
        self.networks = {name: part_of(arrays, f"{name}.") for name in names}
        if ROLLOUT in state.about:
            weights = part_of(state.arrays, f"{ROLLOUT}.")
            self.rollout = model_in(Tensors(Path("checkpoint"), FORMAT, weights, state.about[ROLLOUT]))


class TrainingStage(ABC):
    """One stage of the training."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline, self.game, self.chosen = pipeline, pipeline.game, pipeline.chosen

    @abstractmethod
    def iterate(self, number: int, place: int, play: Play) -> Mapping[str, float]:
        """Do an iteration of the run, which is so many after the first of the stage; return what was measured."""

    def state(self) -> dict[str, Array]:
        """Return what further iterations of the stage depend on, beside the networks."""
        return {}

    def restore(self, arrays: Mapping[str, Array]) -> None:  # noqa: B027 (what keeps nothing has nothing to restore)
        """Become what the stage was that gave this state."""


def part_of(arrays: Mapping[str, Array], prefix: str) -> dict[str, Array]:
    """Return the arrays whose names begin so, without that beginning."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def named(arrays: Mapping[str, Array], prefix: str) -> dict[str, Array]:
    """Undo `part_of`."""
    return {f"{prefix}{name}": array for name, array in arrays.items()}


def parts_of_rows(samples: Samples, size: int) -> Iterator[Samples]:
    """Yield the rows in parts of up to so many."""
    for begin in range(0, samples.rows, size):
        yield samples.chosen(slice(begin, begin + size))
