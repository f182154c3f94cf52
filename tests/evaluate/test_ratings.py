"""Ratings: the same as evalica's, intervals that hold the truth, and a warning where no rating can be true."""

from itertools import combinations

import evalica
import numpy as np
import pytest

from forethought.evaluate.ratings import ELO, PAYOFF, cycles, rate, round_robin
from tests.evaluate.simulated import SETTINGS, draw_ladder_scores, draw_returns

LADDERS = 1_000
TRUTH = np.array([0.0, 60.0, 150.0, 300.0])


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "bond"), [(25, 0.0), (60, 0.5)])
@pytest.mark.quick_cases(1)
def test_intervals_hold_the_truth_in_95_of_100_ladders(rounds: int, bond: float) -> None:
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(LADDERS):
        ratings = rate(draw_ladder_scores(TRUTH, rounds, bond, rng), 4, 0, ELO, rng, resamples=400)
        assert ratings[0] == (1500, 1500, 1500)
        held += sum(one.low <= 1500 + truth <= one.high for one, truth in zip(ratings[1:], TRUTH[1:], strict=True))
    assert 0.93 <= held / LADDERS / 3 <= 0.97


def test_ratings_are_evalicas() -> None:
    rng = np.random.default_rng(2)
    lopsided = np.array([0.0001, 0.9999, 0.5, 0.9, 0.2, 0.999, 0.999, 0.001, 0.001, 0.5])
    for players, means in ((2, np.array([0.7])), (4, rng.random(6)), (4, np.full(6, 0.9999)), (5, lopsided)):
        first, second = np.array(list(combinations(range(players), 2))).T
        known = evalica.bradley_terry(
            [*first, *second],
            [*second, *first],
            [evalica.Winner.X] * 2 * len(first),
            weights=[*means, *(1 - means)],
            tolerance=1e-12,
            limit=100_000,
        ).scores.loc[list(range(players))]
        ours = round_robin(means[None], players, ELO)[0]
        assert ours - ours[0] == pytest.approx(400 * np.log10(known / known[0]).to_numpy(), abs=1e-4)


def test_many_rows_at_once_are_each_row_alone() -> None:
    means = np.random.default_rng(3).random((20, 6))
    alone = np.concatenate([round_robin(row[None], 4, ELO) for row in means])
    assert round_robin(means, 4, ELO) == pytest.approx(alone, abs=1e-6)


def test_who_never_lost_has_a_finite_rating_and_a_wide_interval() -> None:
    winner, loser = rate(np.ones((50, 1)), 2, 1, ELO, np.random.default_rng(4))
    assert loser.rating == 1500
    assert 1500 + 300 < winner.low < winner.rating < winner.high < 1500 + 2_500
    assert winner.high - winner.low > 300


def test_the_anchor_moves_all_ratings_alike() -> None:
    scores = draw_ladder_scores(TRUTH, 100, 0.0, np.random.default_rng(5))
    by_first, by_last = (rate(scores, 4, anchor, ELO, np.random.default_rng(6)) for anchor in (0, 3))
    moved = {round(one.rating - other.rating, 6) for one, other in zip(by_first, by_last, strict=True)}
    assert len(moved) == 1
    assert by_last[3] == (1500, 1500, 1500)


def test_rock_paper_scissors_is_a_cycle_once_it_is_significant() -> None:
    # rock - paper, rock - scissors, paper - scissors
    beats = np.tile([[0.0, 1.0, 0.0]], (40, 1))
    assert cycles(beats, 3, ELO) == [(0, 2, 1)]
    assert cycles(1 - beats, 3, ELO) == [(0, 1, 2)]
    assert cycles(beats[:3], 3, ELO) == []
    assert cycles(np.tile([[1.0, 1.0, 1.0]], (40, 1)), 3, ELO) == []
    assert cycles(7 * (2 * beats - 1), 3, PAYOFF) == [(0, 2, 1)]


def test_payoffs_are_the_differences_that_come_nearest() -> None:
    rng = np.random.default_rng(7)
    payoffs = rng.integers(-13, 14, (30, 6)).astype(np.float64)
    ratings = rate(payoffs, 4, 2, PAYOFF, rng)
    side = np.array([[(one == a) - float(one == b) for one in range(4)] for a, b in combinations(range(4), 2)])
    nearest = np.linalg.lstsq(side, payoffs.mean(axis=0), rcond=None)[0]
    assert [one.rating for one in ratings] == pytest.approx(list(nearest - nearest[2]))
    assert ratings[2] == (0, 0, 0)


def test_intervals_of_payoffs_hold_the_truth_in_95_of_100_matches() -> None:
    rng, setting = np.random.default_rng(8), SETTINGS["poker"]
    held = 0
    for returns in draw_returns(setting, LADDERS, rng):
        ours, _ = rate(returns.mean(axis=1)[:, None], 2, 1, PAYOFF, rng, resamples=400)
        held += ours.low <= setting.mean_return <= ours.high
    assert 0.93 <= held / LADDERS <= 0.97
