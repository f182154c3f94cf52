"""`my_learner.py`: a learner outside the package, without torch, in every verb and on the page.

It is killed and resumed like any other.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from tests.extending.plugged import forethought, page, plugins
from tests.learn.killing import Trainings
from tests.learn.server import Fault
from tests.serve.running_server import opened, played_out

MINE = plugins("without_torch.py", "my_learner.py")
ITERATIONS = 20
FAULTS = (
    Fault(r"configuration\.toml$", "os.rename"),
    Fault(r"games/000001/07\.safetensors$", "os.rename"),
    Fault(r"games/000001\.safetensors$", "os.rename"),
    Fault(r"games/000002$", "shutil.rmtree"),
    Fault(r"weights/000003\.safetensors$", "os.rename"),
    Fault(r"checkpoints/000005\.safetensors$", "os.rename"),
    Fault(r"checkpoints/000006\.safetensors$", "os.remove"),
)


@pytest.fixture(scope="module")
def trainings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trainings]:
    """Trainings on Kuhn poker, and one of them that nothing disturbed."""
    flags = f"--algorithm reinforce --iterations {ITERATIONS} --workers 1 --seed 1 --set evaluation.games=40"
    home = tmp_path_factory.mktemp("runs")
    with Trainings(home, "train", "kuhn", *flags.split(), FORETHOUGHT_RUNS=str(home), **MINE) as started:
        yield started


def shown(trainings: Trainings, *arguments: object) -> Any:
    """What a verb prints as JSON."""
    ended = trainings.server.run(*arguments, "--json")
    assert ended.code == 0
    return json.loads(ended.out)


def weights_of(run: Path) -> np.ndarray:
    return load_file(run / "weights" / f"{ITERATIONS:06}.safetensors")["weights"]


def test_it_learns(trainings: Trainings) -> None:
    [found] = shown(trainings, "runs")
    assert (found["algorithm"], found["iterations"], found["wanted"]) == ("reinforce", ITERATIONS, ITERATIONS)
    first = json.loads((trainings.whole / "events.jsonl").read_text().splitlines()[1])["values"]
    assert first["nashconv"] > 0.8
    assert found["nashconv"] < 0.6


def test_killed_at_every_fault_it_ends_with_the_same_weights(trainings: Trainings) -> None:
    killed = trainings.killed_at(FAULTS)
    assert np.array_equal(weights_of(killed), weights_of(trainings.whole))


def test_the_seed_decides_and_the_workers_do_not(trainings: Trainings, tmp_path: Path) -> None:
    flags = f"--algorithm reinforce --iterations {ITERATIONS} --set evaluation.games=2".split()
    for seed, workers, same in ((1, 3, True), (2, 1, False)):
        run = tmp_path / f"{seed}"
        shown(trainings, "train", "kuhn", *flags, "--seed", seed, "--workers", workers, "--run", run)
        assert np.array_equal(weights_of(run), weights_of(trainings.whole)) == same


def test_its_settings_are_its_own(trainings: Trainings) -> None:
    written = (trainings.whole / "configuration.toml").read_text()
    assert "[learning]\nrate = 0.2  # step along the gradient of the mean return\n" in written
    command = ("train", "kuhn", "--algorithm", "reinforce", "--run", trainings.home / "no")
    for setting, said in (
        ("learning.rate=0", "learning.rate must be a number above 0, not 0.0."),
        ("search.simulations=9", "There is no setting 'search.simulations'; settings are game, "),
        ("algorithm=reinforced", "There is no algorithm 'reinforced'; did you mean reinforce? Algorithms are "),
    ):
        done = forethought(*command, "--set", setting, **MINE)
        assert done.returncode == 2
        assert done.stderr.startswith(f"error: {said}")


def test_what_it_learned_thinks_plays_and_wins(trainings: Trainings, tmp_path: Path) -> None:
    player = f"reinforce:{trainings.whole.name}"
    moves = "0, 1"  # a jack against a queen
    early, late = (shown(trainings, "think", "kuhn", "--player", f"{player}@{number}", "--moves", moves)["actions"]
                   for number in (1, ITERATIONS))  # fmt: skip
    bets = [action["probability"] for action in (early[1], late[1])]
    assert bets[0] == pytest.approx(0.5, abs=0.05)
    assert bets[1] < 0.4  # it has learned to bluff less
    assert shown(trainings, "play", "kuhn", "--watch", "--against", player, "--seed", 1)
    store = ("--store", tmp_path / "matches.jsonl")
    assert shown(trainings, "match", "kuhn", player, "random", "--games", 4000, *store)["mean_return_low"] > 0.0


def test_another_game_is_refused(trainings: Trainings) -> None:
    player = f"reinforce:{trainings.whole}"
    done = forethought("think", "leduc", "--player", player, **MINE)
    assert done.stderr.endswith(" is a linear policy of kuhn, not of leduc.\n")


def test_it_is_drawn(trainings: Trainings, tmp_path: Path) -> None:
    picture = tmp_path / "curves.png"
    drawn = shown(trainings, "plot", trainings.whole, "--output", picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    [run] = drawn["runs"]
    assert run["verdict"]["trend"] == "better"
    assert [point["iteration"] for point in run["points"]] == list(range(1, ITERATIONS + 1))
    entropies = [point["values"]["entropy"] for point in run["points"]]
    assert entropies[0] == pytest.approx(np.log(2), abs=0.01)
    assert entropies[-1] < 0.6


@pytest.mark.slow
def test_the_page_shows_its_curves_and_offers_what_it_learned(trainings: Trainings) -> None:
    name = trainings.whole.name
    with page(FORETHOUGHT_RUNS=str(trainings.home), **MINE) as client:
        told = client.get(f"/api/runs/{name}").json()
        metrics = {metric["name"]: metric for metric in told["metrics"]}
        assert (metrics["entropy"]["title"], metrics["entropy"]["unit"]) == ("Entropy of the policy", "nats")
        assert len(metrics["entropy"]["points"]) == ITERATIONS
        assert metrics["nashconv"]["points"][-1][1] < 0.6
        assert told["settings"]["learning.rate"] == {
            "value": 0.2,
            "about": "step along the gradient of the mean return",
        }
        offered = [
            one
            for one in client.get("/api/players", params={"game": "kuhn"}).json()
            if one["spec"] == f"reinforce(run={name})"
        ]
        assert [one["label"] for one in offered] == [f"{name} (REINFORCE, {ITERATIONS} iterations)"]
        view = opened(client, "kuhn", "human", offered[0]["spec"], seed=1)
        assert played_out(client, view)["over"]
