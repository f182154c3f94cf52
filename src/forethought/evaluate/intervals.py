"""95 % intervals and the test of no difference. The unit is the round: games that share a deal are not independent."""

import math
from functools import cache
from statistics import NormalDist

import numpy as np

from forethought.arrays import Float64s

LEVEL = 0.95
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
RESAMPLES = 2_000
_CHUNK = 4_000_000  # weights drawn at once


def wilson_interval(scores: Float64s) -> tuple[float, float]:
    """Return Wilson's interval for the mean of scores in 0..1, one a round.

    Wilson's formula takes independent wins and losses. Draws, and games of a round that hang together, change the
    variance of the mean by the *design effect*: variance of the scores / variance of a coin with the same mean. So the
    formula is given as many coins as would be equally uncertain: rounds / design effect. To estimate the effect, a lost
    and a won round are added: when all rounds ended alike it stays above 0, and the interval reaches 1.4 / rounds or
    more. Scores of only 0 and 1 have the effect 1, and get Wilson's own interval.
    """
    rounds, mean = len(scores), float(scores.mean())
    padded = np.append(scores, (0.0, 1.0))
    coins = rounds * float(padded.mean() * (1 - padded.mean()) / padded.var())
    centre = (mean + Z * Z / (2 * coins)) / (1 + Z * Z / coins)
    reach = Z / (1 + Z * Z / coins) * math.sqrt(mean * (1 - mean) / coins + (Z / (2 * coins)) ** 2)
    return max(0.0, min(centre - reach, mean)), min(1.0, max(centre + reach, mean))


def bootstrap_means(values: Float64s, rng: np.random.Generator, resamples: int = RESAMPLES) -> Float64s:
    """Return means over rounds, a row each, with the rounds weighted anew: the Bayesian bootstrap (Rubin 1981).

    Weights are exponential, not whole, so that no round ever vanishes; otherwise it is the ordinary bootstrap. Rounds
    with equal values share a sum of exponentials, a gamma: what it costs is the number of different values.
    """
    different, counts = np.unique(values, axis=0, return_counts=True)
    rows = max(1, _CHUNK // len(different))
    means = []
    for begin in range(0, resamples, rows):
        weights = rng.standard_gamma(counts, (min(rows, resamples - begin), len(counts)))
        weights /= weights.sum(axis=1, keepdims=True)
        means.append(weights @ different)
    return np.concatenate(means)


def middle(draws: Float64s) -> tuple[Float64s, Float64s]:
    """Return the ends of the middle 95 % of draws, column by column."""
    low, high = np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return low, high


def mean_interval(values: Float64s, rng: np.random.Generator) -> tuple[float, float]:
    """Return the bootstrap interval for the mean of one value a round."""
    low, high = middle(bootstrap_means(values, rng))
    return float(low), float(high)


def student_interval(values: Float64s) -> tuple[float, float] | None:
    """Return Student's interval for the mean of a few values, such as one a seed; None of a single value.

    A bootstrap of three values knows nothing of what lies beyond them, and is far too narrow.
    """
    if len(values) < 2:
        return None
    mean, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values))
    reach = student_quantile(len(values) - 1) * error
    return mean - reach, mean + reach


@cache
def student_quantile(freedom: int) -> float:
    """Return the t that 95 % of draws of Student's distribution do not exceed in size, by bisection."""
    low, high = Z, 13.0  # of infinitely many degrees of freedom, and above that of one
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < LEVEL else (low, middle)
    return high


def _within(t: float, freedom: int) -> float:
    """Return how likely a draw of Student's distribution is between -t and t (Abramowitz and Stegun, 26.7.3-4)."""
    angle = math.atan(t / math.sqrt(freedom))
    odd = freedom % 2
    term, total = math.cos(angle) ** odd, 0.0
    for power in range(2 + odd, freedom + 1, 2):
        total += term
        term *= (power - 1) / power * math.cos(angle) ** 2
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


def deviation(differences: Float64s) -> float:
    """Return how many standard errors the sum of differences, one a round, lies from none.

    The error is reckoned about 0, as if there were no difference: few rounds that all end alike prove no more than so
    many coins that all fall alike.
    """
    square = float(differences @ differences)
    return float(differences.sum()) / math.sqrt(square) if square > 0 else 0.0


def p_value(deviations: float) -> float:
    """Return how likely so large a deviation is, to either side, where there is no difference."""
    return math.erfc(abs(deviations) / math.sqrt(2))
