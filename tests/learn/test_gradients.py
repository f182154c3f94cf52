"""Gradients against finite differences, the optimiser against plain arithmetic, and why TSPG learns an offset."""

import math
from itertools import pairwise

import numpy as np
import pytest

from forethought.arrays import Float64s
from forethought.learn.gradients import (
    CentredRMSProp,
    PatternBatch,
    PatternSample,
    RMSPropParameters,
    batch_of,
    cross_entropy,
    cross_entropy_gradient,
    expected_value,
    expected_value_gradient,
    policy_of,
)

PATTERNS = 9


def lesson(active: list[list[int]], targets: list[float], values: list[float]) -> PatternSample:
    """Return a lesson of moves, each with its active patterns."""
    listed = [pattern for one in active for pattern in one]
    ends = np.cumsum([len(one) for one in active])
    return PatternSample(np.array(listed, np.int64), ends, np.array(targets), np.array(values))


def random_lessons(count: int, seed: int = 1) -> list[PatternSample]:
    """Lessons of one move to six, some of them with no active pattern at all."""
    rng, found = np.random.default_rng(seed), []
    for number in range(count):
        moves = 1 + number % 6
        active = [rng.permutation(PATTERNS)[: rng.integers(PATTERNS)].tolist() for _ in range(moves)]
        found.append(lesson(active, rng.dirichlet(np.ones(moves)).tolist(), rng.uniform(-1, 1, moves).tolist()))
    return found


def naive_policy(one: PatternSample, weights: Float64s) -> list[float]:
    spans = pairwise([0, *one.ends.tolist()])
    logits = [sum(weights[p] for p in one.active[begin:end]) for begin, end in spans]
    total = sum(math.exp(logit) for logit in logits)
    return [math.exp(logit) / total for logit in logits]


def naive_cross_entropy(lessons: list[PatternSample], weights: Float64s) -> float:
    losses = [
        -sum(share * math.log(p) for share, p in zip(one.targets, naive_policy(one, weights), strict=True))
        for one in lessons
    ]
    return sum(losses) / len(losses)


def naive_expected_value(lessons: list[PatternSample], weights: Float64s) -> float:
    found = [sum(p * value for p, value in zip(naive_policy(one, weights), one.values, strict=True)) for one in lessons]
    return sum(found) / len(found)


OBJECTIVES = [
    (cross_entropy, cross_entropy_gradient, naive_cross_entropy),
    (expected_value, expected_value_gradient, naive_expected_value),
]


@pytest.mark.parametrize(("objective", "gradient", "naive"), OBJECTIVES)
@pytest.mark.parametrize("seed", range(5))
def test_gradients_are_those_of_finite_differences(objective, gradient, naive, seed):
    lessons, weights = random_lessons(13, seed), np.random.default_rng(seed).normal(0.0, 1.0, PATTERNS)
    batch, step = batch_of(lessons), 1e-5
    assert objective(batch, weights) == pytest.approx(naive(lessons, weights), abs=1e-12)
    differences = []
    for pattern in range(PATTERNS):
        aside = step * (np.arange(PATTERNS) == pattern)
        differences.append((naive(lessons, weights + aside) - naive(lessons, weights - aside)) / (2 * step))
    found = gradient(batch, weights)
    assert found.dtype == np.float64
    assert np.abs(found - differences).max() < 1e-8
    assert np.abs(found).max() > 0.01


def test_a_batch_holds_each_lesson_as_often_as_it_was_drawn():
    lessons, weights = random_lessons(6), np.random.default_rng(2).normal(0.0, 1.0, PATTERNS)
    drawn = [lessons[place] for place in (5, 0, 5, 5, 2)]
    policies = policy_of(batch_of(drawn), weights).tolist()
    assert policies == pytest.approx([p for one in drawn for p in naive_policy(one, weights)], abs=1e-14)
    apart = [cross_entropy_gradient(batch_of([one]), weights) for one in drawn]
    assert cross_entropy_gradient(batch_of(drawn), weights) == pytest.approx(np.mean(apart, axis=0), abs=1e-14)


def test_large_weights_overflow_nowhere():
    batch = batch_of([lesson([[0], [1], []], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0])])
    assert policy_of(batch, np.array([5_000.0, 5_000.0])) == pytest.approx([0.5, 0.5, 0.0])


def test_where_nothing_tells_moves_apart_nothing_is_learnt():
    """Patterns that are active for all moves of a position, or for none, have no gradient."""
    batch = batch_of([lesson([[0], [0]], [0.9, 0.1], [1.0, -1.0])])
    for gradient in (cross_entropy_gradient, expected_value_gradient):
        assert gradient(batch, np.zeros(2)).tolist() == pytest.approx([0.0, 0.0], abs=1e-16)


# Why TSPG learns an offset. In Yavalath a line of three loses and a line of four wins. The pattern of a loss matches
# every win as well, and may be known long before the pattern of a win is.

LOSS, WIN = range(2)
LEARNT_LOSS = np.array([-12.0, 0.0])  # before there was a pattern of a win


def yavalath() -> PatternBatch:
    """A position with a winning move, a losing one and five that are neither, as a search sees it."""
    return batch_of([lesson([[LOSS, WIN], [LOSS], *([[]] * 5)], [0.9, 0.0, *([0.02] * 5)], [1.0, -1.0, *([0.0] * 5)])])


