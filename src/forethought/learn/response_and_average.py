"""The networks of Neural Fictitious Self-Play: action values, their target network, and the average strategy."""

from typing import NamedTuple

import numpy as np
import torch

from forethought.arrays import Array, Bytes, Int32s
from forethought.game import Game
from forethought.learn.deep_q import imitation_slopes, q_slopes, q_targets
from forethought.learn.fictitious_play import Imitations, Transitions
from forethought.learn.one_hot import write_inputs
from forethought.learn.perceptron import Perceptron
from forethought.nets.formats import Parameters


class Seen(NamedTuple):
    """Positions, and who looks at them."""

    states: Bytes
    players: Int32s


class ResponseAndAverage:
    """Three perceptrons, of which two learn."""

    def __init__(self, game: Game, response: Parameters, average: Parameters, batch: int, target_updates: int) -> None:
        """Begin with these parameters; the target network follows the action values after so many updates."""
        torch.set_num_threads(1)
        self._game, self._batch, self._every = game, batch, target_updates
        self.response, self.average = Perceptron(response, batch), Perceptron(average, batch)
        self._target = Perceptron(response, batch)
        self._updates = 0
        self._spare, self._logs = np.zeros(game.facts + game.table.choices, np.int64), np.zeros(game.table.choices)
        self._targets = np.zeros(batch, np.float32)

    def learn_values(self, rows: Transitions, rate: float) -> float:
        """Take a step of deep Q-learning; return the mean squared error."""
        table, response, target = self._game.table, self.response, self._target
        self._answer(target, Seen(rows.following, rows.players))
        q_targets(table, rows, target.outputs, self._spare, self._targets)
        self._answer(response, Seen(rows.states, rows.players))
        total = q_slopes(rows, self._targets, response.outputs, response.slopes)
        response.step(self._batch, rate)
        self._updates += 1
        if self._updates % self._every == 0:
            target.weights.copy_(response.weights)
        return total / self._batch

    def learn_average(self, rows: Imitations, rate: float) -> float:
        """Take a step towards the actions that were played; return the mean cross-entropy."""
        average = self.average
        self._answer(average, Seen(rows.states, rows.players))
        arrays = self._spare, self._logs, average.slopes
        total = imitation_slopes(self._game.table, rows, average.outputs, *arrays)
        average.step(self._batch, rate)
        return total / self._batch

    def _answer(self, network: Perceptron, seen: Seen) -> None:
        write_inputs(self._game.table, seen, np.arange(self._batch), network.inputs, self._spare)
        network.forward(self._batch)

    def state(self) -> dict[str, Array]:
        """Return all that further learning depends on, copied."""
        found = {f"{part}.{name}": array for part, net in self._parts() for name, array in net.state().items()}
        return found | {"updates": np.array([self._updates])}

    def restore(self, state: dict[str, Array]) -> None:
        """Become what gave this state."""
        for part, net in self._parts():
            net.restore({name: state[f"{part}.{name}"] for name in net.state()})
        self._updates = int(state["updates"][0])

    def _parts(self) -> list[tuple[str, Perceptron]]:
        return [("response", self.response), ("average", self.average), ("target", self._target)]
