"""Towers in torch against the same towers in kernels, and as they learn."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from forethought.learn.tower import MOMENTUM, forward  # noqa: E402
from forethought.nets.backends.pytorch import planes_of  # noqa: E402
from forethought.nets.convolution import Layout  # noqa: E402
from forethought.nets.tower import Shape, tower_of  # noqa: E402
from tests.naive import tower as naive  # noqa: E402
from tests.nets.batches import Asked  # noqa: E402

CONNECT_FOUR = Layout(6, 7, 42, 2, 86, np.arange(42))
HEXAGON = Layout(3, 3, 7, 2, 17, np.array([1, 2, 3, 4, 5, 6, 7]))
SHAPES = [Shape(3, 32, 40, 7, 1, CONNECT_FOUR), Shape(2, 20, 16, 8, 2, HEXAGON)]
ROWS = 11

torch.set_num_threads(1)  # more are slower on so little, as the apprentice knows


def tensors(parameters: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    return {name: torch.tensor(array) for name, array in parameters.items()}


def one_hot(layout: Layout, seed: int = 3) -> torch.Tensor:
    return torch.tensor(np.random.default_rng(seed).integers(0, 2, (ROWS, layout.facts)), dtype=torch.float32)


def in_kernels(parameters: dict[str, np.ndarray], shape: Shape, facts: torch.Tensor) -> tuple[np.ndarray, np.ndarray]:
    tower, known = tower_of(parameters, shape), facts.sum(1).long().numpy()
    listed = np.zeros(facts.shape, np.int64)
    for row in range(ROWS):
        listed[row, : known[row]] = np.flatnonzero(facts[row])
    actions, counts = np.tile(np.arange(shape.actions), (ROWS, 1)), np.full(ROWS, shape.actions)
    questions = Asked(listed, known, actions, counts).questions(shape.values)
    tower.answer(questions, ROWS, tower.scratch(ROWS))
    return questions.policies, questions.values


@pytest.mark.parametrize("shape", SHAPES)
def test_torch_and_kernels_agree(shape: Shape) -> None:
    parameters, facts = naive.random_parameters(shape, 1), one_hot(shape.layout)
    learner = tensors(parameters)
    logits, values = forward(learner, shape.layout, facts, False)
    expected_policy, expected_values = in_kernels(parameters, shape, facts)
    assert np.abs(torch.softmax(logits, 1).numpy() - expected_policy).max() < 1e-5
    assert np.abs(values.numpy() - expected_values).max() < 1e-5
    assert all(np.array_equal(learner[name].numpy(), parameters[name]) for name in parameters)  # play teaches nothing


@pytest.mark.parametrize("shape", SHAPES)
def test_planes_are_those_of_the_layout(shape: Shape) -> None:
    facts = one_hot(shape.layout)
    planes = planes_of(shape.layout, facts).numpy()
    for row in range(ROWS):
        assert np.array_equal(planes[row], naive.planes(shape.layout, np.flatnonzero(facts[row]).tolist()))


def test_training_takes_the_statistics_of_the_batch() -> None:
    shape = SHAPES[1]
    parameters, facts = tensors(naive.random_parameters(shape, 1)), one_hot(shape.layout)
    before = {name: tensor.clone() for name, tensor in parameters.items()}
    logits, values = forward(parameters, shape.layout, facts, True)
    planes = planes_of(shape.layout, facts).numpy()
    outputs = np.array([naive.convolution(board, before["input.weight"].numpy()) for board in planes])
    for name, statistic in (("mean", outputs.mean((0, 2, 3))), ("variance", outputs.var((0, 2, 3), ddof=1))):
        moved = (1 - MOMENTUM) * before[f"input.{name}"].numpy() + MOMENTUM * statistic
        assert parameters[f"input.{name}"].numpy() == pytest.approx(moved, abs=1e-5)
    for name in parameters:
        assert torch.equal(parameters[name], before[name]) == (not name.endswith((".mean", ".variance")))
    for name in (name for name in before if name.endswith((".mean", ".variance"))):
        before[name].fill_(5.0)  # running averages are not looked at
    assert torch.equal(forward(before, shape.layout, facts, True)[0], logits)
    assert values.abs().max() < 1


def test_a_tower_learns_and_then_plays_what_it_learnt() -> None:
    shape = SHAPES[1]
    parameters, facts = tensors(naive.random_parameters(shape, 1)), one_hot(shape.layout)
    learnt = [name for name in parameters if not name.endswith((".mean", ".variance"))]
    optimizer = torch.optim.Adam([parameters[name].requires_grad_() for name in learnt], 0.01)
    targets = torch.arange(ROWS) % shape.actions
    outcomes = torch.where(torch.arange(ROWS) % 2 == 0, 1.0, -1.0)[:, None].repeat(1, shape.values)
    for _ in range(60):
        logits, values = forward(parameters, shape.layout, facts, True)
        loss = torch.nn.functional.cross_entropy(logits, targets) + (values - outcomes).square().mean()
        optimizer.zero_grad()
        loss.backward()
        assert all(parameters[name].grad is not None for name in learnt)
        optimizer.step()
    arrays = {name: tensor.detach().numpy() for name, tensor in parameters.items()}
    policy, values = in_kernels(arrays, shape, facts)
    assert (policy[np.arange(ROWS), targets] > 0.8).all()
    assert (values * outcomes.numpy() > 0.7).all()