def climbed(gradient_at, start: Float64s, steps: int) -> Float64s:
    """Follow a gradient, which may depend on where one is; return the offset from the start."""
    optimizer = CentredRMSProp(RMSPropParameters(rate=0.05, divided=False), len(start))
    for _ in range(steps):
        optimizer.follow(gradient_at(start + optimizer.weights))
    return optimizer.weights


def test_the_gradient_of_values_vanishes_for_moves_of_no_probability():
    batch = yavalath()
    assert policy_of(batch, LEARNT_LOSS)[0] < 1e-5
    assert np.abs(expected_value_gradient(batch, LEARNT_LOSS)).max() < 2e-6
    assert cross_entropy_gradient(batch, LEARNT_LOSS)[WIN] < -0.89
    assert expected_value_gradient(batch, np.zeros(2))[WIN] > 0.1  # it is not the values' fault


def test_on_top_of_what_visits_teach_values_are_learnt():
    """In as many steps as the gradient of values alone gets nowhere in."""
    batch, steps = yavalath(), 40
    alone = climbed(lambda weights: expected_value_gradient(batch, weights), LEARNT_LOSS, steps)
    assert policy_of(batch, LEARNT_LOSS + alone)[0] < 0.01
    ce = LEARNT_LOSS + climbed(lambda weights: -cross_entropy_gradient(batch, weights), LEARNT_LOSS, steps)
    assert ce[WIN] > 5.0
    offset = climbed(lambda weights: expected_value_gradient(batch, weights), ce, steps)
    assert policy_of(batch, ce + offset)[0] > policy_of(batch, ce)[0] > 0.9
    assert offset[WIN] > 10 * alone[WIN] > 0.0


# The optimiser.


def scalar_steps(gradients: list[float], rate: float, momentum: float, decay: float, epsilon: float) -> float:
    """Where centred RMSProp comes to with one weight."""
    square = mean = speed = weight = 0.0
    for gradient in gradients:
        square = decay * square + (1 - decay) * gradient**2
        mean = decay * mean + (1 - decay) * gradient
        speed = momentum * speed + rate * gradient / math.sqrt(square - mean**2 + epsilon)
        weight += speed
    return weight


@pytest.mark.parametrize("divided", [True, False])
def test_steps_are_those_of_centred_rmsprop(divided):
    gradients = np.random.default_rng(3).normal(0.0, 0.3, (50, 4))
    optimizer = CentredRMSProp(RMSPropParameters(divided=divided), 4)
    for gradient in gradients:
        optimizer.follow(gradient)
    rate = 0.005 / 4 if divided else 0.005
    expected = [scalar_steps(column, rate, 0.9, 0.9, 1e-8) for column in gradients.T.tolist()]
    assert optimizer.weights == pytest.approx(expected, abs=1e-12)


def test_all_numbers_of_a_pace_count():
    gradients = np.random.default_rng(4).normal(0.0, 0.3, 30).tolist()
    parameters = RMSPropParameters(rate=0.1, momentum=0.5, decay=0.7, epsilon=1e-3)
    optimizer = CentredRMSProp(parameters, 1)
    for gradient in gradients:
        optimizer.follow(np.array([gradient]))
    assert optimizer.weights == pytest.approx([scalar_steps(gradients, 0.1, 0.5, 0.7, 1e-3)], abs=1e-12)


def test_new_weights_begin_at_zero_and_the_old_go_on():
    """The rate is divided by as many as there are at each step."""
    gradients, optimizer = np.random.default_rng(5).normal(0.0, 0.3, (20, 3)), CentredRMSProp(RMSPropParameters(), 2)
    for gradient in gradients[:10]:
        optimizer.follow(gradient[:2])
    before = optimizer.weights.copy()
    optimizer.grow(1)
    assert optimizer.weights.tolist() == [*before, 0.0]
    for gradient in gradients[10:]:
        optimizer.follow(gradient)
    assert optimizer.weights[2] == pytest.approx(scalar_steps(gradients[10:, 2].tolist(), 0.005 / 3, 0.9, 0.9, 1e-8))
    undivided = CentredRMSProp(RMSPropParameters(rate=0.005, divided=False), 2)
    for gradient in gradients:
        undivided.follow(gradient[:2])
    assert not np.allclose(optimizer.weights[:2], undivided.weights)
    assert [len(array) for array in optimizer.state().values()] == [3] * 4


def test_what_is_restored_goes_on_as_if_never_stopped():
    gradients = np.random.default_rng(6).normal(0.0, 0.3, (20, 3))
    whole, other = CentredRMSProp(RMSPropParameters(), 3), CentredRMSProp(RMSPropParameters(), 3)
    for gradient in gradients[:10]:
        whole.follow(gradient)
    kept = {name: array.copy() for name, array in whole.state().items()}
    other.restore(kept)
    for gradient in gradients[10:]:
        whole.follow(gradient)
        other.follow(gradient)
    assert np.array_equal(whole.weights, other.weights)
    assert not np.array_equal(kept["weights"], other.weights)  # nor has it changed what was kept
