"""How good the network is: exactly where the game is small, else by games against a fixed opponent."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from forethought.arrays import Float64s
from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.rounds import Contest, Entrant, play_round, rounds_for
from forethought.game import Game
from forethought.nets.networks import Network, answers_of
from forethought.player import NewPlayer, find_player
from forethought.players.network import NetworkPlayer
from forethought.solve.best_response import strength
from forethought.solve.forecast import forecast_nodes
from forethought.solve.tree import GameTree
from forethought.solve.unroll import unroll

EXACT_NODES = 3_000_000  # so much is unrolled in a few seconds, once a run
ROWS = 64  # information sets a batch


@dataclass(frozen=True)
class Measured:
    """The network without search. NashConv is None where the game is too large to unroll."""

    nashconv: float | None
    win_rate: float  # against the opponent named in the configuration
    win_rate_low: float
    win_rate_high: float


class Examiner:
    """Measures networks of one game, again and again."""

    def __init__(self, game: Game, against: str, games: int, seed: int) -> None:
        self.game, self._against, self._games, self._seed = game, against, games, seed
        self._opponent = find_player(against).new_player(game)

    @cached_property
    def _tree(self) -> GameTree | None:
        return unroll(self.game) if forecast_nodes(self.game) <= EXACT_NODES else None

    def measure(self, network: Network) -> Measured:
        measured = self.match(lambda _rng: NetworkPlayer(network, self.game.hidden))
        nashconv = None if self._tree is None else strength(self._tree, tabulated(self._tree, network)).nashconv
        return replace(measured, nashconv=nashconv)

    def match(self, new_player: NewPlayer) -> Measured:
        """Let any player play the opponent."""
        contest = Contest(self.game, Entrant("network", new_player), Entrant(self._against, self._opponent), self._seed)
        rounds = [play_round(contest, number) for number in range(rounds_for(self._games, self.game))]
        tally = Outcomes(rounds).tally(self._seed)
        return Measured(None, tally.win_rate, tally.win_rate_low, tally.win_rate_high)


def tabulated(tree: GameTree, network: Network) -> Float64s:
    """Ask a network about every information set of a game."""
    strategy, rows = tree.uniform(), tree.rows
    width, choices = int(rows.fact_count.max()), tree.game.actions
    facts, actions = np.zeros((ROWS, width), np.int64), np.zeros((ROWS, choices), np.int64)
    answer, policies, values = answers_of(network, ROWS), np.zeros((ROWS, choices)), np.zeros((ROWS, network.values))
    for begin in range(0, tree.infosets, ROWS):
        batch = range(begin, min(begin + ROWS, tree.infosets))
        for place, row in enumerate(batch):
            known, count = tree.row_facts(row), tree.row_actions(row)
            facts[place, : len(known)], actions[place, : len(count)] = known, count
        span = slice(begin, batch.stop)
        known_counts, counts = rows.fact_count[span].astype(np.int64), rows.count[span].astype(np.int64)
        answer(len(batch), facts, known_counts, actions, counts, policies, values)
        for place, row in enumerate(batch):
            first = rows.first[row]
            strategy[first : first + rows.count[row]] = policies[place, : rows.count[row]]
    return strategy
