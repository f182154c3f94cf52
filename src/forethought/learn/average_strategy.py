"""The network that learns the average strategy of fictitious play, by imitation."""

from collections.abc import Mapping

from forethought.game import Game
from forethought.learn.deep_q import imitation_slopes
from forethought.learn.fictitious_play import Imitations
from forethought.learn.perceptron import Perceptron
from forethought.learn.perceptrons import Perceptrons, Seen
from forethought.nets.formats import Parameters


class AverageStrategy(Perceptrons):
    """One perceptron, which imitates best responses."""

    def __init__(self, game: Game, average: Parameters, batch: int) -> None:
        super().__init__(game, batch)
        self.average = Perceptron(average, batch)

    def learn_average(self, rows: Imitations, rate: float) -> float:
        """Take a step towards the actions that were played; return the mean cross-entropy."""
        average = self.average
        self._answer(average, Seen(rows.states, rows.players))
        arrays = self._spare, self._floats, average.slopes
        total = imitation_slopes(self._game.table, rows, average.outputs, *arrays)
        average.step(self._batch, rate)
        return total / self._batch

    def _parts(self) -> Mapping[str, Perceptron]:
        return {"average": self.average}
