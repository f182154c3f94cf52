"""Networks as people and files see them: sizes, parameters, and the disk."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.nets.formats import FORMATS, Parameters, load_weights
from forethought.nets.mlp import FORMAT, Mlp, MlpWeights, default_hidden, make_mlp, mlp_of, parameters_of, save_mlp
from forethought.tensors import write_tensors


def leduc() -> ft.Game:
    return ft.load("leduc", compiled=False)


def leduc_net(seed: int = 1, hidden: tuple[int, ...] = (40, 24), values: int = 0) -> Mlp:
    return make_mlp(30, 3, hidden, np.random.default_rng(seed), values)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "leduc.net"
    save_mlp(path, leduc_net(), leduc())
    return path


@pytest.mark.parametrize(
    ("game", "hidden"),
    [
        ("leduc", (128,)),
        ("kuhn", (128,)),
        ("tic_tac_toe", (128,)),
        ("goofspiel(cards=6)", (128, 64)),
        ("liars_dice(dice=1)", (128, 64)),
        ("goofspiel(cards=13)", (128, 128, 64)),
        ("liars_dice(dice=2)", (128, 128, 64)),
    ],
)
def test_default_sizes(game: str, hidden: tuple[int, ...]) -> None:
    assert default_hidden(ft.load(game, compiled=False)) == hidden


def test_a_new_network_has_the_spread_of_he_and_a_small_last_layer() -> None:
    parameters = parameters_of(make_mlp(200, 30, (300, 100), np.random.default_rng(5)))
    assert parameters["weight0"].std() == pytest.approx(np.sqrt(2 / 200), rel=0.03)
    assert parameters["weight1"].std() == pytest.approx(np.sqrt(2 / 300), rel=0.03)
    assert parameters["weight2"].std() == pytest.approx(0.01, rel=0.1)
    assert not any(parameters[f"bias{layer}"].any() for layer in range(3))


def test_the_same_seed_makes_the_same_network() -> None:
    assert np.array_equal(leduc_net(3).panels, leduc_net(3).panels)
    assert not np.array_equal(leduc_net(3).panels, leduc_net(4).panels)


@pytest.mark.parametrize("values", [0, 1, 5])
@pytest.mark.parametrize("hidden", [(), (1,), (32,), (33, 31), (7, 64, 100)])
def test_parameters_come_back_as_they_were_given(hidden: tuple[int, ...], values: int) -> None:
    rng = np.random.default_rng(2)
    widths = (11, *hidden, 35)
    given = {}
    for layer, shape in enumerate(pairwise(widths)):
        given[f"weight{layer}"] = rng.normal(size=shape).astype(np.float32)
        given[f"bias{layer}"] = rng.normal(size=shape[1]).astype(np.float32)
    net = mlp_of(given, values)
    back = parameters_of(net)
    assert (net.hidden, net.actions, net.values) == (hidden, 35 - values, values)
    assert list(back) == list(given)
    assert all(np.array_equal(back[name], given[name]) for name in given)


def test_a_network_cannot_be_written() -> None:
    net = leduc_net()
    parameters_of(net)["weight0"][:] = 0  # a copy
    assert net.panels.any()
    with pytest.raises(ValueError, match="read-only"):
        net.panels[0] = 1


@pytest.mark.parametrize("hidden", [(0,), (128, -1)])
def test_layers_without_units_are_refused(hidden: tuple[int, ...]) -> None:
    with pytest.raises(ft.ForethoughtError, match="at least one unit"):
        make_mlp(30, 3, hidden, np.random.default_rng(1))


@pytest.mark.parametrize("values", [-1, 3, 4])
def test_a_network_without_actions_is_none(values: int) -> None:
    with pytest.raises(ft.ForethoughtError, match="no network"):
        mlp_of(parameters_of(leduc_net()), values)


def without(parameters: dict, name: str) -> dict:
    return {key: value for key, value in parameters.items() if key != name}


def changed(parameters: dict, name: str, value: float) -> dict:
    array = parameters[name].copy()
    array.flat[0] = value
    return {**parameters, name: array}


UNSOUND = {
    "nothing at all": lambda _: {},
    "a missing bias": lambda p: without(p, "bias1"),
    "a missing layer": lambda p: without(without(p, "bias0"), "weight0"),
    "one array too many": lambda p: {**p, "more": np.zeros(3, np.float32)},
    "layers that do not fit": lambda p: {**p, "weight1": np.zeros((41, 24), np.float32)},
    "a bias of another width": lambda p: {**p, "bias1": np.zeros(1, np.float32)},
    "a flat weight": lambda p: {**p, "weight1": p["weight1"].ravel()},
    "a layer without units": lambda p: {**p, "weight1": p["weight1"][:, :0], "bias1": p["bias1"][:0]},
    "doubles": lambda p: {**p, "weight1": p["weight1"].astype(np.float64)},
    "not a number": lambda p: changed(p, "weight2", np.nan),
    "infinity": lambda p: changed(p, "bias0", np.inf),
}


@pytest.mark.parametrize("what", UNSOUND)
def test_arrays_that_are_no_network_are_refused(what: str) -> None:
    with pytest.raises(ft.ForethoughtError, match="no network"):
        mlp_of(UNSOUND[what](parameters_of(leduc_net())))


ABOUT = {"game": "leduc", "spec": "leduc", "facts": 30, "actions": 3, "hidden": [40, 24], "values": 0}


def write(path: Path, parameters: dict, **changes: object) -> None:
    """Write a file whose digest is right, whatever it holds."""
    write_tensors(path, FORMATS.find(FORMAT).format, parameters, ABOUT | changes)


@pytest.mark.parametrize("what", UNSOUND)
def test_a_file_with_such_arrays_is_refused(saved: Path, what: str) -> None:
    parameters = load_weights(saved, leduc()).parameters
    write(saved, parameters)
    load_weights(saved, leduc())  # so far it is sound
    write(saved, UNSOUND[what](parameters))
    with pytest.raises(ft.ForethoughtError, match=r"leduc\.net is damaged"):
        load_weights(saved, leduc())


@pytest.mark.parametrize("hidden", [[40, 25], [40], None, "40", [[40], 24]])
def test_weights_must_be_those_of_the_header(saved: Path, hidden) -> None:
    write(saved, load_weights(saved, leduc()).parameters, hidden=hidden)
    with pytest.raises(ft.ForethoughtError, match="its arrays are not those its header tells of"):
        load_weights(saved, leduc())


@pytest.mark.parametrize(("actions", "told"), [(5, 1), (5, 3), (5, "2"), (5, [2]), (3, 2), (2, -1), (2, 0)])
def test_values_must_be_those_of_the_header(saved: Path, actions: int, told) -> None:
    """Two values beside leduc's three actions are told otherwise; or there are outputs for no or negative values."""
    write(saved, parameters_of(make_mlp(30, actions, (8,), np.random.default_rng(1))), hidden=[8], values=told)
    with pytest.raises(ft.ForethoughtError, match="its arrays are not those its header tells of"):
        load_weights(saved, leduc())


