"""Ratings from matches between pairs, with bootstrap intervals over rounds.

Where all games pay the same sum, ratings are Bradley-Terry's on the scale of Elo, from shares of wins. Where games pay
different sums, who wins more of them may lose in all: there, ratings are what is paid per game, and their differences
what one is paid by the other.

Someone who never lost has no finite Elo. So each pair is given two virtual rounds, the most won and lost: with
hundreds of games they hardly matter, with few they pull ratings together. The bootstrap weighs them anew with the rest,
so the interval of someone who never lost is wide, not empty.
"""

import math
from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import Literal, NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.evaluate.intervals import LEVEL, bootstrap_means, deviation, middle, p_value
from forethought.evaluate.outcomes import RoundMeans

ANCHOR_RATING = 1500.0
RESAMPLES = 1_000
_ELO = 400 / math.log(10)
_TOLERANCE, _MOST_STEPS = 1e-9, 200


class Rating(NamedTuple):
    """A rating, and its 95 % interval: of the difference to the anchor, whose own is fixed."""

    rating: float
    low: float
    high: float


class Scale(NamedTuple):
    """A way to rate: by which results, the least and the most of them, and how ratings follow from their means."""

    name: Literal["elo", "payoff"]
    results: Callable[[RoundMeans], Float64s]
    ends: Callable[[Float64s], tuple[float, float]]
    pads_estimates: bool  # whoever never lost has no finite Elo, but a mean payoff
    fit: Callable[[Float64s, Float64s, Float64s, Float64s], Float64s]
    anchor_rating: float

    def padded(self, results: Float64s) -> Float64s:
        """Add the two virtual rounds to the results of a pair."""
        return np.append(results, self.ends(results))


def rate(
    results: Float64s, players: int, anchor: int, scale: Scale, rng: np.random.Generator, resamples: int = RESAMPLES
) -> list[Rating]:
    """Rate players by the results of rounds: a row a round, a column for each pair (0, 1), (0, 2), ..., (1, 2), ...

    A result is that of the first of its pair. All pairs meet the same deals, so rounds are weighed across pairs.
    """
    padded = np.stack([scale.padded(column) for column in results.T], axis=1)
    measured = padded if scale.pads_estimates else results
    best = round_robin(measured.mean(axis=0)[None], players, scale)[0]
    drawn = round_robin(bootstrap_means(padded, rng, resamples), players, scale)
    low, high = middle(drawn - drawn[:, [anchor]])
    ratings = zip(best - best[anchor], low, high, strict=True)
    return [Rating(*(float(value) + scale.anchor_rating for value in one)) for one in ratings]


def round_robin(means: Float64s, players: int, scale: Scale) -> Float64s:
    """Return the ratings for each row of mean results, where all pairs have met equally often."""
    pairs = list(combinations(range(players), 2))
    hold = np.full((players, players), 1 / players)  # ratings have no level of their own: their sum stays 0
    return scale.fit(means, sides_of(pairs, players), np.ones(len(pairs)), hold)


def sides_of(pairs: Sequence[tuple[int, int]], players: int) -> Float64s:
    """Return who is for (1) and who against (-1) in each pair [pairs, players]."""
    side = np.zeros((len(pairs), players))
    for row, (first, second) in enumerate(pairs):
        side[row, first], side[row, second] = 1.0, -1.0
    return side


def bradley_terry(means: Float64s, side: Float64s, weights: Float64s, hold: Float64s) -> Float64s:
    """Return the likeliest ratings for each row of mean scores, a column a pair, weighed by how often it has met.

    Newton's method on all rows at once. The likelihood is concave; short steps keep it from leaping past the top.
    `hold` is the curvature of whatever holds ratings where no match does.
    """
    strengths = np.zeros((len(means), side.shape[1]))
    for _ in range(_MOST_STEPS):
        expected = 1 / (1 + np.exp(-strengths @ side.T))
        slope = (weights * (means - expected)) @ side - strengths @ hold
        curvature = np.einsum("rp,pi,pj->rij", weights * expected * (1 - expected), side, side) + hold
        step = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
        strengths += np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < _TOLERANCE:
            break
    return _ELO * strengths


def least_squares(means: Float64s, side: Float64s, weights: Float64s, hold: Float64s) -> Float64s:
    """Return the ratings whose differences are nearest to each row of mean payoffs, a column a pair."""
    curvature = (side.T * weights) @ side + hold
    return np.asarray(np.linalg.solve(curvature, ((means * weights) @ side).T).T, np.float64)


def _largest_payoffs(payoffs: Float64s) -> tuple[float, float]:
    most = float(np.abs(payoffs).max())
    return -most, most


ELO = Scale("elo", lambda means: means.scores, lambda _: (0.0, 1.0), True, bradley_terry, ANCHOR_RATING)
PAYOFF = Scale("payoff", lambda means: means.payoffs, _largest_payoffs, False, least_squares, 0.0)


def cycles(results: Float64s, players: int, scale: Scale) -> list[tuple[int, int, int]]:
    """Return all (a, b, c) where a beats b, b beats c and c beats a, each significantly: no rating can show that."""
    beats = np.zeros((players, players), np.bool_)
    for (first, second), column in zip(combinations(range(players), 2), results.T, strict=True):
        deviations = deviation(column - sum(scale.ends(column)) / 2)
        if p_value(deviations) < 1 - LEVEL:
            winner, loser = (first, second) if deviations > 0 else (second, first)
            beats[winner, loser] = True
    return [
        (a, b, c)
        for a, b, c in permutations(range(players), 3)
        if a < min(b, c) and beats[a, b] and beats[b, c] and beats[c, a]
    ]
