"""Residual towers: in kernels against NumPy in doubles, and on the disk."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.games.connect_four import connect_four
from forethought.nets.convolution import Layout
from forethought.nets.evaluator import policy_of
from forethought.nets.formats import FORMATS, Parameters, load_weights
from forethought.nets.tower import (
    FORMAT,
    Shape,
    Tower,
    TowerWeights,
    answer_by_tower,
    make_tower,
    save_tower,
    tower_of,
)
from forethought.tensors import read_tensors, write_tensors
from tests.naive import tower as naive
from tests.nets.batches import UNTOUCHED, Asked, random_batch

CONNECT_FOUR = Layout(6, 7, 42, 2, 86, np.arange(42))
HEXAGON = Layout(3, 3, 7, 2, 17, np.array([1, 2, 3, 4, 5, 6, 7]))
SHAPES = {
    "connect four": Shape(3, 32, 40, 7, 1, CONNECT_FOUR),
    "hexagon": Shape(2, 20, 16, 8, 2, HEXAGON),
    "tiny": Shape(1, 1, 1, 1, 1, Layout(1, 1, 1, 1, 1, np.array([0]))),
    "wide": Shape(1, 48, 100, 70, 3, Layout(5, 9, 45, 3, 140, np.arange(45)[::-1])),
}


def evaluated(tower: Tower, batch: Asked) -> tuple[np.ndarray, np.ndarray]:
    questions, rows = batch.questions(tower.values), len(batch.known)
    tower.answer(questions, rows, tower.scratch(rows))
    return questions.policies, questions.values


def random_tower(shape: Shape, seed: int = 1) -> Tower:
    return tower_of(naive.random_parameters(shape, seed), shape)


def batch_for(shape: Shape, rows: int, seed: int = 2) -> Asked:
    return random_batch(shape.layout.facts, shape.actions, rows, seed)


@pytest.mark.parametrize("name", SHAPES)
def test_policies_and_values_are_those_of_numpy(name: str) -> None:
    shape = SHAPES[name]
    parameters, batch = naive.random_parameters(shape, 1), batch_for(shape, 7)
    policy, values = evaluated(tower_of(parameters, shape), batch)
    for row, count in enumerate(batch.counts):
        expected_policy, expected_values = naive.evaluate(parameters, shape, *batch.listed(row))
        assert np.abs(policy[row, :count] - expected_policy).max() < 1e-5
        assert np.abs(values[row] - expected_values).max() < 1e-5
        assert (policy[row, count:] == UNTOUCHED).all()


def test_the_towers_compared_are_neither_uniform_nor_certain() -> None:
    shape = SHAPES["connect four"]
    policy, values = evaluated(random_tower(shape), batch_for(shape, 7))
    assert 0.2 < policy[-1].max() < 0.99
    assert np.abs(values).max() < 0.99
    assert np.abs(values[1:] - values[:-1]).min() > 0.001


@pytest.mark.parametrize("name", SHAPES)
def test_a_state_gets_the_same_bits_in_any_batch(name: str) -> None:
    shape = SHAPES[name]
    tower, batch = random_tower(shape), batch_for(shape, 21)
    whole = evaluated(tower, batch)
    for rows in (slice(0, 1), slice(20, 21), slice(3, 5), slice(4, 11), slice(20, None, -1)):
        part = evaluated(tower, batch.part(rows))
        assert all(np.array_equal(mine, all_[rows]) for mine, all_ in zip(part, whole, strict=True))


def test_what_earlier_batches_left_in_the_scratch_does_not_matter() -> None:
    shape = SHAPES["hexagon"]
    tower, first, second = random_tower(shape), batch_for(shape, 9, 3), batch_for(shape, 5, 4)
    scratch, questions = tower.scratch(9), second.questions(2)
    tower.answer(first.questions(2), 9, scratch)
    for array in (*scratch.work, *scratch[3:]):
        array[:] = np.nan
    tower.answer(questions, 5, scratch)
    expected_policy, expected_values = evaluated(tower, second)
    assert np.array_equal(questions.policies, expected_policy)
    assert np.array_equal(questions.values, expected_values)


def test_who_asks_for_no_values_gets_the_same_policies() -> None:
    shape = SHAPES["hexagon"]
    tower, batch = random_tower(shape), batch_for(shape, 5)
    questions = batch.questions(0)
    tower.answer(questions, 5, tower.scratch(5))
    assert np.array_equal(questions.policies, evaluated(tower, batch)[0])


def test_one_kernel_serves_towers_of_any_size() -> None:
    if not hasattr(answer_by_tower, "signatures"):
        pytest.skip("kernels are not compiled here")
    for shape in SHAPES.values():
        evaluated(random_tower(shape), batch_for(shape, 2))
    assert len(answer_by_tower.signatures) == 1


def test_a_tower_cannot_be_written() -> None:
    shape = SHAPES["hexagon"]
    tower = random_tower(shape)
    arrays = [tower.first.layout.squares, tower.first.whole, tower.first.stencils, *tower[5:]]
    assert len(arrays) == 8
    assert not any(array.flags.writeable for array in arrays)
    assert shape.layout.squares.flags.writeable  # it is a copy that is not


@pytest.mark.parametrize("blocks", [1, 20])
def test_a_new_tower_plays_nearly_uniformly_and_expects_nothing(blocks: int) -> None:
    shape = Shape(blocks, 16, 32, 7, 1, CONNECT_FOUR)
    policy, values = evaluated(tower_of(make_tower(shape, np.random.default_rng(5)), shape), batch_for(shape, 5))
    assert policy[-1] == pytest.approx(np.full(7, 1 / 7), abs=0.05)
    assert np.abs(values).max() < 0.2


def test_a_new_tower_has_the_spread_of_he_and_small_last_layers() -> None:
    shape = Shape(1, 64, 200, 70, 20, CONNECT_FOUR)
    new = make_tower(shape, np.random.default_rng(5))
    assert new["block0.first.weight"].std() == pytest.approx(np.sqrt(2 / (9 * 64)), rel=0.03)
    assert new["value.hidden.weight"].std() == pytest.approx(np.sqrt(2 / 42), rel=0.03)
    assert new["policy.logits.weight"].std() == pytest.approx(0.01, rel=0.05)
    assert new["value.values.weight"].std() == pytest.approx(0.01, rel=0.05)
    again = make_tower(shape, np.random.default_rng(5))
    assert all(np.array_equal(new[name], again[name]) for name in new)
    assert not np.array_equal(make_tower(shape, np.random.default_rng(6))["input.weight"], new["input.weight"])


@pytest.mark.parametrize("size", ["blocks", "filters", "value_units", "actions", "values"])
def test_towers_without_something_are_refused(size: str) -> None:
    with pytest.raises(ft.ForethoughtError, match="at least one block, filter"):
        make_tower(SHAPES["hexagon"]._replace(**{size: 0}), np.random.default_rng(1))


GAME_SHAPE = Shape(2, 8, 16, 7, 1, CONNECT_FOUR)


def game() -> ft.Game:
    return connect_four()


def parameters_for(seed: int = 1) -> dict[str, np.ndarray]:
    return naive.random_parameters(GAME_SHAPE, seed)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "tower.net"
    save_tower(path, parameters_for(), GAME_SHAPE, game())
    return path


def test_a_tower_survives_the_disk_exactly(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "tower.net"
    save_tower(path, parameters_for(), GAME_SHAPE, game())
    loaded = load_weights(path, game())
    assert isinstance(loaded, TowerWeights)
    shape = loaded.shape
    assert all(np.array_equal(loaded.parameters[name], array) for name, array in parameters_for().items())
    assert shape[:-1] == GAME_SHAPE[:-1]
    assert shape.layout[:-1] == CONNECT_FOUR[:-1]
    batch = batch_for(GAME_SHAPE, 5)
    for mine, theirs in zip(
        evaluated(loaded.compiled(), batch),
        evaluated(tower_of(parameters_for(), GAME_SHAPE), batch),
        strict=True,
    ):
        assert np.array_equal(mine, theirs)
    assert list(path.parent.iterdir()) == [path]  # no temporary file is left


def changed(parameters: dict, name: str, value: float) -> dict:
    array = parameters[name].copy()
    array.flat[0] = value
    return {**parameters, name: array}


UNSOUND = {
    "nothing at all": lambda _: {},
    "a missing array": lambda p: {name: array for name, array in p.items() if name != "block1.first.mean"},
    "one array too many": lambda p: {**p, "more": np.zeros(3, np.float32)},
    "another width": lambda p: {**p, "policy.logits.bias": np.zeros(8, np.float32)},
    "doubles": lambda p: {**p, "input.mean": p["input.mean"].astype(np.float64)},
    "not a number": lambda p: changed(p, "value.weight", np.nan),
    "infinity": lambda p: changed(p, "input.scale", np.inf),
    "a variance below zero": lambda p: changed(p, "block0.second.variance", -1.0),
}


@pytest.mark.parametrize("what", UNSOUND)
def test_arrays_that_are_no_tower_are_refused(saved: Path, what: str) -> None:
    with pytest.raises(ft.ForethoughtError, match="no tower"):
        tower_of(UNSOUND[what](parameters_for()), GAME_SHAPE)
    rewrite(saved, UNSOUND[what])
    with pytest.raises(ft.ForethoughtError, match=r"tower\.net is damaged"):
        load_weights(saved, game())


def rewrite(path: Path, change: Callable[[Parameters], Parameters] = dict, **changes: object) -> None:
    """Write a file again with other content; its digest is right."""
    format = FORMATS.find(FORMAT).format
    file = read_tensors(path, format)
    write_tensors(path, format, change(file.arrays), file.about | changes)


def layout_with(**changes: object) -> dict[str, object]:
    return {**CONNECT_FOUR._asdict(), "squares": list(range(42)), **changes}


@pytest.mark.parametrize(
    "changes",
    [
        {"blocks": 3},
        {"blocks": 10**12},
        {"blocks": "2"},
        {"filters": None},
        {"values": True},
        {"value_units": 16.0},
        {"layout": None},
        {"layout": {}},
        {"layout": layout_with(squares=list(range(1, 43)))},
        {"layout": layout_with(squares=[10**30] * 42)},
        {"layout": layout_with(squares=["a"] * 42)},
        {"layout": layout_with(squares=[list(range(42))])},
        {"layout": layout_with(height=10**9)},
        {"layout": layout_with(height=7, width=6, planes=1)},
        {"layout": layout_with(more=1)},
    ],
)
def test_weights_must_be_those_of_the_header(saved: Path, changes: dict) -> None:
    rewrite(saved)
    load_weights(saved, game())  # so far it is sound
    rewrite(saved, **changes)
    with pytest.raises(ft.ForethoughtError, match="its arrays are not those its header tells of"):
        load_weights(saved, game())


def test_a_tower_of_another_game_is_refused(saved: Path) -> None:
    with pytest.raises(ft.ForethoughtError, match="is a network of connect_four, not of tic_tac_toe"):
        load_weights(saved, ft.load("tic_tac_toe", compiled=False))
    with pytest.raises(ft.ForethoughtError, match="86 facts and 7 actions is none of tic_tac_toe"):
        save_tower(saved, parameters_for(), GAME_SHAPE, ft.load("tic_tac_toe", compiled=False))


def test_what_no_tower_knows_is_refused() -> None:
    """Kernels check no bounds: a network of another game must not read past its weights."""
    shape = SHAPES["hexagon"]
    tower = random_tower(shape)
    for facts, actions, wrong in (
        ([shape.layout.facts], [0], "fact"),
        ([0], [shape.actions], "action"),
        ([-1], [0], "fact"),
    ):
        with pytest.raises(ft.ForethoughtError, match=f"The evaluator has no {wrong} "):
            policy_of(tower, facts, actions)
    assert policy_of(tower, [0], [0, 1]).sum() == pytest.approx(1.0)
