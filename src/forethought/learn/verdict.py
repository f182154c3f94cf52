"""Did it learn? One plain sentence from the curve of a run.

The measured points are divided into thirds. A run still improves if the median of the last third is better than that of
the middle third by more than a tolerance, and it learned at all if the last third is better than the beginning. The
tolerance is a share of what is compared, or what noise alone would do: by the points' own intervals, or by how far
neighbouring points lie apart. A run is said not to learn only if noise cannot hide that it does.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from forethought.evaluate.intervals import Z
from forethought.learn.metrics import IterationReport

SHARE = 0.05  # of NashConv: a change below is none
POINTS = 0.01  # of a win rate: likewise
FEW = 6  # with fewer points, scatter cannot be told from a trend
MEDIAN_ERROR = 1.25  # standard error of a median / that of a mean
NORMAL_MEDIAN = 0.6745  # of the absolute value of a standard normal draw

EARLY, UNDECIDED, NOT_LEARNING = "early", "undecided", "not learning"
BETTER, LEVEL, WORSE = "better", "level", "worse"


@dataclass(frozen=True)
class Verdict:
    """A trend for programs and a sentence for people."""

    trend: str  # one of the names above
    sentence: str


class Point(NamedTuple):
    """One measurement; more is better, so NashConv is negated."""

    iteration: int
    score: float
    error: float = 0.0  # standard error


class _Words(NamedTuple):
    name: str
    improving: str
    worsening: str
    undecided: str
    format: str
    sign: int = 1  # of what is shown, where a score is negated


_NASHCONV = _Words("NashConv", "falling", "risen", "train on", "{:.3g}", -1)
_MORE_GAMES = "train on, or evaluate with more games (evaluation.games)"
_MEAN_RETURN = _Words("mean return", "rising", "fallen", _MORE_GAMES, "{:+.3g}")
_WIN_RATE = _Words("win rate", "rising", "fallen", _MORE_GAMES, "{:.1%}")


def verdict(reports: Sequence[IterationReport], remedy: str) -> Verdict:
    """Judge a run; a remedy is what may help it.

    By its NashConv; else by what its games pay, where they pay different sums; else by its win rate.
    """
    exact = [Point(one.iteration, -value) for one in reports if (value := one.get("nashconv")) is not None]
    if exact:
        return _told(exact, _NASHCONV, SHARE * abs(median(point.score for point in exact)), remedy)
    paid = _points(reports, "mean_return")
    if paid:
        return _told(paid, _MEAN_RETURN, SHARE * max(abs(point.score) for point in paid), remedy)
    played = _points(reports, "win_rate")
    if played:
        return _told(played, _WIN_RATE, POINTS, remedy)
    return Verdict(EARLY, "nothing was measured yet: train on")


def trend_of(points: Sequence[Point], tolerance: float) -> str:
    """Judge a curve; changes up to the tolerance, or up to its own noise, are none."""
    if len(points) < 2:
        return EARLY
    third = max(1, len(points) // 3)
    first, late = points[0], points[-third:]
    middle = points[-2 * third : -third]
    noise = _noise(points)
    now, then = (median(point.score for point in part) for part in (late, middle))
    gain, reach = now - first.score, _reach(noise, 1, third)
    if gain + reach <= tolerance:
        return NOT_LEARNING
    if gain <= max(tolerance, reach):
        return UNDECIDED
    change, doubt = now - then, max(tolerance, _reach(noise, third, third))
    if change > doubt:
        return BETTER
    return WORSE if change < -doubt else LEVEL


def _told(points: Sequence[Point], words: _Words, tolerance: float, remedy: str) -> Verdict:
    trend = trend_of(points, tolerance)
    way = f"{words.name} from {_shown(points[0], words)} to {_shown(points[-1], words)}"
    best = max(points, key=lambda point: point.score)
    sentence = {
        EARLY: f"{words.name} {_shown(points[0], words)}, measured once: train on",
        UNDECIDED: f"{way}, not told apart yet: {words.undecided}",
        BETTER: f"{way}, still {words.improving}: train on",
        LEVEL: f"{way}, has levelled off: {remedy} may take it further",
        WORSE: f"{way}, but it has {words.worsening} since iteration {best.iteration} ({_shown(best, words)}): "
        "use the weights of that iteration",
        NOT_LEARNING: f"not learning: {way}; try {remedy} or another learning.rate",
    }
    return Verdict(trend, sentence[trend])


def _shown(point: Point, words: _Words) -> str:
    return words.format.format(words.sign * point.score)


def _points(reports: Sequence[IterationReport], name: str) -> list[Point]:
    measured = [(one, value) for one in reports if (value := one.get(name)) is not None]
    return [_point(one, name, value) for one, value in measured]


def _point(report: IterationReport, name: str, value: float) -> Point:
    low, high = report.interval(name) or (value, value)
    return Point(report.iteration, value, (high - low) / (2 * Z))


def _noise(points: Sequence[Point]) -> float:
    """Return the standard deviation of one point about the trend."""
    stated = median(point.error for point in points)
    if len(points) < FEW:
        return stated
    # Differences of differences: a steady trend is no noise. Each has six times the variance of a point.
    scores = [point.score for point in points]
    bends = [abs(a - 2 * b + c) for a, b, c in zip(scores, scores[1:], scores[2:], strict=False)]
    return max(stated, median(bends) / (NORMAL_MEDIAN * math.sqrt(6)))


def _reach(noise: float, one: int, other: int) -> float:
    """Return how far the medians of so many points may lie apart by noise alone."""
    return Z * noise * MEDIAN_ERROR * math.sqrt(1 / one + 1 / other)
