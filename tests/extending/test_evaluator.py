"""`my_evaluator.py`: an evaluator outside the package runs the networks of players, in every verb and on the page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file

from tests.extending.plugged import forethought, page, plugins
from tests.learn.killing import Server
from tests.serve.running_server import opened, played_out

MINE = plugins("my_evaluator.py")
SMALL = ("--set", "games=2", "--set", "learning.steps=4", "--set", "evaluation.games=2")
QUICK = ("--simulations", 10, "--iterations", 2, "--seed", 1, *SMALL)
# a game, and players whose networks are run by a backend
PLAYERS = [
    ("kuhn", "net(run=kuhn{})"),
    ("kuhn", "oos(simulations=50,net=kuhn{})"),
    ("tic_tac_toe", "net(run=tic_tac_toe,greedy=never{})"),
    ("tic_tac_toe", "az(run=tic_tac_toe,simulations=50,temperature=1{})"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Server]:
    train = ("train", "kuhn", "--run", "kuhn", *QUICK)
    with Server("forethought.cli", *train, FORETHOUGHT_RUNS=str(home), **MINE) as started:
        assert started.run("train", "tic_tac_toe", "--run", "tic_tac_toe", *QUICK).code == 0
        yield started


def shown(server: Server, *arguments: object) -> Any:
    """What a verb prints as JSON."""
    ended = server.run(*arguments, "--json")
    assert ended.code == 0
    return json.loads(ended.out)


@pytest.mark.parametrize(("game", "player"), PLAYERS)
@pytest.mark.quick_cases(2)
def test_it_thinks_as_the_compiled_network_does(server: Server, game: str, player: str) -> None:
    moves = "0, 1" if game == "kuhn" else "0, 4, 8"
    ours, theirs = (
        shown(server, "think", game, "--player", player.format(backend), "--moves", moves, "--seed", 1)["actions"]
        for backend in (",backend=numpy", "")
    )
    assert [one["probability"] for one in ours] == pytest.approx([one["probability"] for one in theirs], abs=1e-5)
    assert len({round(one["probability"], 6) for one in ours}) > 1


@pytest.mark.parametrize(("game", "player"), PLAYERS)
@pytest.mark.quick_cases(2)
def test_it_plays_matches(server: Server, tmp_path: Path, game: str, player: str) -> None:
    command = ("match", game, player.format(",backend=numpy"), "random", "--games", 20)
    first, second = (
        shown(server, *command, "--workers", workers, "--store", tmp_path / f"{workers}") for workers in (1, 2)
    )
    assert first == second
    assert first["games"] == 20


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kuhn", "tic_tac_toe"])
@pytest.mark.quick_cases(1)
def test_it_plays_the_games_of_a_training(server: Server, home: Path, tmp_path: Path, game: str) -> None:
    """In self-play and in the gate; it learns nearly what it learns from games of the compiled network."""
    gate = ("--set", "gate.games=2") if game == "tic_tac_toe" else ()
    command = ("train", game, *QUICK, *gate, "--set", "search.backend=numpy", "--run", tmp_path / "run")
    assert shown(server, *command)["iterations"] == 2
    assert 'backend = "numpy"' in (tmp_path / "run" / "configuration.toml").read_text()
    ours, theirs = (load_file(run / "weights" / "000001.safetensors") for run in (tmp_path / "run", home / game))
    assert all(ours[name] == pytest.approx(theirs[name], abs=1e-3) for name in theirs)


@pytest.mark.slow
def test_it_plays_and_examines_a_training(server: Server, tmp_path: Path) -> None:
    player = "net(run=kuhn,backend=numpy)"
    assert shown(server, "play", "kuhn", "--watch", "--against", player, "--seed", 1)
    against = ("--set", f"evaluation.against={player}", "--run", tmp_path / "run")
    assert shown(server, "train", "kuhn", *QUICK, *against)["win_rate"] is not None


@pytest.mark.slow
def test_what_it_cannot_run_is_refused(server: Server, home: Path) -> None:
    assert server.run("train", "tic_tac_toe", "--run", "tower", *QUICK, "--set", "network.kind=tower").code == 0
    for player, said in (
        ("az(run=tower,backend=numpy)", "The backend numpy runs fully connected networks only; use backend=compiled."),
        ("az(run=tower,backend=numpi)", "There is no backend 'numpi'; did you mean numpy? Backends are "),
    ):
        done = forethought("think", "tic_tac_toe", "--player", player, FORETHOUGHT_RUNS=str(home), **MINE)
        assert done.returncode == 2
        assert done.stderr.startswith(f"error: {said}")


@pytest.mark.slow
def test_the_page_lets_it_play(server: Server, home: Path) -> None:
    with page(FORETHOUGHT_RUNS=str(home), **MINE) as client:
        view = opened(client, "tic_tac_toe", "human", "az(run=tic_tac_toe,simulations=20,backend=numpy)", seed=1)
        assert played_out(client, view)["over"]
