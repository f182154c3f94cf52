"""Rounds as numbers: scores, returns and advantages of A, and what they come to with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.evaluate.intervals import mean_interval, wilson_interval
from forethought.evaluate.rounds import Round

_RESAMPLING = 0x57A7  # tells the stream of the bootstrap from those of the games


@dataclass(frozen=True, kw_only=True)
class Tally:
    """What A achieved; each rate and mean with its 95 % interval.

    In a game of more than two, A is compared with every other seat: there are more wins, draws and losses than games.
    """

    games: int
    wins: int
    draws: int
    losses: int
    win_rate: float
    win_rate_low: float
    win_rate_high: float
    mean_return: float
    mean_return_low: float
    mean_return_high: float


class RoundMeans(NamedTuple):
    """What A achieved in each round, on average over its seats."""

    scores: Float64s  # its share of wins
    payoffs: Float64s  # what it is paid per game: its return less the mean of all seats'


class Outcomes:
    """A's results as arrays with a row a round and a column a game; in column k, A sat in seat k."""

    def __init__(self, rounds: Sequence[Round]) -> None:
        returns = np.array([played.returns for played in rounds])  # round, game, seat
        self.returns: Float64s = np.diagonal(returns, axis1=1, axis2=2).copy()
        own = self.returns[:, :, None]
        self.wins = (own > returns).sum(axis=2)
        self.draws = (own == returns).sum(axis=2) - 1  # with oneself
        self.others = returns.shape[2] - 1
        self.advantages: Float64s = self.returns - (returns.sum(axis=2) - self.returns) / self.others

    @property
    def pays_different_sums(self) -> bool:
        """Whether what is won differs from game to game: then wins are not what counts."""
        return len(np.unique(np.abs(self.returns[self.returns != 0.0]))) > 1

    @cached_property
    def scores(self) -> Float64s:
        """The part of the other seats that A beat in each game, a draw for half. Equal players score 0.5 on average."""
        scores: Float64s = (self.wins + self.draws / 2) / self.others
        return scores

    @property
    def round_means(self) -> RoundMeans:
        payoffs = self.advantages.mean(axis=1) * self.others / (self.others + 1)
        return RoundMeans(self.scores.mean(axis=1), payoffs)

    def tally(self, seed: int) -> Tally:
        """Sum up all seats."""
        return self._tally(slice(None), seed, 0)

    def seat_tallies(self, seed: int) -> list[Tally]:
        """Sum up each seat of A's by itself."""
        return [self._tally(slice(seat, seat + 1), seed, 1 + seat) for seat in range(self.returns.shape[1])]

    def _tally(self, seats: slice, seed: int, stream: int) -> Tally:
        wins, draws = int(self.wins[:, seats].sum()), int(self.draws[:, seats].sum())
        scores, returns = self.scores[:, seats].mean(axis=1), self.returns[:, seats].mean(axis=1)
        games = self.returns[:, seats].size
        low, high = wilson_interval(scores)
        poorest, richest = mean_interval(returns, np.random.default_rng((_RESAMPLING, seed, stream)))
        return Tally(
            games=games,
            wins=wins,
            draws=draws,
            losses=games * self.others - wins - draws,
            win_rate=float(scores.mean()),
            win_rate_low=low,
            win_rate_high=high,
            mean_return=float(returns.mean()),
            mean_return_low=poorest,
            mean_return_high=richest,
        )
