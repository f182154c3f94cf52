"""Trainings: they learn, they repeat themselves exactly, and no end is sudden enough to change where they come to."""

import os
import signal
import subprocess
import sys
import time
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import forethought as ft
from forethought.learn.configuration import configuration_of
from forethought.learn.events import IterationReport
from forethought.learn.run import Run
from forethought.learn.training import Training
from forethought.nets.mlp import Mlp
from forethought.nets.networks import load_network, policy_of
from forethought.nets.tower import Tower
from forethought.runs import numbered
from tests.userfiles.two_arms import ANSWER

SMALL = {
    "iterations": 4,
    "games": 6,
    "workers": 1,
    "search.simulations": 50,
    "memory.capacity": 10,  # less than all games: what is forgotten must be forgotten again
    "learning.steps": 16,
    "evaluation.games": 4,
}
KILLS = 20


ON_BOARDS = {
    "algorithm": "alphazero",
    "search.simulations": 20,
    "network.kind": "tower",
    "network.blocks": 1,
    "network.filters": 8,
    "learning.batch": 32,
    "learning.threads": 1,
    "play.together": 2,
    "learning.symmetries": True,
    "gate.games": 4,  # so little that some networks are refused
}


def new_run(directory: Path, game: str = "leduc", seed: int = 3, **settings: Any) -> Run:
    by_game = ON_BOARDS if game == "tic_tac_toe" else {}
    return Run.create(directory, configuration_of({"game": game, "seed": seed} | SMALL | by_game | settings))


def finished(run: Run) -> list[IterationReport]:
    """Go on with a run to its end."""
    with run:
        training = Training(run, ft.load(run.configuration.game))
        return list(training.iterations(lambda _iteration, _games: None))


def outcome(run: Run) -> list[np.ndarray]:
    """All that a training comes to: weights, the state of Adam, and every sample of every game."""
    iterations = run.configuration.iterations
    state = run.checkpoint(iterations).arrays
    games = [array for _, games in run.all_games() for game in games for array in game.samples]
    weights = load_file(run.weights_file(iterations))
    return [*(part[name] for part in (state, weights) for name in sorted(part)), *games]


def assert_same(run: Run, other: Run) -> None:
    ours, theirs = outcome(run), outcome(other)
    assert len(ours) == len(theirs)
    assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


