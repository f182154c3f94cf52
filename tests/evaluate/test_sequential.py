"""The sequential test: wrong verdicts are as rare as it says, and it saves games."""

import numpy as np
import pytest

from forethought.errors import ForethoughtError
from forethought.evaluate.sequential import ALPHA, BETA, FEWEST_ROUNDS, SequentialTest, verdicts
from tests.evaluate.simulated import Setting, draw_returns

MARGIN = 0.05
SIMULATIONS = 2_000
LONGEST = 3_000

POKER = (13.0, 5.0, 3.0, 1.0, -1.0, -3.0, -5.0, -13.0)
EVEN_POKER = (0.04, 0.06, 0.15, 0.25, 0.25, 0.15, 0.06, 0.04)
EQUAL = {
    "coins": Setting((1, -1), (0.5, 0.5), 0.0, LONGEST),
    "draws": Setting((1, 0, -1), (0.1, 0.8, 0.1), 0.0, LONGEST),
    "bound alike": Setting((1, -1), (0.5, 0.5), 0.5, LONGEST),
    "bound opposite": Setting((1, -1), (0.5, 0.5), -0.5, LONGEST),
    "poker": Setting(POKER, EVEN_POKER, 0.0, LONGEST),
}
BETTER = {
    "coins": Setting((1, -1), (0.55, 0.45), 0.0, LONGEST),
    "draws": Setting((1, 0, -1), (0.25, 0.6, 0.15), 0.0, LONGEST),
    "bound alike": Setting((1, -1), (0.55, 0.45), 0.5, LONGEST),
}


def first_verdicts(setting: Setting, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the verdict of each simulated match and the rounds it took."""
    rng, found, taken = np.random.default_rng(seed), [], []
    for _ in range(SIMULATIONS // 250):
        advantages = 2 * draw_returns(setting, 250, rng)
        mean = advantages.mean(axis=2)
        rounds = np.broadcast_to(np.arange(1.0, LONGEST + 1), mean.shape)
        squares = [mean, mean * mean, (advantages * advantages).mean(axis=2)]
        judged = verdicts(np.array([rounds, *(each.cumsum(axis=1) for each in squares)]), MARGIN)
        stops = np.where((judged != 0).any(axis=1), (judged != 0).argmax(axis=1), LONGEST - 1)
        found.append(judged[np.arange(len(judged)), stops])
        taken.append(stops + 1)
    return np.concatenate(found), np.concatenate(taken)


@pytest.mark.slow
def test_equal_players_are_seldom_told_apart() -> None:
    noise = 2 * np.sqrt(ALPHA * (1 - ALPHA) / SIMULATIONS)
    errors = []
    for setting in EQUAL.values():
        found, taken = first_verdicts(setting, seed=1)
        errors.append(np.isin(found, (1, -1)).mean())
        assert taken.mean() < 1_000
        assert (found == 0).mean() < 0.01
    assert np.mean(errors) <= ALPHA
    assert max(errors) <= ALPHA + noise


@pytest.mark.parametrize("name", BETTER)
@pytest.mark.quick_cases(1)
def test_a_player_better_by_the_margin_is_seldom_missed(name: str) -> None:
    found, taken = first_verdicts(BETTER[name], seed=2)
    assert (found == 1).mean() >= 1 - BETA
    assert taken.mean() < 1_000


def test_the_rounds_one_by_one_give_the_verdict_of_all_at_once() -> None:
    advantages = 2 * draw_returns(BETTER["coins"], 1, np.random.default_rng(3))[0]
    test = SequentialTest(MARGIN)
    stop = next(number for number, games in enumerate(advantages) if test.add(games))
    mirrored = SequentialTest(MARGIN)
    assert next(number for number, games in enumerate(-advantages) if mirrored.add(games)) == stop
    assert (test.verdict, mirrored.verdict) == ("A", "B")
    assert test.rounds == stop + 1 > FEWEST_ROUNDS


@pytest.mark.parametrize("advantages", [(0.0, 0.0), (2.0, -2.0)], ids=["all drawn", "the seat decides"])
def test_rounds_that_never_differ_end_as_equal(advantages: tuple[float, float]) -> None:
    test = SequentialTest(MARGIN)
    for _ in range(FEWEST_ROUNDS - 1):
        assert test.add(np.array(advantages)) == ""
    for _ in range(40):
        test.add(np.array(advantages))
    assert test.verdict == "equal"


@pytest.mark.parametrize("margin", [0.0, -0.1, 0.5, float("nan")])
def test_a_margin_is_a_difference_in_win_rate(margin: float) -> None:
    with pytest.raises(ForethoughtError, match="margin must be between 0 and"):
        SequentialTest(margin)
