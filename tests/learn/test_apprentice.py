"""The apprentice: its steps against NumPy in doubles, that it learns, that it can be stopped and continued."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

torch = pytest.importorskip("torch")

from forethought.errors import ForethoughtError  # noqa: E402 (needs torch)
from forethought.learn.apprentice import Adam, Apprentice  # noqa: E402
from forethought.learn.memory import Memory  # noqa: E402
from forethought.learn.models import MlpModel  # noqa: E402
from forethought.learn.samples import Samples, no_samples  # noqa: E402
from forethought.nets.evaluator import answer_of  # noqa: E402
from forethought.nets.mlp import Parameters, make_mlp, parameters_of  # noqa: E402
from tests.naive import learning as naive  # noqa: E402

FACTS, ACTIONS = 20, 5
DEPTHS = [(), (16,), (16, 12), (9, 8, 7)]
VALUES = [0, 1, 3]


def network(hidden: tuple[int, ...], seed: int = 1, values: int = 0) -> Parameters:
    """A network with no parameter zero, and outputs that say something."""
    rng = np.random.default_rng(seed)
    shapes = parameters_of(make_mlp(FACTS, ACTIONS, hidden, rng, values))
    return {name: rng.normal(0.0, 0.5, array.shape).astype(np.float32) for name, array in shapes.items()}


def new(parameters: Parameters, learning_rate: float = 1e-3, weight_decay: float = 0.0) -> Apprentice:
    layers = len(parameters) // 2
    model = MlpModel(layers, len(parameters[f"bias{layers - 1}"]) - ACTIONS)
    return Apprentice(model, parameters, learning_rate, weight_decay)


def in_doubles(parameters: Parameters) -> naive.Network:
    return {name: array.astype(float) for name, array in parameters.items()}


def random_table(rows: int, seed: int, values: int = 0) -> Samples:
    """Different observations of any number of facts, none included, each with targets for some actions."""
    rng, samples = np.random.default_rng(seed), no_samples(6, ACTIONS, rows, values)
    for row in range(rows):
        known, count = row % 7, 1 + row % ACTIONS
        samples.facts[row, :known], samples.known[row] = rng.permutation(FACTS)[:known], known
        samples.actions[row, :count], samples.counts[row] = rng.permutation(ACTIONS)[:count], count
        samples.targets[row, :count] = rng.dirichlet(np.full(count, 0.5))
    samples.values[:] = rng.choice([-1.0, 0.0, 1.0], (rows, values))
    return samples


def memory_of(samples: Samples) -> Memory:
    memory = Memory(samples.rows, 2.0, 1, ACTIONS, samples.values.shape[1])
    memory.add(samples, np.random.default_rng(1))
    return memory


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("hidden", DEPTHS)
def test_gradients_by_hand_are_those_of_finite_differences(hidden: tuple[int, ...], values: int) -> None:
    """This checks the reference that the next tests compare with."""
    samples, parameters, step = random_table(12, 2, values), in_doubles(network(hidden, values=values)), 1e-6
    *_, gradients = naive.loss(parameters, samples)
    rng = np.random.default_rng(3)
    for name, array in parameters.items():
        direction = rng.normal(size=array.shape)
        up, _, error_up, _ = naive.loss({**parameters, name: array + step * direction}, samples)
        down, _, error_down, _ = naive.loss({**parameters, name: array - step * direction}, samples)
        slope = (up + error_up - down - error_down) / (2 * step)
        assert (gradients[name] * direction).sum() == pytest.approx(slope, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("hidden", DEPTHS)
def test_a_lesson_and_its_gradients_are_those_of_numpy(hidden: tuple[int, ...], values: int) -> None:
    memory, parameters = memory_of(random_table(40, 4, values)), network(hidden, values=values)
    apprentice = new(parameters)
    lesson = apprentice.fit(memory, 1, 64, np.random.default_rng(5))
    *measures, gradients = naive.loss(in_doubles(parameters), memory.batch(64, np.random.default_rng(5)))
    assert lesson == pytest.approx((*measures, 0.0), rel=1e-5)
    assert (lesson.value_loss > 0.1) == (values > 0)
    gradient = np.concatenate([gradients[name].ravel() for name in parameters])
    assert np.abs(apprentice.state()["mean"] / 0.1 - gradient).max() < 1e-6  # after one step Adam's mean is a tenth


@pytest.mark.parametrize("decay", [0.0, 0.01])
@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("hidden", DEPTHS)
@pytest.mark.quick_cases(8)
def test_steps_are_those_of_adam(hidden: tuple[int, ...], values: int, decay: float) -> None:
    memory, parameters = memory_of(random_table(40, 6, values)), network(hidden, values=values)
    apprentice, rng = new(parameters, learning_rate=0.01, weight_decay=decay), np.random.default_rng(7)
    apprentice.fit(memory, 30, 16, np.random.default_rng(7))
    taught = naive.adam(in_doubles(parameters), [memory.batch(16, rng) for _ in range(30)], 0.01, decay)
    for name, array in apprentice.parameters().items():
        assert np.abs(array - taught[name]).max() < 1e-4
        assert np.abs(array - parameters[name]).max() > 0.05


def test_weight_decay_is_the_gradient_of_c_times_all_squares() -> None:
    memory, parameters = memory_of(random_table(40, 6, 1)), network((16, 12), values=1)
    means = []
    for decay in (0.0, 0.25):
        apprentice = new(parameters, weight_decay=decay)
        apprentice.fit(memory, 1, 16, np.random.default_rng(7))
        means.append(apprentice.state()["mean"] / 0.1)
    weights = np.concatenate([array.ravel() for array in parameters.values()])
    assert np.abs(means[1] - means[0] - 2 * 0.25 * weights).max() < 1e-6


@pytest.mark.slow
def test_adam_is_torchs() -> None:
    start, rng = np.random.default_rng(8).normal(size=50).astype(np.float32), np.random.default_rng(9)
    ours, theirs = torch.tensor(start), torch.nn.Parameter(torch.tensor(start))
    mine, reference = Adam(ours, 1e-3), torch.optim.Adam([theirs], lr=1e-3)
    for _ in range(200):
        theirs.grad = torch.tensor((rng.normal(size=50) * 10.0 ** rng.integers(-6, 3, 50)).astype(np.float32))
        mine.step(theirs.grad)
        reference.step()
    assert np.abs(ours.numpy() - theirs.detach().numpy()).max() < 1e-6


def test_a_lesson_is_the_mean_over_its_steps() -> None:
    memory = memory_of(random_table(40, 10))
    whole, parts = new(network((16,))), new(network((16,)))
    lesson, rng = whole.fit(memory, 5, 16, np.random.default_rng(11)), np.random.default_rng(11)
    lessons = [parts.fit(memory, 1, 16, rng) for _ in range(5)]
    assert lesson == pytest.approx(tuple(np.mean(lessons, axis=0)))
    assert np.array_equal(whole.state()["weights"], parts.state()["weights"])


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.quick_cases(1)
def test_a_table_of_targets_is_learned_and_played_by_the_compiled_network(values: int) -> None:
    table = random_table(50, 12, values)
    samples = table.chosen(table.known > 2)
    assert len({frozenset(samples.row(row)[0]) for row in range(samples.rows)}) == samples.rows > 20
    model, start = MlpModel(3, values), make_mlp(FACTS, ACTIONS, (128, 64), np.random.default_rng(13), values)
    apprentice = Apprentice(model, parameters_of(start))
    memory, rng = memory_of(samples), np.random.default_rng(14)
    first = apprentice.fit(memory, 1, 256, rng)
    apprentice.fit(memory, 1000, 64, rng)
    last = apprentice.fit(memory, 20, 64, rng)
    assert first.loss > 0.2
    assert last.loss < 0.002
    assert last.entropy < first.entropy
    assert last.value_loss < 0.002
    net = model.weights(apprentice.parameters()).compiled()
    for row in range(samples.rows):
        facts, actions, targets = samples.row(row)
        policy, worth = answer_of(net, facts, actions)
        assert policy == pytest.approx(targets, abs=0.05)
        assert worth == pytest.approx(samples.values[row], abs=0.15)


def test_the_same_seed_teaches_the_same() -> None:
    memory, weights = memory_of(random_table(40, 15, 1)), []
    for seed in (16, 16, 17):
        apprentice = new(network((16, 12), values=1), weight_decay=1e-3)
        apprentice.fit(memory, 50, 32, np.random.default_rng(seed))
        weights.append(apprentice.state()["weights"])
    assert np.array_equal(weights[0], weights[1])
    assert not np.array_equal(weights[0], weights[2])


@pytest.mark.parametrize("steps", [0, 37])
def test_after_restoring_learning_goes_on_bit_for_bit(steps: int, tmp_path: Path) -> None:
    memory, rng = memory_of(random_table(40, 18)), np.random.default_rng(19)
    apprentice = new(network((16, 12)))
    if steps:
        apprentice.fit(memory, steps, 32, rng)
    save_file(apprentice.state(), tmp_path / "state.safetensors")
    drawn = rng.bit_generator.state
    lesson = apprentice.fit(memory, 50, 32, rng)

    other = new(network((16, 12), seed=99))
    other.restore(load_file(tmp_path / "state.safetensors"))
    rng.bit_generator.state = drawn
    assert other.fit(memory, 50, 32, rng) == lesson
    assert int(other.state()["steps"][0]) == steps + 50
    for name, array in apprentice.state().items():
        assert np.array_equal(other.state()[name], array)


def test_the_order_in_which_parameters_are_named_does_not_matter() -> None:
    parameters = network((16, 12))
    shuffled = new({name: parameters[name] for name in sorted(parameters)})
    assert np.array_equal(shuffled.state()["weights"], new(parameters).state()["weights"])
    for name, array in shuffled.parameters().items():
        assert np.array_equal(array, parameters[name])


def test_what_it_gives_and_takes_are_copies() -> None:
    memory, start = memory_of(random_table(40, 20)), network((16,))
    before = {name: array.copy() for name, array in start.items()}
    apprentice = new(start)
    parameters, state = apprentice.parameters(), apprentice.state()
    apprentice.fit(memory, 3, 16, np.random.default_rng(21))
    for name, array in before.items():
        assert np.array_equal(start[name], array)
        assert np.array_equal(parameters[name], array)
    assert int(state["steps"][0]) == 0
    assert not state["mean"].any()


def test_a_state_of_other_layers_is_refused_and_changes_nothing() -> None:
    apprentice = new(network((16,)))
    before = apprentice.state()
    with pytest.raises(ForethoughtError, match="other layers"):
        apprentice.restore(new(network((15,))).state())
    with pytest.raises(ForethoughtError, match="other layers"):
        apprentice.restore({name: array for name, array in before.items() if name != "mean"})
    for name, array in apprentice.state().items():
        assert np.array_equal(array, before[name])


def test_divergence_is_reported_and_the_weights_stay_finite() -> None:
    memory, apprentice = memory_of(random_table(40, 22)), new(network((16,)), learning_rate=1e30)
    with pytest.raises(ForethoughtError, match=r"diverged.*lower learning\.rate"):
        apprentice.fit(memory, 100, 16, np.random.default_rng(23))
    assert np.isfinite(apprentice.state()["weights"]).all()


def test_torch_uses_one_thread() -> None:
    new(network(()))
    assert torch.get_num_threads() == 1
