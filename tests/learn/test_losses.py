"""Losses and their gradients against NumPy in doubles, finite differences, and what must be exactly zero."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from forethought.learn.losses import kl_divergence, value_error  # noqa: E402 (needs torch)
from forethought.learn.samples import Samples, no_samples  # noqa: E402
from tests.naive import learning as naive  # noqa: E402

ACTIONS = 7


def random_rows(rows: int, seed: int) -> Samples:
    """Any number of legal actions; some targets are zero, some are certain, and targets of one action are one."""
    rng, samples = np.random.default_rng(seed), no_samples(1, ACTIONS, rows)
    for row in range(rows):
        count = 1 + row % ACTIONS
        weights = rng.random(count) * (rng.random(count) < 0.7)
        weights[0] += 0.1
        if row % 5 == 0:
            weights[1:] = 0.0
        samples.actions[row, :count], samples.counts[row] = rng.permutation(ACTIONS)[:count], count
        samples.targets[row, :count] = weights / weights.sum()
    return samples


def computed(logits: np.ndarray, samples: Samples) -> tuple[float, float, np.ndarray]:
    """Loss, entropy, and gradient for the logits; in the precision of the logits."""
    leaf = torch.tensor(logits, requires_grad=True)
    actions, counts = torch.from_numpy(samples.actions).long(), torch.from_numpy(samples.counts)
    loss, entropy = kl_divergence(leaf, actions, counts, torch.from_numpy(samples.targets).to(leaf.dtype))
    (gradient,) = torch.autograd.grad(loss, leaf)
    return loss.item(), entropy.item(), gradient.numpy()


def expected(logits: np.ndarray, samples: Samples) -> tuple[float, float, np.ndarray]:
    results = [naive.row_loss(logits[row], *samples.row(row)[1:]) for row in range(samples.rows)]
    losses, entropies, gradients = zip(*results, strict=True)
    return float(np.mean(losses)), float(np.mean(entropies)), np.array(gradients) / samples.rows


@pytest.mark.parametrize(("precision", "tolerance"), [(np.float64, 1e-12), (np.float32, 1e-6)])
@pytest.mark.parametrize("scale", [0.1, 3.0, 20.0])
def test_loss_entropy_and_gradient_are_those_of_numpy(precision: type, tolerance: float, scale: float) -> None:
    samples = random_rows(60, 1)
    logits = np.random.default_rng(2).normal(0.0, scale, (60, ACTIONS)).astype(precision)
    loss, entropy, gradient = computed(logits, samples)
    true_loss, true_entropy, true_gradient = expected(logits.astype(float), samples)
    assert loss == pytest.approx(true_loss, rel=tolerance, abs=tolerance)
    assert entropy == pytest.approx(true_entropy, rel=tolerance, abs=tolerance)
    assert np.abs(gradient - true_gradient).max() < tolerance


def test_the_gradient_is_that_of_finite_differences() -> None:
    samples, step = random_rows(14, 3), 1e-5
    logits = np.random.default_rng(4).normal(0.0, 2.0, (14, ACTIONS))
    _, _, gradient = computed(logits, samples)
    for place in np.ndindex(*logits.shape):
        up, down = logits.copy(), logits.copy()
        up[place], down[place] = logits[place] + step, logits[place] - step
        slope = (computed(up, samples)[0] - computed(down, samples)[0]) / (2 * step)
        assert gradient[place] == pytest.approx(slope, abs=1e-9)


def test_illegal_actions_get_exactly_no_gradient_and_have_no_influence() -> None:
    samples = random_rows(60, 5)
    logits = np.random.default_rng(6).normal(0.0, 2.0, (60, ACTIONS)).astype(np.float32)
    illegal = np.ones_like(logits, bool)
    for row in range(60):
        illegal[row, list(samples.row(row)[1])] = False
    before = computed(logits, samples)
    assert (before[2][illegal] == 0).all()
    assert np.count_nonzero(before[2][~illegal]) > 100
    for value in (1e30, -1e30, np.inf, np.nan):
        after = computed(np.where(illegal, np.float32(value), logits), samples)
        assert after[:2] == before[:2]
        assert np.array_equal(after[2], before[2])


def test_all_probability_is_given_to_legal_actions() -> None:
    """The gradient of a row is p - t: with targets it sums to zero exactly when the legal p sum to one."""
    samples = random_rows(60, 7)
    logits = np.random.default_rng(8).normal(0.0, 2.0, (60, ACTIONS))
    gradient = computed(logits, samples)[2] * 60
    for row in range(60):
        _, actions, targets = samples.row(row)
        chosen = gradient[row, list(actions)] + targets
        assert chosen.sum() == pytest.approx(1.0, abs=1e-6)
        assert (chosen > 0).all()


def test_a_policy_that_is_its_target_has_no_divergence() -> None:
    samples = random_rows(60, 9)
    logits = np.full((60, ACTIONS), 5.0)
    for row in range(60):
        _, actions, targets = samples.row(row)
        logits[row, list(actions)] = np.log(np.maximum(targets, 1e-30))
    loss, entropy, gradient = computed(logits, samples)
    assert loss == pytest.approx(0.0, abs=1e-6)
    assert entropy == pytest.approx(np.mean([naive_entropy(samples.row(row)[2]) for row in range(60)]), abs=1e-6)
    assert np.abs(gradient).max() < 1e-6


def naive_entropy(targets: tuple[float, ...]) -> float:
    return -sum(target * np.log(target) for target in targets if target > 0)


def test_certain_targets_and_extreme_logits_stay_finite() -> None:
    samples = random_rows(60, 10)
    logits = np.random.default_rng(11).choice([-1e4, 0.0, 1e4], (60, ACTIONS)).astype(np.float32)
    loss, entropy, gradient = computed(logits, samples)
    assert np.isfinite([loss, entropy]).all()
    assert loss > 0
    assert np.isfinite(gradient).all()


def value_loss(outputs: np.ndarray, targets: np.ndarray) -> tuple[float, np.ndarray]:
    """The error after tanh, and its gradient before."""
    leaf = torch.tensor(outputs, requires_grad=True)
    error = value_error(torch.tanh(leaf), torch.tensor(targets))
    (gradient,) = torch.autograd.grad(error, leaf)
    return error.item(), gradient.numpy()


@pytest.mark.parametrize(("precision", "tolerance"), [(np.float64, 1e-12), (np.float32, 1e-6)])
@pytest.mark.parametrize("columns", [1, 2, 5])
def test_the_error_of_values_and_its_gradient_are_those_of_numpy(
    precision: type, tolerance: float, columns: int
) -> None:
    rng = np.random.default_rng(12)
    outputs = rng.normal(0.0, 1.5, (30, columns)).astype(precision)
    targets = rng.choice([-1.0, 0.0, 1.0], (30, columns)).astype(precision)
    error, gradient = value_loss(outputs, targets)
    errors, gradients = zip(*map(naive.row_error, outputs.astype(float), targets.astype(float)), strict=True)
    assert error == pytest.approx(np.mean(errors), rel=tolerance)
    assert error > 0.1
    assert np.abs(gradient - np.array(gradients) / 30).max() < tolerance


def test_the_gradient_of_values_is_that_of_finite_differences() -> None:
    rng, step = np.random.default_rng(13), 1e-5
    outputs, targets = rng.normal(0.0, 1.5, (6, 3)), rng.uniform(-1.0, 1.0, (6, 3))
    _, gradient = value_loss(outputs, targets)
    for place in np.ndindex(*outputs.shape):
        up, down = outputs.copy(), outputs.copy()
        up[place], down[place] = outputs[place] + step, outputs[place] - step
        slope = (value_loss(up, targets)[0] - value_loss(down, targets)[0]) / (2 * step)
        assert gradient[place] == pytest.approx(slope, abs=1e-9)


def test_values_that_nobody_asks_for_are_no_error() -> None:
    error, gradient = value_loss(np.zeros((5, 0)), np.zeros((5, 0)))
    assert error == 0.0
    assert gradient.shape == (5, 0)


@pytest.mark.parametrize("columns", [0, 2])
def test_values_are_not_stretched_to_the_targets(columns: int) -> None:
    with pytest.raises(UserWarning, match="target size"):
        value_error(torch.zeros(5, 1), torch.zeros(5, columns))
