"""Any network: fully connected or a tower, found out by its file, asked in one way."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from forethought.arrays import Float64s, Int64s
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.nets.convolution import Layout
from forethought.nets.formats import load_weights
from forethought.nets.inference import MlpScratch, evaluate, make_mlp_scratch
from forethought.nets.mlp import Mlp
from forethought.nets.tower import Tower, TowerScratch, evaluate_tower, make_tower_scratch

Network = Mlp | Tower

# Answers rows of (facts, known, actions, counts) by writing policies and values.
Answer = Callable[[int, Int64s, Int64s, Int64s, Int64s, Float64s, Float64s], None]


def layout_of(game: Game) -> Layout:
    """Return how the facts of a board game become planes."""
    if game.board is None:
        raise game.mistake("it declares no board, and a tower needs one")
    height, width = game.board.grid.shape
    squares = np.array([row * width + column for row, column in game.board.grid.squares], np.int64)
    return Layout(height, width, game.board.cells, game.board.planes, game.facts, squares)


def load_network(path: Path, game: Game) -> Network:
    """Read a network of this game; a damaged or foreign file is refused."""
    found: Network = load_weights(path, game).compiled()
    return found


def scratch_of(net: Network, rows: int) -> MlpScratch | TowerScratch:
    """Return the memory in which a network answers up to so many rows."""
    return make_mlp_scratch(net, rows) if isinstance(net, Mlp) else make_tower_scratch(net, rows)


def answers_of(net: Network, most: int) -> Answer:
    """Return what asks a network about up to so many rows at once; not from several threads."""
    if isinstance(net, Mlp):
        scratch = make_mlp_scratch(net, most)

        def answer(
            rows: int, facts: Int64s, known: Int64s, actions: Int64s, counts: Int64s, policy: Float64s, values: Float64s
        ) -> None:
            evaluate(net, rows, facts, known, actions, counts, scratch, policy, values)
    else:
        place = make_tower_scratch(net, most)

        def answer(
            rows: int, facts: Int64s, known: Int64s, actions: Int64s, counts: Int64s, policy: Float64s, values: Float64s
        ) -> None:
            evaluate_tower(net, rows, facts, known, actions, counts, place, policy, values)

    return answer


class NetworkQuestions:
    """Asks a network about many observations of one game, in batches of up to so many rows."""

    def __init__(self, net: Network, game: Game, rows: int) -> None:
        choices = game.actions
        self._rows, self._answer = rows, answers_of(net, rows)
        self._facts, self._known = np.zeros((rows, game.facts), np.int64), np.zeros(rows, np.int64)
        self._actions, self._counts = np.zeros((rows, choices), np.int64), np.zeros(rows, np.int64)
        self._policies, self._values = np.zeros((rows, choices)), np.zeros((rows, net.values))

    def policies(self, asked: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[Float64s]:
        """Return the policy over the legal actions for each (facts, legal actions)."""
        found: list[Float64s] = []
        for begin in range(0, len(asked), self._rows):
            batch = asked[begin : begin + self._rows]
            for row, (facts, actions) in enumerate(batch):
                self._facts[row, : len(facts)], self._known[row] = facts, len(facts)
                self._actions[row, : len(actions)], self._counts[row] = actions, len(actions)
            arrays = (self._facts, self._known, self._actions, self._counts, self._policies, self._values)
            self._answer(len(batch), *arrays)
            found += [self._policies[row, : len(actions)].copy() for row, (_, actions) in enumerate(batch)]
        return found


def policy_of(net: Network, facts: Sequence[int], actions: Sequence[int]) -> Float64s:
    """Return the probability of each of the legal actions for one state."""
    return answer_of(net, facts, actions)[0]


def answer_of(net: Network, facts: Sequence[int], actions: Sequence[int]) -> tuple[Float64s, Float64s]:
    """Return the probability of each of the legal actions for one state, and all values."""
    for numbers, limit, what in ((facts, net.facts, "fact"), (actions, net.actions, "action")):
        wrong = [number for number in numbers if not 0 <= number < limit]
        if wrong:
            raise ForethoughtError(f"The network knows no {what} {wrong[0]}; is it a network of another game?")
    policy, values = np.zeros((1, len(actions))), np.zeros((1, net.values))
    known, counts = np.array([len(facts)]), np.array([len(actions)])
    listed, legal = np.array([facts], np.int64), np.array([actions], np.int64)
    answers_of(net, 1)(1, listed, known, legal, counts, policy, values)
    return policy.ravel(), values.ravel()
