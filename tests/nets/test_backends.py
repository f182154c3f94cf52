"""Backends: torch answers as the compiled networks do; what is not there is said in a sentence."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.nets.backends import BACKENDS, load_evaluator
from forethought.nets.convolution import layout_of
from forethought.nets.evaluator import Evaluator, is_compiled
from forethought.nets.mlp import save_mlp
from forethought.nets.tower import Shape, save_tower
from forethought.nets.values import value_columns
from forethought.randomness import generator
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.settings import MctsSettings
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from tests.naive import tower as naive_tower
from tests.nets.batches import random_batch
from tests.nets.test_answers import random_net

torch = pytest.importorskip("torch")


def saved_mlp(path: Path, game: ft.Game) -> None:
    save_mlp(path, random_net(game.facts, game.actions, (32, 16), 1, value_columns(game)), game)


def saved_tower(path: Path, game: ft.Game) -> None:
    shape = Shape(2, 12, 8, game.actions, value_columns(game), layout_of(game))
    save_tower(path, naive_tower.random_parameters(shape, 1), shape, game)


NETWORKS = [
    ("leduc", saved_mlp),
    ("connect_four", saved_mlp),
    ("connect_four", saved_tower),
    ("hex(size=4)", saved_tower),
]


@pytest.fixture(params=NETWORKS, ids=lambda pair: f"{pair[1].__name__} of {pair[0]}")
def network(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, ft.Game]:
    spec, save = request.param
    game = ft.load(spec)
    save(tmp_path / "net", game)
    return tmp_path / "net", game


def test_all_backends_are_listed() -> None:
    assert BACKENDS.names() == ["compiled", "torch", "torch-cpu", "torch-cuda"]


@pytest.mark.parametrize("backend", ["torch", "torch-cpu"])
@pytest.mark.parametrize("rows", [1, 23])
def test_torch_answers_as_the_compiled_network_does(network: tuple[Path, ft.Game], backend: str, rows: int) -> None:
    path, game = network
    compiled, other = load_evaluator(path, game), load_evaluator(path, game, backend)
    assert is_compiled(compiled)
    assert not is_compiled(other)
    for name in ("facts", "actions", "values"):
        assert getattr(other, name) == getattr(compiled, name)
    batch = random_batch(game.facts, game.actions, rows + 2, 2)
    answers = [answered(one, batch.questions(one.values), rows) for one in (compiled, other)]
    for row, count in enumerate(batch.counts[:rows]):
        assert answers[0].policies[row, :count] == pytest.approx(answers[1].policies[row, :count], abs=1e-5)
    assert answers[0].values == pytest.approx(answers[1].values, abs=1e-5)  # beyond the rows, untouched
    policies = answers[1].policies[0, : batch.counts[0]]
    assert policies.sum() == pytest.approx(1.0, abs=1e-6)


def answered(evaluator: Evaluator, questions, rows: int):
    evaluator.answer(questions, rows, evaluator.scratch(rows))
    return questions


def test_torch_guides_searches(tmp_path: Path) -> None:
    """Rounding differs, so trees may; a network this certain leads both to the same moves."""
    game, path = ft.load("tic_tac_toe"), tmp_path / "net"
    saved_mlp(path, game)
    settings = MctsSettings(selection="puct", exploration=1.5, rollout_weight=0.0)
    policies = []
    for backend in ("compiled", "torch"):
        forest = Forest(game, settings, [generator(1)], load_evaluator(path, game, backend))
        forest.aim(0, game.start())
        forest.search(200)
        policies.append(forest.found(0).visits / 199)
    assert policies[0] == pytest.approx(policies[1], abs=0.05)
    assert policies[0].max() > 2 * policies[0].min()


def test_torch_plays_roll_outs(tmp_path: Path) -> None:
    game, path = ft.load("leduc"), tmp_path / "net"
    saved_mlp(path, game)
    search = OnlineOutcomeSampling(game, OosSettings(), generator(1), load_evaluator(path, game, "torch"))
    search.simulate(300)
    assert search.simulated == 300
    assert np.isfinite(search.table.entries).all()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_without_a_cuda_device_torch_runs_on_the_cpu_and_says_so(tmp_path: Path) -> None:
    game, path = ft.load("leduc"), tmp_path / "net"
    saved_mlp(path, game)
    with pytest.warns(UserWarning, match="There is no CUDA device here; torch runs on the CPU"):
        evaluator = load_evaluator(path, game, "torch-cuda")
    questions = answered(evaluator, random_batch(game.facts, game.actions, 3, 1).questions(1), 3)
    assert np.abs(questions.values).max() <= 1.0


def test_an_unknown_backend_is_refused(tmp_path: Path) -> None:
    game, path = ft.load("leduc"), tmp_path / "net"
    saved_mlp(path, game)
    with pytest.raises(ft.ForethoughtError, match="There is no backend 'troch'; did you mean torch"):
        load_evaluator(path, game, "troch")


def test_without_torch_a_sentence_says_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "net"
    saved_mlp(path, ft.load("leduc"))
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from pathlib import Path\n"
        "import forethought as ft\n"
        "from forethought.nets.backends import load_evaluator\n"
        "game = ft.load('leduc')\n"
        f"assert load_evaluator(Path({str(path)!r}), game).actions == 3\n"
        f"load_evaluator(Path({str(path)!r}), game, 'torch')\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "ForethoughtError: This backend needs torch; pip install 'forethought[train]'." in run.stderr