@pytest.mark.parametrize("values", [0, 1, 3])
@pytest.mark.parametrize("hidden", [(), (128,), (33, 31)])
def test_a_network_survives_the_disk_exactly(tmp_path: Path, hidden: tuple[int, ...], values: int) -> None:
    path, net = tmp_path / "deep" / "leduc.net", leduc_net(hidden=hidden, values=values)
    save_mlp(path, net, leduc())
    loaded = load_weights(path, leduc()).compiled()
    assert loaded.values == values
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(loaded, net, strict=True))
    assert list(path.parent.iterdir()) == [path]  # no temporary file is left


def with_all_parts(hidden: tuple[int, ...] = (16,)) -> MlpWeights:
    """A network with a second head and a critic."""
    rng, game = np.random.default_rng(3), leduc()
    head = {"weight": rng.normal(size=(hidden[-1], 3)), "bias": rng.normal(size=3)}
    critic = parameters_of(make_mlp(game.facts * game.players, 1, (5,), rng))
    head = {name: array.astype(np.float32) for name, array in head.items()}
    return MlpWeights(parameters_of(leduc_net(hidden=hidden)), 0, head, critic)


def test_a_second_head_and_a_critic_survive_the_disk(tmp_path: Path) -> None:
    path, weights = tmp_path / "leduc.net", with_all_parts()
    weights.save(path, leduc())
    loaded = load_weights(path, leduc())
    assert isinstance(loaded, MlpWeights)
    for part in ("parameters", "prior_head", "critic_parameters"):
        mine, theirs = getattr(loaded, part), getattr(weights, part)
        assert mine.keys() == theirs.keys()
        assert all(np.array_equal(mine[name], theirs[name]) for name in theirs)
    assert np.array_equal(loaded.prior.parameters["weight1"], weights.prior_head["weight"])
    assert np.array_equal(loaded.prior.parameters["weight0"], weights.parameters["weight0"])
    assert loaded.critic is not None
    assert loaded.critic.facts == 2 * leduc().facts


