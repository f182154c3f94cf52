"""An actor and a critic that learn from batches of self-play, each in a thread of its own.

Within a batch neither needs what the other learns: advantages come from the values that the critic gave while the games
were played. So two threads learn the same, bit for bit, as one.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from forethought.arrays import Float32s, Int64s
from forethought.game import Game
from forethought.learn.lockstep import Decisions, Networks
from forethought.learn.one_hot import write_inputs
from forethought.learn.perceptron import Perceptron
from forethought.learn.policy_gradient import MEASURES, BatchUpdate, Measures, policy_slopes, value_slopes
from forethought.learn.state_parts import restore_parts, state_of_parts
from forethought.nets.formats import Parameters
from forethought.nets.mlp import mlp_of


class ActorCritic:
    """Two perceptrons, and the moving average of the actor's weights."""

    def __init__(self, game: Game, actor: Parameters, critic: Parameters, batch: int, threads: int) -> None:
        """Begin with these parameters; a minibatch has up to so many rows."""
        torch.set_num_threads(1)
        self._game, self._batch, self._threads = game, batch, min(2, threads)
        self.actor, self.critic = Perceptron(actor, batch), Perceptron(critic, batch)
        self._average = Perceptron(actor, 0)  # of which only the weights are used
        sizes = game.facts, game.actions
        self._uniform = mlp_of({"weight0": np.zeros(sizes, np.float32), "bias0": np.zeros(sizes[1], np.float32)})

    @property
    def average(self) -> Parameters:
        """The moving average of the actor's weights."""
        return self._average.parameters()

    def networks(self, trailing: bool) -> Networks:
        """Return the networks for self-play; the magnet is the moving average, or uniform."""
        magnet = mlp_of(self.average) if trailing else self._uniform
        return Networks(mlp_of(self.actor.parameters()), magnet, mlp_of(self.critic.parameters()))

    def learn(
        self, decisions: Decisions, advantages: Float32s, update: BatchUpdate, rng: np.random.Generator
    ) -> Measures:
        """Learn from a batch of decisions."""
        orders = [rng.permutation(decisions.rows) for _ in range(update.epochs)]
        steps: list[Callable[[], list[float]]] = [
            lambda: self._teach_actor(decisions, advantages, update, orders),
            lambda: self._teach_critic(decisions, advantages + decisions.values, update, orders),
        ]
        with ThreadPoolExecutor(self._threads) as threads:
            sums = [number for part in threads.map(lambda teach: teach(), steps) for number in part]
        self._average.weights.lerp_(self.actor.weights, update.share)
        return Measures(*(number / (decisions.rows * update.epochs) for number in sums))

    def state(self) -> dict[str, Float32s]:
        """Return all that further learning depends on, copied."""
        return state_of_parts(self._parts())

    def restore(self, state: dict[str, Float32s]) -> None:
        """Become what gave this state."""
        restore_parts(self._parts(), state)

    def _parts(self) -> dict[str, Perceptron]:
        return {"actor": self.actor, "critic": self.critic, "average": self._average}

    def _teach_actor(
        self, decisions: Decisions, advantages: Float32s, update: BatchUpdate, orders: list[Int64s]
    ) -> list[float]:
        measures, logs, net = np.zeros(MEASURES), np.zeros(decisions.actions.shape[1]), self.actor
        for rows in self._minibatches(decisions, orders, net):
            arrays = logs, net.slopes, measures
            policy_slopes(decisions, advantages, rows, net.outputs, update.weights, *arrays)
            net.step(len(rows), update.rate, update.max_gradient_norm)
        return [float(measure) for measure in measures]

    def _teach_critic(
        self, decisions: Decisions, targets: Float32s, update: BatchUpdate, orders: list[Int64s]
    ) -> list[float]:
        total, net = 0.0, self.critic
        for rows in self._minibatches(decisions, orders, net):
            total += value_slopes(targets, rows, net.outputs, net.slopes)
            net.step(len(rows), update.rate)
        return [total]

    def _minibatches(self, decisions: Decisions, orders: list[Int64s], net: Perceptron) -> Iterator[Int64s]:
        """Yield the rows of each minibatch, when a network has answered them."""
        spare = np.zeros(self._game.facts, np.int64)
        for order in orders:
            for rows in np.array_split(order, -(-len(order) // self._batch)):
                write_inputs(self._game.table, decisions, rows, net.inputs, spare)
                net.forward(len(rows))
                yield rows
