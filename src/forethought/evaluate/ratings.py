"""Bradley-Terry ratings on the scale of Elo, from matches between all pairs, with bootstrap intervals over rounds.

Someone who never lost has no finite rating. So each pair is given two virtual rounds, one won by either side: with
hundreds of games they hardly matter, with few they pull ratings together. The bootstrap weighs them anew with the rest,
so the interval of someone who never lost is wide, not empty.
"""

import math
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.evaluate.intervals import LEVEL, bootstrap_means, deviation, middle, p_value

ANCHOR_RATING = 1500.0
RESAMPLES = 1_000
_ELO = 400 / math.log(10)
_TOLERANCE, _MOST_STEPS = 1e-9, 200


class Rating(NamedTuple):
    """A rating, and its 95 % interval: of the difference to the anchor, whose own is fixed."""

    rating: float
    low: float
    high: float


def rate(
    scores: Float64s, players: int, anchor: int, rng: np.random.Generator, resamples: int = RESAMPLES
) -> list[Rating]:
    """Rate players by the mean scores of rounds: a row a round, a column for each pair (0, 1), (0, 2), ..., (1, 2), ...

    A score is that of the first of its pair. All pairs meet the same deals, so rounds are weighed across pairs.
    """
    pairs = scores.shape[1]
    padded = np.concatenate([scores, np.zeros((1, pairs)), np.ones((1, pairs))])
    best = round_robin(padded.mean(axis=0)[None], players)[0]
    drawn = round_robin(bootstrap_means(padded, rng, resamples), players)
    low, high = middle(drawn - drawn[:, [anchor]])
    ratings = zip(best - best[anchor], low, high, strict=True)
    return [Rating(*(float(value) + ANCHOR_RATING for value in one)) for one in ratings]


def round_robin(means: Float64s, players: int) -> Float64s:
    """Return the likeliest ratings for each row of mean scores, where all pairs have met equally often."""
    pairs = list(combinations(range(players), 2))
    hold = np.full((players, players), 1 / players)  # ratings have no level of their own: their sum stays 0
    return bradley_terry(means, sides_of(pairs, players), np.ones(len(pairs)), hold)


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


def cycles(scores: Float64s, players: int) -> list[tuple[int, int, int]]:
    """Return all (a, b, c) where a beats b, b beats c and c beats a, each significantly: no rating can show that."""
    beats = np.zeros((players, players), np.bool_)
    for (first, second), column in zip(combinations(range(players), 2), scores.T, strict=True):
        deviations = deviation(column - 0.5)
        if p_value(deviations) < 1 - LEVEL:
            winner, loser = (first, second) if deviations > 0 else (second, first)
            beats[winner, loser] = True
    return [
        (a, b, c)
        for a, b, c in permutations(range(players), 3)
        if a < min(b, c) and beats[a, b] and beats[b, c] and beats[c, a]
    ]
