"""UCB1 keeps the bound on its regret that is proven for it; both rules choose what their formulas say."""

import math

import numpy as np
import pytest

from forethought.compiler import kernel
from forethought.randomness import Generator, generator, uniform
from forethought.search.mcts.selection import puct
from forethought.search.mcts.tree import make_pool
from forethought.search.ucb1 import ucb1
from tests.naive import xoshiro

ARMS = {
    "three": [0.9, 0.8, 0.5],
    "the best comes last": [0.2, 0.4, 0.7],
    "two best": [0.8, 0.5, 0.8, 0.3],
    "ten": [0.4] * 9 + [0.9],
}
RUNS = 200


def play_bandit(
    chances: np.ndarray, plays: int, rng: Generator, exploration: float = math.sqrt(2.0)
) -> tuple[np.ndarray, np.ndarray]:
    """Play arms that pay 1 with these chances, else 0, by UCB1; return how often each was played, and what it paid."""
    visits, totals = np.zeros(len(chances), np.int64), np.zeros(len(chances))
    pull_arms(chances, plays, exploration, visits, totals, rng)
    return visits, totals


@kernel
def pull_arms(chances, plays, exploration, visits, totals, rng):
    for play in range(plays):
        arm = ucb1(visits, totals, 0, len(chances), play, 1, exploration)
        visits[arm] += 1
        totals[arm] += uniform(rng) < chances[arm]


def regret_bound(gaps: list[float], plays: int) -> float:
    """Theorem 1 of Auer, Cesa-Bianchi and Fischer."""
    worse = [gap for gap in gaps if gap > 0]
    return 8 * sum(math.log(plays) / gap for gap in worse) + (1 + math.pi**2 / 3) * sum(worse)


@pytest.mark.parametrize("arms", ARMS)
@pytest.mark.parametrize("plays", [100, 1_000, 10_000])
def test_the_regret_of_ucb1_is_below_its_bound(arms: str, plays: int) -> None:
    chances = ARMS[arms]
    gaps = [max(chances) - chance for chance in chances]
    regrets = []
    for run in range(RUNS):
        visits, _ = play_bandit(np.array(chances), plays, generator(run))
        assert visits.sum() == plays
        assert visits.min() > 0
        regrets.append(float(visits @ gaps))
    assert np.mean(regrets) < regret_bound(gaps, plays)
    if plays == 10_000:  # there the bound says something: playing all arms alike would not keep it
        assert regret_bound(gaps, plays) < plays * np.mean(gaps)


@pytest.mark.parametrize("arms", ARMS)
def test_the_regret_of_ucb1_grows_ever_slower(arms: str) -> None:
    chances = np.array(ARMS[arms])
    means = [
        np.mean([play_bandit(chances, plays, generator(run))[0] @ (chances.max() - chances) for run in range(RUNS)])
        for plays in (100, 1_000, 10_000)
    ]
    assert means[1] < 10 * means[0] / 2
    assert means[2] < 10 * means[1] / 2


@pytest.mark.parametrize("arms", ARMS)
@pytest.mark.parametrize("exploration", [0.1, math.sqrt(2.0)])
def test_a_bandit_is_played_as_by_hand(arms: str, exploration: float) -> None:
    chances, words = ARMS[arms], [int(word) for word in generator(3)]
    visits, totals = [0] * len(chances), [0] * len(chances)
    for play in range(2_000):
        if play < len(chances):
            arm = play
        else:
            bounds = [
                total / n + exploration * math.sqrt(math.log(play) / n) for n, total in zip(visits, totals, strict=True)
            ]
            arm = bounds.index(max(bounds))
        visits[arm] += 1
        totals[arm] += xoshiro.uniform(words) < chances[arm]
    played = play_bandit(np.array(chances), 2_000, generator(3), exploration)
    assert (played[0].tolist(), played[1].tolist()) == (visits, totals)


def test_puct_chooses_by_its_formula_and_takes_walks_that_wait_for_lost() -> None:
    rng, edges = np.random.default_rng(1), make_pool(1, 20, 1).edges
    for _ in range(200):
        first, count, scale = int(rng.integers(10)), int(rng.integers(1, 10)), float(rng.uniform(1.0, 5.0))
        edges.prior[:], edges.visits[:], edges.waiting[:] = rng.uniform(size=20), rng.integers(3, size=20), 0
        edges.waiting[rng.integers(20, size=5)] = rng.integers(1, 3, size=5)
        edges.total[:] = edges.visits * rng.uniform(-scale, scale, 20)
        plays = int(edges.visits[first : first + count].sum()) + 1
        chosen = puct(edges, first, count, plays, 1.5, 1, 0.1, scale)
        visits = edges.visits + edges.waiting
        means = np.where(visits == 0, 0.1, (edges.total / scale - edges.waiting) / np.maximum(visits, 1))
        bounds = means + 1.5 * edges.prior.astype(np.float64) * math.sqrt(plays) / (1 + visits)
        assert chosen == first + bounds[first : first + count].argmax()
