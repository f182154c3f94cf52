"""The reservoir: what it keeps, for how long, and that it does not matter how rows are handed to it."""

import numpy as np
import pytest
from scipy import stats

from forethought.errors import ForethoughtError
from forethought.learn.memory import Memory
from forethought.learn.samples import Samples, joined, no_samples


def numbered(first: int, rows: int, width: int = 1) -> Samples:
    """Rows that can be told apart: each bears its number in every array."""
    samples, numbers = no_samples(width, 2, rows, values=1), np.arange(first, first + rows)
    samples.facts[:], samples.actions[:], samples.targets[:], samples.values[:] = (numbers[:, None],) * 4
    samples.known[:], samples.counts[:] = numbers, numbers
    return samples


def content(memory: Memory) -> Samples:
    """The rows in use."""
    return memory._samples.chosen(slice(memory.rows))


def same(left: Samples, right: Samples) -> bool:
    return all(np.array_equal(one, other) for one, other in zip(left, right, strict=True))


def test_until_it_is_full_every_row_is_kept_in_order() -> None:
    memory, rng = Memory(10, 2.0, 1, 2, values=1), np.random.default_rng(1)
    for first in (0, 4, 8):
        memory.add(numbered(first, 4 if first < 8 else 2), rng)
    assert memory.rows == 10
    assert same(content(memory), numbered(0, 10))
    assert rng.random() == np.random.default_rng(1).random()  # nothing was left to chance


def test_a_full_memory_stays_full_and_rows_stay_whole() -> None:
    memory, rng = Memory(10, 2.0, 1, 2, values=1), np.random.default_rng(1)
    memory.add(numbered(0, 1000), rng)
    kept = content(memory)
    assert kept.rows == memory.rows == 10
    assert len(set(kept.known.tolist())) == 10
    for array in kept:
        assert (kept.known == array.T).all()


@pytest.mark.parametrize(("capacity", "beta"), [(50, 2.0), (4, 1.0), (7, 5.0), (1, 1.5)])
@pytest.mark.quick_cases(2)
def test_rows_survive_as_the_law_says(capacity: int, beta: float) -> None:
    """A million insertions; ages are read so rarely that next to nothing outlives two readings."""
    memory, rng, ages = Memory(capacity, beta, 1, 2, values=1), np.random.default_rng(2), []
    interval = max(100, int(12 * beta * capacity))
    for first in range(0, 1_000_000, interval):
        memory.add(numbered(first, interval), rng)
        ages.append(first + interval - 1 - content(memory).known)
    seen = np.concatenate(ages[1:])
    for halves in (0.1, 0.5, 1, 2, 4):
        newcomers = max(1, round(halves * np.log(2) * beta * capacity))
        survival = np.exp(-newcomers / (beta * capacity))
        low, high = stats.binom.interval(1 - 1e-6, len(seen), survival)
        assert low <= np.count_nonzero(seen >= newcomers) <= high


def test_a_new_row_is_let_in_with_about_the_probability_one_over_beta() -> None:
    memory, rng, entered = Memory(1000, 2.0, 1, 2, values=1), np.random.default_rng(3), 0
    memory.add(numbered(0, 1000), rng)
    for first in range(1000, 41_000, 20):
        memory.add(numbered(first, 20), rng)
        entered += np.count_nonzero(content(memory).known >= first)
    # of 20 newcomers let in, one may already have replaced another: fewer than 20 / 2000 of them
    assert 0.485 < entered / 40_000 < 0.51


def test_replaced_slots_are_uniform() -> None:
    memory, rng, hits = Memory(20, 2.0, 1, 2, values=1), np.random.default_rng(4), np.zeros(20)
    memory.add(numbered(0, 20), rng)
    for number in range(20, 8020):
        memory.add(numbered(number, 1), rng)
        hits += content(memory).known == number
    assert stats.chisquare(hits).pvalue > 1e-4


@pytest.mark.parametrize("capacity", [1, 3, 40, 500])
def test_rows_added_one_by_one_or_in_batches_make_the_same_memory(capacity: int) -> None:
    """So do batches: small memories see many rows of one batch in the same slot, of which the last must stay."""
    parts = [numbered(first, 30, width=1 + first % 4) for first in range(0, 600, 30)]
    whole, batched, single = (Memory(capacity, 2.0, 1, 2, values=1) for _ in range(3))
    rngs = [np.random.default_rng(5) for _ in range(3)]
    whole.add(joined(parts), rngs[0])
    for part in parts:
        batched.add(part, rngs[1])
        for row in range(part.rows):
            single.add(part.chosen([row]), rngs[2])
    assert same(content(batched), content(whole))
    assert same(content(single), content(whole))
    assert len({rng.random() for rng in rngs}) == 1


def test_wider_rows_widen_the_memory_and_narrow_ones_leave_nothing_behind() -> None:
    memory, rng = Memory(1, 1.0, 1, 2, values=1), np.random.default_rng(6)
    memory.add(numbered(1, 1), rng)
    memory.add(numbered(2, 50, width=3), rng)
    assert content(memory).facts.shape == (1, 3)
    assert (content(memory).facts == content(memory).known).all()
    memory.add(numbered(100, 50), rng)
    number = int(content(memory).known[0])
    assert number >= 100
    assert content(memory).facts.tolist() == [[number, 0, 0]]


def test_batches_are_drawn_uniformly_from_the_rows_in_use() -> None:
    memory, rng = Memory(1000, 2.0, 1, 2, values=1), np.random.default_rng(7)
    memory.add(numbered(0, 30), rng)
    drawn = memory.batch(30_000, rng)
    assert (drawn.facts[:, 0] == drawn.known).all()
    assert stats.chisquare(np.bincount(drawn.known, minlength=30)).pvalue > 1e-4
    assert same(memory.batch(5, np.random.default_rng(8)), memory.batch(5, np.random.default_rng(8)))


def test_a_batch_is_a_copy() -> None:
    memory, rng = Memory(5, 2.0, 1, 2, values=1), np.random.default_rng(9)
    memory.add(numbered(1, 5), rng)
    for array in memory.batch(5, rng):
        array[:] = 0
    assert same(content(memory), numbered(1, 5))


def test_an_empty_memory_has_nothing_to_teach() -> None:
    with pytest.raises(ForethoughtError, match="nothing to learn from"):
        Memory(5, 2.0, 1, 2, values=1).batch(1, np.random.default_rng(1))


@pytest.mark.parametrize(("capacity", "beta"), [(0, 2.0), (5, 0.5), (5, np.nan), (5, np.inf)])
def test_a_memory_that_cannot_be_is_refused(capacity: int, beta: float) -> None:
    with pytest.raises(ForethoughtError, match="at least 1"):
        Memory(capacity, beta, 1, 2, values=1)


def test_rows_without_values_are_kept_as_well() -> None:
    memory, rng = Memory(3, 2.0, 1, 2), np.random.default_rng(1)
    memory.add(numbered(1, 5)._replace(values=np.zeros((5, 0), np.float32)), rng)
    assert memory.batch(4, rng).values.shape == (4, 0)


def test_linear_batches_draw_each_row_in_proportion_to_its_age() -> None:
    memory = Memory(100, 1.0, 1, 2, values=1)
    memory.add(numbered(0, 10), np.random.default_rng(1))
    drawn = memory.linear_batch(100_000, np.random.default_rng(2)).values[:, 0].astype(int)
    shares = np.bincount(drawn, minlength=10) / len(drawn)
    assert shares == pytest.approx((2 * np.arange(10) + 1) / 100, abs=0.005)
