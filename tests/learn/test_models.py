"""Models: what they put out is what their compiled networks say, and what they keep is kept."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import forethought as ft  # noqa: E402 (needs torch)
from forethought.learn.apprentice import Apprentice  # noqa: E402
from forethought.learn.memory import Memory  # noqa: E402
from forethought.learn.models import MlpModel, Model, Outputs  # noqa: E402
from forethought.learn.samples import Samples, no_samples  # noqa: E402
from forethought.nets.evaluator import answer_of  # noqa: E402
from forethought.nets.formats import Parameters, load_weights  # noqa: E402
from forethought.nets.mlp import make_mlp, parameters_of  # noqa: E402

FACTS, ACTIONS = 30, 3  # leduc's
MEAN = "mean_output"


def parameters_for(hidden: tuple[int, ...], values: int, seed: int = 1) -> Parameters:
    rng = np.random.default_rng(seed)
    shapes = parameters_of(make_mlp(FACTS, ACTIONS, hidden, rng, values))
    return {name: rng.normal(0.0, 0.5, array.shape).astype(np.float32) for name, array in shapes.items()}


def random_rows(rows: int, values: int, seed: int) -> Samples:
    rng, samples = np.random.default_rng(seed), no_samples(6, ACTIONS, rows, values)
    for row in range(rows):
        known, count = row % 7, 1 + row % ACTIONS
        samples.facts[row, :known], samples.known[row] = rng.permutation(FACTS)[:known], known
        samples.actions[row, :count], samples.counts[row] = rng.permutation(ACTIONS)[:count], count
        samples.targets[row, :count] = rng.dirichlet(np.ones(count))
    samples.values[:] = rng.choice([-1.0, 1.0], (rows, values))
    return samples


def memory_of(samples: Samples) -> Memory:
    memory = Memory(samples.rows, 2.0, 6, ACTIONS, samples.values.shape[1])
    memory.add(samples, np.random.default_rng(1))
    return memory


@pytest.mark.parametrize("values", [0, 1, 3])
@pytest.mark.parametrize("hidden", [(), (16,), (40, 12)])
def test_outputs_are_those_of_the_compiled_network(hidden: tuple[int, ...], values: int) -> None:
    model, parameters, samples = (
        MlpModel(len(hidden) + 1, values),
        parameters_for(hidden, values),
        random_rows(20, 3, 2),
    )
    logits, worth, _ = model.forward({name: torch.tensor(array) for name, array in parameters.items()}, samples)
    assert logits.shape == (20, ACTIONS)
    assert worth.shape == (20, values)
    net = model.weights(parameters).compiled()
    for row in range(samples.rows):
        facts, actions, _ = samples.row(row)
        policy, expected = answer_of(net, facts, actions)
        assert torch.softmax(logits[row, list(actions)], 0).numpy() == pytest.approx(policy, abs=1e-5)
        assert worth[row].numpy() == pytest.approx(expected, abs=1e-5)


def test_what_is_saved_is_the_compiled_network(tmp_path: Path) -> None:
    game, model, parameters = ft.load("leduc", compiled=False), MlpModel(2, 1), parameters_for((16,), 1)
    model.save(tmp_path / "net", parameters, game)
    loaded = load_weights(tmp_path / "net", game).compiled()
    assert all(
        np.array_equal(ours, theirs) for ours, theirs in zip(loaded, model.weights(parameters).compiled(), strict=True)
    )


class Centred(MlpModel):
    """A network that takes from its logits a running mean of them, which no gradient moves."""

    @property
    def kept(self) -> tuple[str, ...]:
        return (MEAN,)

    def forward(self, tensors: Mapping[str, torch.Tensor], samples: Samples) -> Outputs:
        outputs = super().forward(tensors, samples)
        tensors[MEAN].lerp_(outputs.logits.detach().mean(0), 0.1)
        return outputs._replace(logits=outputs.logits - tensors[MEAN])


def centred(seed: int = 1) -> Apprentice:
    model: Model = Centred(2, 1)
    mean = np.full(ACTIONS, 2.0, np.float32)
    return Apprentice(model, parameters_for((16,), 1, seed) | {MEAN: mean}, 1e-2, weight_decay=0.1)


def test_what_is_kept_moves_by_the_model_alone() -> None:
    """Neither Adam nor decay touches it: it is the mean of the outputs that the network had before its one step."""
    apprentice, memory = centred(), memory_of(random_rows(20, 1, 3))
    apprentice.fit(memory, 1, 8, np.random.default_rng(4))
    batch, start = memory.batch(8, np.random.default_rng(4)), parameters_for((16,), 1)
    logits, _, _ = MlpModel(2, 1).forward({name: torch.tensor(array) for name, array in start.items()}, batch)
    parameters = apprentice.parameters()
    assert list(parameters) == [*MlpModel(2, 1).trained, MEAN]
    assert parameters[MEAN] == pytest.approx(0.9 * 2.0 + 0.1 * logits.numpy().mean(axis=0), abs=1e-6)
    assert np.abs(parameters["weight0"] - start["weight0"]).max() > 0.005


def test_what_is_kept_is_part_of_the_state() -> None:
    apprentice, memory, rng = centred(), memory_of(random_rows(20, 1, 5)), np.random.default_rng(6)
    apprentice.fit(memory, 7, 8, rng)
    state, drawn = apprentice.state(), rng.bit_generator.state
    lesson = apprentice.fit(memory, 9, 8, rng)

    other = centred(seed=99)
    other.restore(state)
    rng.bit_generator.state = drawn
    assert other.fit(memory, 9, 8, rng) == lesson
    for name, array in apprentice.parameters().items():
        assert np.array_equal(other.parameters()[name], array)
    assert not np.array_equal(apprentice.parameters()[MEAN], state["kept"])