@pytest.mark.parametrize(
    "broken",
    [
        {"prior_head": {"weight": np.zeros((16, 2), np.float32), "bias": np.zeros(2, np.float32)}},
        {"prior_head": {"weight": np.zeros((15, 3), np.float32), "bias": np.zeros(3, np.float32)}},
        {"prior_head": {"weight": np.full((16, 3), np.nan, np.float32), "bias": np.zeros(3, np.float32)}},
        {"critic_parameters": {"weight0": np.zeros((30, 1), np.float32), "bias0": np.zeros(1, np.float32)}},
        {"critic_parameters": {"weight0": np.zeros((60, 2), np.float32), "bias0": np.zeros(2, np.float32)}},
        {"critic_parameters": {"weight0": np.zeros((60, 1), np.float32)}},
    ],
)
def test_parts_that_do_not_fit_are_refused(tmp_path: Path, broken: dict[str, Parameters]) -> None:
    path = tmp_path / "leduc.net"
    replace(with_all_parts(), **broken).save(path, leduc())  # type: ignore[arg-type]
    with pytest.raises(ft.ForethoughtError, match="its arrays are not those its header tells of"):
        load_weights(path, leduc())


@pytest.mark.parametrize("game", ["kuhn", "goofspiel(cards=4)"])  # goofspiel(4) has as many facts as leduc
def test_a_network_of_another_game_is_refused(saved: Path, game: str) -> None:
    with pytest.raises(ft.ForethoughtError, match=r"is a network of leduc, not of (kuhn|goofspiel)"):
        load_weights(saved, ft.load(game, compiled=False))


def test_a_network_of_another_size_of_the_game_is_refused(tmp_path: Path) -> None:
    five, six = (ft.load(f"goofspiel(cards={cards})", compiled=False) for cards in (5, 6))
    save_mlp(tmp_path / "net", make_mlp(five.facts, five.actions, (8,), np.random.default_rng(1)), five)
    with pytest.raises(ft.ForethoughtError, match=r"is a network of goofspiel\(cards=5\), not of goofspiel\(cards=6\)"):
        load_weights(tmp_path / "net", six)


def test_a_network_cannot_be_saved_as_one_of_another_game(tmp_path: Path) -> None:
    with pytest.raises(ft.ForethoughtError, match="30 facts and 3 actions is none of kuhn"):
        save_mlp(tmp_path / "net", leduc_net(), ft.load("kuhn", compiled=False))


def test_a_missing_file_says_how_to_make_one() -> None:
    with pytest.raises(ft.ForethoughtError, match="There is no network 'nowhere'; `forethought train"):
        load_weights(Path("nowhere"), leduc())
