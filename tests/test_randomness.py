"""The generator: the published stream, the same compiled and interpreted, evenly spread."""

import numpy as np
import pytest

from forethought.randomness import below, choose, generator, uniform, word
from tests.naive import xoshiro


def test_the_stream_is_that_of_the_reference() -> None:
    rng = generator(3, 14, 15)
    words = [int(w) for w in rng]
    for _ in range(1_000):
        assert int(word(rng)) == xoshiro.word(words)
        assert uniform(rng) == xoshiro.uniform(words)
        assert below(13, rng) == xoshiro.below(13, words)
    assert [int(w) for w in rng] == words


def test_compiled_and_interpreted_streams_are_equal() -> None:
    compiled, interpreted = generator(5), generator(5)
    with np.errstate(over="ignore"):
        assert [int(word(compiled)) for _ in range(100)] == [int(word.py_func(interpreted)) for _ in range(100)]


def test_seeds_give_streams_of_their_own() -> None:
    assert generator(1).tolist() == generator(1).tolist()
    streams = {tuple(generator(*seed).tolist()) for seed in [(0,), (1,), (0, 1), (1, 0), (0, 1, 2)]}
    assert len(streams) == 5


def test_every_number_below_n_comes_up_equally_often() -> None:
    rng, n, draws = generator(8), 7, 70_000
    counts = np.bincount([below(n, rng) for _ in range(draws)], minlength=n)
    chi_square = float(((counts - draws / n) ** 2 / (draws / n)).sum())
    assert chi_square < 22.46  # 6 degrees of freedom, one in a thousand


def test_outcomes_come_up_as_often_as_their_weights_say() -> None:
    rng, weights, draws = generator(9), np.array([0.5, 0.05, 0.45]), 40_000
    counts = np.bincount([choose(weights, 3, rng) for _ in range(draws)], minlength=3)
    errors = np.abs(counts / draws - weights) / np.sqrt(weights * (1 - weights) / draws)
    assert errors.max() < 4


@pytest.mark.parametrize("n", [1, 2])
def test_few_choices_stay_in_range(n: int) -> None:
    rng = generator(2)
    assert {below(n, rng) for _ in range(200)} == set(range(n))
