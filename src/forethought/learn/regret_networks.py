"""The networks of Deep CFR: advantages, the baseline of traversals, and the average strategy."""

from collections.abc import Mapping

from forethought.game import Game
from forethought.learn.deep_q import q_slopes
from forethought.learn.deep_regret import advantage_slopes, sarsa_targets, strategy_slopes
from forethought.learn.outcome_traversals import (
    HistoryTransitions,
    SampledAdvantages,
    SampledStrategies,
    TraversalNetworks,
)
from forethought.learn.perceptron import Perceptron
from forethought.learn.perceptrons import Perceptrons, Seen
from forethought.nets.formats import Parameters
from forethought.nets.mlp import mlp_of


class RegretNetworks(Perceptrons):
    """Three perceptrons that learn on batches of so many rows."""

    def __init__(
        self, game: Game, advantages: Parameters, baseline: Parameters, average: Parameters, batch: int
    ) -> None:
        super().__init__(game, batch)
        self.advantages, self.baseline, self.average = (
            Perceptron(parameters, batch) for parameters in (advantages, baseline, average)
        )

    def traversal_networks(self) -> TraversalNetworks:
        """Return what decides in traversals, as it is now."""
        return TraversalNetworks(mlp_of(self.advantages.parameters()), mlp_of(self.baseline.parameters()))

    def renew_advantages(self, parameters: Parameters) -> None:
        """Forget the advantages; learn them anew from these parameters."""
        self.advantages = Perceptron(parameters, self._batch)

    def learn_advantages(self, rows: SampledAdvantages, iteration: int, rate: float) -> float:
        """Take a step towards sampled advantages, of which those of the iteration weigh 1; return the mean error."""
        net = self.advantages
        self._answer(net, Seen(rows.states, rows.players))
        total = advantage_slopes(self._game.table, rows, net.outputs, 1.0 / iteration, self._spare, net.slopes)
        net.step(self._batch, rate)
        return total / self._batch

    def learn_average(self, rows: SampledStrategies, iteration: int, rate: float) -> float:
        """Take a step towards strategies, of which those of the iteration weigh 1; return the mean cross-entropy."""
        net, arrays = self.average, (self._spare, self._floats)
        self._answer(net, Seen(rows.states, rows.players))
        total = strategy_slopes(self._game.table, rows, net.outputs, 1.0 / iteration, *arrays, net.slopes)
        net.step(self._batch, rate)
        return total / self._batch

    def learn_baseline(self, rows: HistoryTransitions, rate: float) -> float:
        """Take a step of expected SARSA for the strategy of the advantages; return the mean squared error."""
        net, following = self.baseline, Seen(rows.following, rows.following_players)
        self._answer(self.advantages, following)
        self._answer(net, following)
        answers, arrays = (self.advantages.outputs, net.outputs), (self._spare, self._floats)
        sarsa_targets(self._game.table, rows, *answers, *arrays, self._targets)
        self._answer(net, Seen(rows.states, rows.players))
        total = q_slopes(rows, self._targets, net.outputs, net.slopes)
        net.step(self._batch, rate)
        return total / self._batch

    def _parts(self) -> Mapping[str, Perceptron]:
        return {"advantages": self.advantages, "baseline": self.baseline, "average": self.average}