@pytest.fixture(scope="module", params=["leduc", "tic_tac_toe"])
def whole(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Run:
    """A training that nothing disturbed: by ExIt-OOS, and by AlphaGo Zero with a tower."""
    run = new_run(tmp_path_factory.mktemp("runs") / "whole", request.param)
    finished(run)
    return run


class Interrupt:
    """Presses Ctrl-C when so many games of an iteration are finished."""

    def __init__(self, iteration: int, games: int) -> None:
        self.at = (iteration, games)

    def __call__(self, iteration: int, games: int) -> None:
        if (iteration, games) == self.at:
            raise KeyboardInterrupt


def interrupted(run: Run, iteration: int, games: int) -> None:
    with run, pytest.raises(KeyboardInterrupt):
        list(Training(run, ft.load(run.configuration.game)).iterations(Interrupt(iteration, games)))


def test_a_game_of_two_arms_is_learnt(tmp_path: Path) -> None:
    """Both players must choose left three times in four, which neither the first network nor a greedy one does."""
    spec = "tests/userfiles/two_arms.py"
    settings = {"iterations": 8, "games": 16, "search.simulations": 1000, "learning.steps": 64, "memory.capacity": 1000}
    run = new_run(tmp_path / "arms", spec, **settings)
    nashconv = finished(run)[-1].nashconv
    net = load_network(run.weights_file(8), ft.load(spec))
    for seat in (0, 1):
        assert policy_of(net, (seat,), (0, 1))[0] == pytest.approx(ANSWER, abs=0.1)
    assert nashconv is not None
    assert 0.0 <= nashconv < 0.1


def test_same_seed_same_weights_and_another_seed_others(whole: Run, tmp_path: Path) -> None:
    game = whole.configuration.game
    again, other = new_run(tmp_path / "again", game), new_run(tmp_path / "other", game, seed=4)
    finished(again)
    finished(other)
    assert_same(again, whole)
    assert not np.array_equal(outcome(other)[-1], outcome(whole)[-1])


def test_two_workers_play_the_same_games_as_one(whole: Run, tmp_path: Path) -> None:
    run = new_run(tmp_path / "two", whole.configuration.game, workers=2)
    finished(run)
    assert_same(run, whole)


def test_what_is_reported(whole: Run) -> None:
    reports = whole.reports()
    assert [report.iteration for report in reports] == [1, 2, 3, 4]
    for report, (_, games) in zip(reports, whole.all_games(), strict=True):
        assert len(games) == report.games == 6
        assert report.samples == sum(game.samples.rows for game in games)
        assert report.walks == report.samples * whole.configuration.search.simulations
        assert 0.0 < report.search_seconds < report.seconds
        assert report.loss is not None
        assert report.loss > 0.0
    measured = [report.win_rate is not None for report in reports]
    assert measured == [True, False, False, True]  # the first and the last, and every fifth
    rows = [report.remembered for report in reports]
    assert rows == sorted(rows)
    assert rows[-1] <= 10 * -(-reports[0].samples // 6) < sum(report.samples for report in reports)


@pytest.mark.parametrize(("iteration", "games"), [(1, 2), (3, 2), (3, 6), (4, 4)])
def test_going_on_is_never_having_stopped(whole: Run, tmp_path: Path, iteration: int, games: int) -> None:
    run = new_run(tmp_path / "stopped", whole.configuration.game)
    interrupted(run, iteration, games)
    reports = finished(Run.open(run.directory))
    assert [report.iteration for report in reports] == list(range(iteration, 5))
    assert_same(run, whole)


def test_stopping_between_iterations_and_having_nothing_left_to_do(whole: Run, tmp_path: Path) -> None:
    run = new_run(tmp_path / "stopped", whole.configuration.game)
    with run:
        next(Training(run, ft.load(run.configuration.game)).iterations(lambda _iteration, _games: None))
    assert len(finished(Run.open(run.directory))) == 3
    assert_same(run, whole)
    assert finished(Run.open(run.directory)) == []


def test_a_damaged_game_is_played_again(whole: Run, tmp_path: Path) -> None:
    run = new_run(tmp_path / "damaged", whole.configuration.game)
    interrupted(run, 2, 4)
    saved = sorted((run.directory / "games" / "000002").glob("*"))
    assert len(saved) >= 4
    saved[1].write_bytes(saved[1].read_bytes()[:-1])
    opened = Run.open(run.directory)
    finished(opened)
    assert any("This game is played again" in warning for warning in opened.warnings)
    assert_same(run, whole)


def test_a_damaged_checkpoint_costs_an_iteration_of_learning(whole: Run, tmp_path: Path) -> None:
    run = new_run(tmp_path / "damaged", whole.configuration.game)
    interrupted(run, 4, 2)
    newest = numbered(run.directory / "checkpoints", 3)
    content = bytearray(newest.read_bytes())
    content[-5] ^= 1
    newest.write_bytes(content)
    opened = Run.open(run.directory)
    assert [report.iteration for report in finished(opened)] == [3, 4]
    assert any("An earlier checkpoint is used" in warning for warning in opened.warnings)
    assert_same(run, whole)


def test_no_iteration_begins_when_time_is_over(tmp_path: Path) -> None:
    assert len(finished(new_run(tmp_path / "short", minutes=1e-6))) == 1


def test_uniform_roll_outs_ask_no_network(tmp_path: Path) -> None:
    """All games are then the same whatever was learnt."""
    runs = [new_run(tmp_path / rate, "kuhn", **{"search.rollouts": "uniform", "learning.rate": float(rate)})
            for rate in ("0.1", "0.0001")]  # fmt: skip
    for run in runs:
        finished(run)
    quick, slow = ([game.about for _, games in run.all_games() for game in games] for run in runs)
    assert quick == slow


SERVER = """
import os, sys
from forethought.cli import main

def trained(arguments):
    sys.argv = ["forethought", *arguments]
    try:
        main()
    except SystemExit as end:
        return end.code or 0

trained(sys.argv[1:])  # all is imported and compiled, and no thread is left
print("ready", flush=True)
for line in sys.stdin:
    process = os.fork()
    if process == 0:
        os._exit(trained(line.split()))
    print(process, flush=True)
    sys.stdin.readline()  # until then its number stays its own
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


class Server:
    """A process that starts trainings at once: each is a fork of it, and saves the seconds it takes to import torch."""

    def __init__(self, begin: str, first: Path) -> None:
        self.begin = begin
        command = [sys.executable, "-c", SERVER, *begin.split(), str(first)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        while self._line() != "ready":
            pass

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_reason: object) -> None:
        self.process.kill()
        self.process.communicate()

    def train(self, directory: Path, kill_after: float = inf) -> int:
        """Begin a run or go on with it, and kill it if it has not ended by then; return the exit code."""
        begun = (directory / "configuration.toml").exists()
        self._tell(f"resume {directory} --json" if begun else f"{self.begin} {directory}")
        process = int(self._line())
        if kill_after < inf:
            time.sleep(kill_after)
            os.kill(process, signal.SIGKILL)
        self._tell("wait")
        while (line := self._line()).startswith("{"):
            pass
        return int(line)

    def _tell(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def _line(self) -> str:
        line = self.process.stdout.readline()
        assert line, "the server has died"
        return line.strip()


@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("leduc", "--simulations 100 --set learning.steps=64"),
        ("tic_tac_toe", "--simulations 40 --set learning.steps=32 --set network.kind=tower --set network.filters=8"),
    ],
)
def test_killed_twenty_times_it_ends_with_the_same_weights(tmp_path: Path, game: str, more: str) -> None:
    """By SIGKILL, at random instants: while games are played, saved or merged, while weights are learnt or written."""
    settings = f"--set games=8 --set evaluation.games=20 {more}"
    begin = f"train {game} --iterations 12 --workers 1 --seed 3 --json {settings} --run"
    delays, kills, runs = np.random.default_rng(1), 0, [tmp_path / "killed-0"]
    with Server(begin, tmp_path / "whole") as server:
        while kills < KILLS:
            if server.train(runs[-1], delays.uniform(0.1, 1.2)) == 0:
                runs.append(tmp_path / f"killed-{kills}")  # that one came to its end between two kills
            else:
                kills += 1
        assert server.train(runs[-1]) == 0
    for run in runs:
        assert_same(Run.open(run, lock=False), Run.open(tmp_path / "whole", lock=False))


def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    run = tmp_path / "stopped"
    flags = f"train leduc --simulations 100 --workers 2 --set games=8 --set evaluation.games=4 --json --run {run}"
    command = [sys.executable, "-m", "forethought", *flags.split()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (line := process.stderr.readline()).startswith("iteration    2"):
        assert line, "it ended before its second iteration"
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "`forethought resume stopped` goes on" in said
    assert "Traceback" not in said
    assert shown.startswith('{"run": ')
    assert Run.open(run).newest_checkpoint().iteration >= 2


def test_networks_of_all_iterations_are_kept(whole: Run) -> None:
    game = ft.load(whole.configuration.game)
    nets = [load_network(whole.weights_file(iteration), game) for iteration in range(1, 5)]
    assert {type(net) for net in nets} == {Tower if game.board else Mlp}
    name = "input.weight" if game.board else "weight0"
    first = {load_file(whole.weights_file(iteration))[name].tobytes() for iteration in range(1, 5)}
    assert len(first) == 4 if game.hidden else 1 < len(first) <= 4  # the gate has let some of them pass
