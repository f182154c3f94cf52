"""Verdicts on curves whose truth is known."""

import numpy as np
import pytest

from forethought.learn.metrics import IterationReport
from forethought.learn.verdict import BETTER, EARLY, LEVEL, NOT_LEARNING, UNDECIDED, WORSE, Verdict
from forethought.learn.verdict import verdict as verdict_with_remedy


def report(iteration: int, nashconv: float | None = None, rate: float | None = None, reach: float = 0.0):
    values = {"seconds": 1.0} | ({} if nashconv is None else {"nashconv": nashconv})
    if rate is not None:
        values |= {"win_rate": rate, "win_rate_low": rate - reach, "win_rate_high": rate + reach}
    return IterationReport(iteration, values)


def verdict(reports: list[IterationReport]) -> Verdict:
    return verdict_with_remedy(reports, "a longer night")


def by_nashconv(values) -> list[IterationReport]:
    return [report(5 * place, float(value)) for place, value in enumerate(values)]


def by_win_rate(values, reach: float) -> list[IterationReport]:
    return [report(5 * place, None, float(value), reach) for place, value in enumerate(values)]


def decaying(count: int, half_life: float, floor: float = 0.0):
    return floor + (1.05 - floor) * 0.5 ** (np.arange(count) / half_life)


@pytest.mark.parametrize("count", [3, 4, 5, 6, 9, 20, 100])
def test_a_falling_curve_is_still_falling(count: int) -> None:
    judged = verdict(by_nashconv(decaying(count, count / 4)))
    assert judged.trend == BETTER
    assert judged.sentence.startswith("NashConv from 1.05 to ")
    assert judged.sentence.endswith(", still falling: train on")


@pytest.mark.parametrize("count", [9, 20, 100])
def test_a_flat_end_has_levelled_off(count: int) -> None:
    judged = verdict(by_nashconv(decaying(count, count / 20, 0.21)))
    assert judged.trend == LEVEL
    assert "from 1.05 to 0.21, has levelled off: a longer night may take it further" in judged.sentence


@pytest.mark.parametrize("count", [2, 3, 6, 20, 100])
def test_a_flat_curve_is_not_learning(count: int) -> None:
    judged = verdict(by_nashconv([1.05] * count))
    assert judged.trend == NOT_LEARNING
    assert judged.sentence.startswith("not learning: NashConv from 1.05 to 1.05")
    assert verdict(by_nashconv(np.linspace(1.05, 1.6, count))).trend == NOT_LEARNING


def test_a_curve_that_turned_names_the_best_iteration() -> None:
    judged = verdict(by_nashconv([2.0, 1.0, 0.5, 0.3, 0.2, 0.3, 0.5, 0.8, 0.9]))
    assert judged.trend == WORSE
    assert "risen since iteration 20 (0.2)" in judged.sentence


def test_two_points_tell_a_direction_and_fewer_tell_nothing() -> None:
    assert verdict(by_nashconv([1.0, 0.5])).trend == BETTER
    assert verdict(by_nashconv([1.0])).trend == EARLY
    assert verdict([report(1)]).sentence == verdict([]).sentence == "nothing was measured yet: train on"


def test_only_measured_iterations_count_and_exact_ones_before_games() -> None:
    reports = [report(1, 1.0, 0.5), report(2), report(3), report(4, 0.5, 0.5), report(5)]
    assert verdict(reports).sentence == "NashConv from 1 to 0.5, still falling: train on"


@pytest.mark.parametrize("seed", range(20))
def test_noise_is_no_progress_and_hides_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    noise = rng.normal(0.0, 0.02, 30)
    assert verdict(by_win_rate(np.clip(0.5 + noise, 0, 1), 0.04)).trend in (NOT_LEARNING, UNDECIDED, LEVEL)
    assert verdict(by_win_rate(np.linspace(0.5, 0.85, 30) + noise, 0.04)).trend == BETTER
    rose = np.minimum(0.5 + 0.05 * np.arange(30), 0.85)
    assert verdict(by_win_rate(rose + noise, 0.04)).trend == LEVEL
    assert verdict(by_nashconv(decaying(30, 1, 0.4) * np.exp(2 * noise))).trend == LEVEL


def test_a_rise_that_intervals_cannot_tell_is_not_denied() -> None:
    """A true rise of four points, each point measured within four points."""
    trends = []
    for seed in range(100):
        noise = np.random.default_rng(seed).normal(0.0, 0.02, 12)
        trends.append(verdict(by_win_rate(np.linspace(0.60, 0.64, 12) + noise, 0.04)).trend)
    assert trends.count(NOT_LEARNING) <= 2
    assert trends.count(UNDECIDED) > 50
    undecided = verdict(by_win_rate([0.60, 0.62], 0.04))
    assert undecided.sentence == (
        "win rate from 60.0% to 62.0%, not told apart yet: train on, or evaluate with more games (evaluation.games)"
    )
    assert verdict(by_win_rate([0.60] * 200, 0.001)).trend == NOT_LEARNING


def test_a_win_rate_is_told_in_percent() -> None:
    judged = verdict(by_win_rate([0.5, 0.6, 0.7, 0.8], 0.05))
    assert judged.sentence == "win rate from 50.0% to 80.0%, still rising: train on"
    assert verdict(by_win_rate([0.5, 0.51, 0.53], 0.05)).trend == UNDECIDED


def test_a_solved_game_is_level() -> None:
    assert verdict(by_nashconv([1.0, *[0.0] * 8])).trend == LEVEL


def test_where_games_pay_different_sums_the_return_is_judged() -> None:
    """A run whose wins stay level may learn all the same: as in poker, where few hands decide."""
    reports = [
        IterationReport(
            number,
            {"win_rate": 0.5, "mean_return": paid, "mean_return_low": paid - 0.05, "mean_return_high": paid + 0.05},
        )
        for number, paid in enumerate((-0.2, 0.1, 0.4, 0.8), 1)
    ]
    judged = verdict(reports)
    assert judged.trend == BETTER
    assert judged.sentence.startswith("mean return from -0.2 to +0.8, still rising")
