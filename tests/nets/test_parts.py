"""Files of several parts: what an AlphaGo run has learned, in one file, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.nets.convolution import layout_of
from forethought.nets.evaluator import policy_of
from forethought.nets.formats import IMITATION, REINFORCED, VALUE, load_weights
from forethought.nets.mlp import MlpWeights, make_mlp, parameters_of
from forethought.nets.tower import Shape, TowerWeights, make_tower
from forethought.patterns.atomic import atomic_patterns
from forethought.patterns.model import OBJECTIVES, ROLLOUT, PatternModel, load_model, model_content
from forethought.player import find_player
from forethought.players.network import NetworkPlayer
from forethought.randomness import generator
from forethought.tensors import PARTS, Content, read_tensors, write_parts, write_tensors

GAME = "tic_tac_toe"


def game() -> ft.Game:
    return ft.load(GAME, compiled=False)


def mlp(seed: int, values: int = 0) -> MlpWeights:
    net = make_mlp(game().facts, game().actions, (8,), np.random.default_rng(seed), values)
    return MlpWeights(parameters_of(net), values)


def tower(seed: int) -> TowerWeights:
    shape = Shape(1, 4, 8, game().actions, 1, layout_of(game()))
    return TowerWeights(make_tower(shape, np.random.default_rng(seed)), shape)


def patterns() -> PatternModel:
    board = game().board
    assert board is not None
    own = tuple(atomic_patterns(board)[:3])
    return PatternModel((own, own), {name: (np.arange(3.0), np.ones(3)) for name in OBJECTIVES})


def parts() -> dict[str, Content]:
    networks = {IMITATION: mlp(1), REINFORCED: tower(2), VALUE: mlp(3, 1)}
    contents = {name: weights.content(game()) for name, weights in networks.items()}
    return contents | {ROLLOUT: model_content(patterns(), game())}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_parts(tmp_path / "000001.safetensors", parts())
    return tmp_path / "000001.safetensors"


def test_every_part_is_read_as_it_was_written(path: Path) -> None:
    for name, written in ((IMITATION, mlp(1)), (REINFORCED, tower(2)), (VALUE, mlp(3, 1))):
        read = load_weights(path, game(), name)
        assert type(read) is type(written)
        assert read.parameters.keys() == written.parameters.keys()
        assert all(np.array_equal(read.parameters[key], array) for key, array in written.parameters.items())
    assert (load_weights(path, game(), VALUE).compiled().values, load_weights(path, game()).compiled().values) == (1, 0)
    read = load_model(path, game())
    assert read.patterns == patterns().patterns
    assert all(
        np.array_equal(a, b)
        for name in OBJECTIVES
        for a, b in zip(read.total(name), patterns().total(name), strict=True)
    )


def test_the_same_parts_are_the_same_bytes(path: Path) -> None:
    write_parts(path.parent / "again", parts())
    assert path.read_bytes() == (path.parent / "again").read_bytes()


def test_a_missing_part_is_named_with_those_there_are(path: Path) -> None:
    write_parts(path, {IMITATION: parts()[IMITATION], VALUE: parts()[VALUE]})
    with pytest.raises(ft.ForethoughtError, match=r"has no part 'reinforced', only imitation, value; `forethought tr"):
        load_weights(path, game(), REINFORCED)
    with pytest.raises(ft.ForethoughtError, match=r"has no part 'rollout', only imitation, value; "):
        load_model(path, game())
    write_tensors(path, *parts()[IMITATION])
    assert load_weights(path, game())
    with pytest.raises(ft.ForethoughtError, match=r"has no part 'value', but one network; "):
        load_weights(path, game(), VALUE)


def test_a_part_of_another_format_or_game_is_refused(path: Path) -> None:
    write_parts(path, {IMITATION: parts()[ROLLOUT], ROLLOUT: parts()[IMITATION]})
    with pytest.raises(ft.ForethoughtError, match=r"holds 'forethought patterns 2', not 'forethought mlp 2' or "):
        load_weights(path, game())
    with pytest.raises(ft.ForethoughtError, match=r"holds 'forethought mlp 2', not 'forethought patterns 2'; "):
        load_model(path, game())
    write_parts(path, parts())
    with pytest.raises(ft.ForethoughtError, match="is a network of tic_tac_toe, not of connect_four"):
        load_weights(path, ft.load("connect_four", compiled=False))


@pytest.mark.parametrize(
    "about",
    [
        {"parts": []},
        {"parts": {IMITATION: None}},
        {"parts": {IMITATION: {"format": "forethought mlp 2"}}},
        {"parts": {IMITATION: {"format": "forethought mlp 2", "about": 7}}},
    ],
)
def test_a_header_that_describes_no_parts_is_refused(path: Path, about: dict[str, object]) -> None:
    file = read_tensors(path, PARTS)
    write_tensors(path, file.format, file.arrays, about)
    with pytest.raises(ft.ForethoughtError, match="is damaged, or no file of several parts: "):
        load_weights(path, game())


def test_arrays_that_a_part_lacks_are_noticed(path: Path) -> None:
    file = read_tensors(path, PARTS)
    kept = {name: array for name, array in file.arrays.items() if name != "imitation/bias0"}
    write_tensors(path, file.format, kept, file.about)
    with pytest.raises(ft.ForethoughtError, match="is damaged, or no network: "):
        load_weights(path, game())


@pytest.mark.parametrize(("spec", "weights"), [("net(run={})", mlp(1)), ("net(run={},policy=reinforced)", tower(2))])
def test_net_plays_either_policy(path: Path, spec: str, weights: MlpWeights | TowerWeights) -> None:
    compiled = ft.load(GAME)
    player = find_player(spec.format(path)).new_player(compiled)(generator(1))
    assert isinstance(player, NetworkPlayer)
    seen = compiled.start().observation(0)
    asked = (seen.facts, seen.legal_actions)
    assert np.array_equal(policy_of(player.network, *asked), policy_of(weights.compiled(), *asked))
