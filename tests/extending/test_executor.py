"""`my_executor.py`: jobs are plain data, and what they come to does not depend on who runs them.

Matches and trainings in processes that share nothing are those in threads, bit for bit; players, learners and
evaluators of plugins included.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from tests.extending.plugged import forethought, plugins
from tests.serve.running_server import PATIENCE

MINE = plugins("my_executor.py", "my_search.py", "my_learner.py")
EXECUTORS = ("threads:2", "processes:2")


def shown(*arguments: object, runs: Path) -> Any:
    """What a verb prints as JSON."""
    done = forethought(*arguments, "--json", FORETHOUGHT_RUNS=str(runs), **MINE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "player"),
    [
        pytest.param("tic_tac_toe", "flat:50", marks=pytest.mark.slow),
        ("goofspiel(cards=4)", "oos:200"),
        pytest.param("tests/userfiles/pincer.py", "uct:50", marks=pytest.mark.slow),
    ],
)
def test_a_match_is_the_same(game: str, player: str, tmp_path: Path) -> None:
    threads, processes = (
        shown(
            "match",
            game,
            player,
            "random",
            "--games",
            40,
            "--executor",
            executor,
            "--store",
            tmp_path / executor,
            runs=tmp_path,
        )
        for executor in EXECUTORS
    )
    assert threads == processes


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        pytest.param("leduc", "exit-oos", marks=pytest.mark.slow),
        pytest.param("tic_tac_toe", "alphazero", marks=pytest.mark.slow),
        ("kuhn", "reinforce"),
    ],
)
def test_a_training_comes_to_the_same_weights(game: str, algorithm: str, tmp_path: Path) -> None:
    """Self-play, gates and exams run in the processes."""
    flags = f"--algorithm {algorithm} --iterations 3 --seed 1 --set evaluation.games=10".split()
    more = {
        "exit-oos": "--games 6 --simulations 50 --set learning.steps=8",
        "alphazero": "--games 6 --simulations 20 --set learning.steps=8 --set gate.games=4 --set play.parallel_games=2",
        "reinforce": "--games 6",
    }[algorithm]
    runs = []
    for executor in EXECUTORS:
        shown("train", game, *flags, *more.split(), "--executor", executor, "--run", executor[:7], runs=tmp_path)
        runs.append(tmp_path / executor[:7])
    for iteration in (1, 2, 3):
        ours, theirs = (load_file(run / "weights" / f"{iteration:06}.safetensors") for run in runs)
        assert ours.keys() == theirs.keys()
        assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
    measured = [
        [{name: value for name, value in event["values"].items() if "second" not in name} for event in events(run)]
        for run in runs
    ]
    assert measured[0] == measured[1]
    assert "win_rate" in measured[0][-1]


def events(run: Path) -> list[dict[str, Any]]:
    """What a run has reported of its iterations."""
    told = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    return [event for event in told if event["kind"] == "iteration"]


@pytest.mark.slow
def test_killed_it_leaves_no_process_behind_and_goes_on_elsewhere(tmp_path: Path) -> None:
    train = ("train", "kuhn", "--algorithm", "reinforce", "--games", "6", "--seed", "1", "--set", "evaluation.games=4")
    where = ("--executor", "processes:2", "--iterations", "10000", "--run", "killed")
    command = [sys.executable, "-m", "forethought", *train, *where]
    environment = os.environ | MINE | {"FORETHOUGHT_RUNS": str(tmp_path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        while not (line := process.stderr.readline()).startswith("iteration    3"):
            assert line, "it ended before its third iteration"
        workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert len(workers) >= 2
        process.kill()
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < end, "workers live on"
        time.sleep(0.05)
    wanted = len(events(tmp_path / "killed")) + 10
    shown("resume", "killed", "--iterations", wanted, runs=tmp_path)
    shown(*train, "--iterations", wanted, "--run", "whole", runs=tmp_path)
    ours, theirs = (load_file(tmp_path / run / "weights" / f"{wanted:06}.safetensors") for run in ("killed", "whole"))
    assert np.array_equal(ours["weights"], theirs["weights"])
