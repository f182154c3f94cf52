"""A whole game as flat arrays: every history a node, every information set a row.

Nodes are numbered layer by layer, the children of a node consecutively, so that children come after their parent: one
forward pass computes probabilities, one backward pass values. Within a layer mostly the same player moves and memory is
read in order, which makes such a pass twice as fast as in depth-first order. `unroll.py` makes the arrays.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.game import Game, Observation, State
from forethought.solve.policies import TabularPolicy


class HistoryNodes(NamedTuple):
    """Arrays over nodes."""

    player: npt.NDArray[np.int8]  # who acts: a player, CHANCE or TERMINAL
    # The offset of a decision's probabilities in a strategy, of a chance node's in `chance`; the number of a terminal.
    start: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]  # the first child
    count: npt.NDArray[np.int16]  # type: ignore[assignment]  # number of children
    chance: Float64s  # the probabilities of all chance nodes' outcomes


class Rows(NamedTuple):
    """Arrays over information sets; strategies are flat, the actions of row r begin at first[r]."""

    player: npt.NDArray[np.int8]
    first: Int64s
    count: npt.NDArray[np.int32]  # type: ignore[assignment]
    fact_first: Int64s
    fact_count: npt.NDArray[np.int32]


class Flat(NamedTuple):
    """Arrays that rows and terminals refer to."""

    actions: npt.NDArray[np.int32]
    facts: npt.NDArray[np.int32]
    returns: Float64s  # [terminals, players]
    states: npt.NDArray[np.uint64]  # [rows, words] a record that belongs to each row


@dataclass(frozen=True, eq=False)
class GameTree:
    """An unrolled game."""

    game: Game
    nodes: HistoryNodes
    inner: npt.NDArray[np.int32]  # the nodes that are not terminal, in order
    rows: Rows
    flat: Flat

    @property
    def infosets(self) -> int:
        return len(self.rows.player)

    @property
    def size(self) -> int:
        return len(self.nodes.player)

    def row_facts(self, row: int) -> tuple[int, ...]:
        first = self.rows.fact_first[row]
        return tuple(self.flat.facts[first : first + self.rows.fact_count[row]].tolist())

    def row_actions(self, row: int) -> tuple[int, ...]:
        first = self.rows.first[row]
        return tuple(self.flat.actions[first : first + self.rows.count[row]].tolist())

    def records(self, rows: range) -> Bytes:
        """Return the record of a state in each of these information sets [rows, bytes]."""
        whole = self.flat.states[rows.start : rows.stop].view(np.uint8)
        return whole[:, : self.game.record.itemsize].copy()

    def observation(self, row: int) -> Observation:
        """Return what the player to move observes in an information set."""
        state = State(self.game, self.records(range(row, row + 1))[0])
        return state.observation(state.player)

    def uniform(self) -> Float64s:
        """Return the uniform strategy."""
        return np.repeat(1.0 / self.rows.count, self.rows.count)

    def policy(self, strategy: Float64s, **about: object) -> TabularPolicy:
        """Return a strategy over this tree's rows as a policy that does not need the tree."""
        game = self.game
        identity = {"game": game.name, "facts": game.facts, "spec": game.spec or game.name}
        return TabularPolicy(
            self.flat.facts.astype(np.int64),
            _offsets(self.rows.fact_count),
            self.flat.actions.astype(np.int64),
            strategy.copy(),
            _offsets(self.rows.count),
            {**identity, **about},
        )

    def strategy(self, policy: TabularPolicy) -> Float64s:
        """Return a policy as a strategy over this tree's rows; uniform where the policy has no row."""
        strategy = self.uniform()
        for row in range(self.infosets):
            known = policy.by_facts.get(self.row_facts(row))
            if known is not None and known[0] == self.row_actions(row):
                first = self.rows.first[row]
                strategy[first : first + len(known[1])] = known[1]
        return strategy


def _offsets(counts: npt.NDArray[np.int32]) -> Int64s:
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
