"""Do 95 % intervals hold the truth 95 times in 100? And do they agree with known ones where those apply?"""

import numpy as np
import pytest
from scipy.stats import binomtest, t

from forethought.evaluate.intervals import (
    bootstrap_means,
    deviation,
    mean_interval,
    p_value,
    student_interval,
    student_quantile,
    wilson_interval,
)
from forethought.evaluate.outcomes import Outcomes
from tests.evaluate.simulated import SETTINGS, as_rounds, draw_returns

MATCHES = 1_000


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.quick_cases(1)
def test_intervals_hold_the_truth_in_95_of_100_matches(name: str) -> None:
    setting = SETTINGS[name]
    held = np.zeros(2)
    for number, returns in enumerate(draw_returns(setting, MATCHES, np.random.default_rng(1))):
        tally = Outcomes(as_rounds(returns)).tally(number)
        held += (
            tally.win_rate_low <= setting.win_rate <= tally.win_rate_high,
            tally.mean_return_low <= setting.mean_return <= tally.mean_return_high,
        )
    assert 0.93 <= held[0] / MATCHES <= 0.97, "win rate"
    assert 0.93 <= held[1] / MATCHES <= 0.97, "mean return"


@pytest.mark.parametrize(("wins", "rounds"), [(0, 10), (3, 10), (50, 100), (99, 100), (40, 40)])
def test_for_wins_and_losses_alone_it_is_wilsons_interval(wins: int, rounds: int) -> None:
    known = binomtest(wins, rounds).proportion_ci(method="wilson")
    ours = wilson_interval(np.repeat([1.0, 0.0], [wins, rounds - wins]))
    assert ours == pytest.approx((known.low, known.high), abs=1e-12)


def test_independent_games_count_as_games_not_as_rounds() -> None:
    games = np.random.default_rng(3).random((5_000, 2)) < 0.6
    known = binomtest(int(games.sum()), games.size).proportion_ci(method="wilson")
    assert wilson_interval(games.mean(axis=1)) == pytest.approx((known.low, known.high), abs=3e-4)


def test_rounds_that_all_end_alike_prove_little() -> None:
    low, high = wilson_interval(np.full(30, 0.5))
    assert low == pytest.approx(0.5 - 1.4 / 30, abs=0.01)
    assert high == pytest.approx(0.5 + 1.4 / 30, abs=0.01)
    assert wilson_interval(np.ones(1))[0] < 0.3


def test_the_bootstrap_spreads_as_the_mean_does() -> None:
    values = np.random.default_rng(4).normal(3.0, 2.0, 400)
    drawn = bootstrap_means(values, np.random.default_rng(5), 20_000)
    assert drawn.mean() == pytest.approx(values.mean(), abs=0.005)
    assert drawn.std() == pytest.approx(values.std() / 20, rel=0.03)


def test_grouping_equal_values_changes_no_distribution() -> None:
    values = np.repeat([-1.0, 0.0, 5.0], [50, 30, 20])
    told_apart = values + np.arange(100) * 1e-9
    grouped, single = (bootstrap_means(v, np.random.default_rng(6), 50_000) for v in (values, told_apart))
    assert np.quantile(grouped, [0.025, 0.5, 0.975]) == pytest.approx(
        np.quantile(single, [0.025, 0.5, 0.975]), abs=0.02
    )


def test_the_bootstrap_is_the_same_for_the_same_seed() -> None:
    values = np.arange(20.0)
    first, second = (mean_interval(values, np.random.default_rng(7)) for _ in range(2))
    assert first == second
    assert first != mean_interval(values, np.random.default_rng(8))


def test_p_values_are_uniform_where_there_is_no_difference() -> None:
    rng = np.random.default_rng(9)
    chances = np.array([p_value(deviation(rng.choice([-2.0, 0.0, 2.0], 200))) for _ in range(4_000)])
    assert (chances < 0.05).mean() == pytest.approx(0.05, abs=0.012)
    assert (chances < 0.5).mean() == pytest.approx(0.5, abs=0.03)


def test_no_difference_at_all_has_p_1_and_ten_wins_are_ten_coins() -> None:
    assert p_value(deviation(np.zeros(50))) == 1.0
    assert p_value(deviation(np.ones(10))) == pytest.approx(2 * 0.5**10, abs=1e-3)


def test_few_values_have_students_interval() -> None:
    assert [student_quantile(n) for n in range(1, 60)] == pytest.approx(t.ppf(0.975, range(1, 60)), rel=1e-9)
    values = np.array([0.062, 0.046, 0.050])
    known = t.interval(0.95, 2, values.mean(), values.std(ddof=1) / np.sqrt(3))
    assert student_interval(values) == pytest.approx(known, rel=1e-9)
    assert student_interval(values[:1]) is None
    assert student_interval(np.ones(4)) == (1.0, 1.0)
