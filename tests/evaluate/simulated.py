"""Matches whose truth is known, drawn at once as arrays: no game is played."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.evaluate.rounds import Round


class Setting(NamedTuple):
    """A's returns in a game of two with their chances, and how often the second game of a pair hangs on the first.

    Where it does, it ends like the first (`bond` > 0: the better player makes more of that deal) or the other way round
    (`bond` < 0: the deal decides).
    """

    values: tuple[float, ...]
    chances: tuple[float, ...]
    bond: float
    rounds: int

    @property
    def mean_return(self) -> float:
        return self._mean_of(np.array(self.values))

    @property
    def win_rate(self) -> float:
        return 0.5 + self._mean_of(np.sign(self.values) / 2)

    def _mean_of(self, values: Float64s) -> float:
        """Mean over both games; values change sign where the second game goes the other way."""
        first = float(values @ np.array(self.chances))
        return first if self.bond >= 0 else first * (1 + self.bond)


SETTINGS = {
    "coins": Setting((1, -1), (0.55, 0.45), 0.0, 100),
    "draws": Setting((1, 0, -1), (0.2, 0.7, 0.1), 0.0, 150),
    "one-sided": Setting((1, -1), (0.93, 0.07), 0.0, 100),
    "bound alike": Setting((1, 0, -1), (0.5, 0.2, 0.3), 0.6, 100),
    "bound opposite": Setting((1, -1), (0.6, 0.4), -0.7, 100),
    "poker": Setting((13, 5, 3, 1, -1, -3, -5, -13), (0.04, 0.06, 0.1, 0.1, 0.45, 0.12, 0.1, 0.03), -0.4, 200),
}


def draw_returns(setting: Setting, matches: int, rng: np.random.Generator) -> Float64s:
    """Return A's returns: match, round, game."""
    drawn = rng.choice(setting.values, p=setting.chances, size=(matches, setting.rounds, 2)).astype(np.float64)
    bound = rng.random((matches, setting.rounds)) < abs(setting.bond)
    drawn[..., 1] = np.where(bound, np.sign(setting.bond) * drawn[..., 0], drawn[..., 1])
    return drawn


def as_rounds(returns: Float64s) -> list[Round]:
    """Write A's returns (round, game) in a zero-sum game of two as rounds."""
    return [
        Round(number, ((float(first), -float(first)), (-float(second), float(second))))
        for number, (first, second) in enumerate(returns)
    ]


def draw_ladder_scores(ratings: Float64s, rounds: int, bond: float, rng: np.random.Generator) -> Float64s:
    """Return scores of rounds (round, pair) between players with these ratings, as Bradley and Terry would have it."""
    first, second = np.array(list(combinations(range(len(ratings)), 2))).T
    chances = 1 / (1 + 10 ** ((ratings[second] - ratings[first]) / 400))
    games = rng.random((2, rounds, len(chances))) < chances
    bound = rng.random(games[0].shape) < bond
    return np.stack([games[0], np.where(bound, games[0], games[1])]).mean(axis=0)
