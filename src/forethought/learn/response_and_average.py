"""The networks of Neural Fictitious Self-Play: action values, their target network, and the average strategy."""

from collections.abc import Mapping

import numpy as np

from forethought.arrays import Array
from forethought.game import Game
from forethought.learn.average_strategy import AverageStrategy
from forethought.learn.deep_q import q_slopes, q_targets
from forethought.learn.fictitious_play import Transitions
from forethought.learn.perceptron import Perceptron
from forethought.learn.perceptrons import Seen
from forethought.nets.formats import Parameters


class ResponseAndAverage(AverageStrategy):
    """Three perceptrons, of which two learn."""

    def __init__(self, game: Game, response: Parameters, average: Parameters, batch: int, target_updates: int) -> None:
        """Begin with these parameters; the target network follows the action values after so many updates."""
        super().__init__(game, average, batch)
        self._every, self._updates = target_updates, 0
        self.response, self._target = Perceptron(response, batch), Perceptron(response, batch)

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

    def state(self) -> dict[str, Array]:
        return super().state() | {"updates": np.array([self._updates])}

    def restore(self, state: dict[str, Array]) -> None:
        super().restore(state)
        self._updates = int(state["updates"][0])

    def _parts(self) -> Mapping[str, Perceptron]:
        return {**super()._parts(), "response": self.response, "target": self._target}
