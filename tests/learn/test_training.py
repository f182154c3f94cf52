"""Trainings: they learn, they repeat themselves exactly, and no end is sudden enough to change where they come to."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import forethought as ft
from forethought.learn.metrics import COMMON
from forethought.learn.run import Run
from forethought.nets.backends import load_evaluator
from forethought.nets.evaluator import policy_of
from forethought.nets.mlp import Mlp
from forethought.nets.tower import Tower
from forethought.runs import numbered
from forethought.runtime.executor import ExecutorState
from forethought.runtime.threads import Threads
from tests.learn.killing import Trainings
from tests.learn.server import Fault
from tests.learn.trainings import advanced, assert_same, finished, new_run, outcome, stopped_at
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
SETTINGS: dict[str, dict[str, Any]] = {
    "leduc": SMALL | {"algorithm": "exit-oos", "play.extra_samples": 5},
    "tic_tac_toe": SMALL
    | {
        "algorithm": "alphazero",
        "search.simulations": 20,
        "network.kind": "tower",
        "network.blocks": 1,
        "network.filters": 8,
        "learning.batch": 32,
        "learning.threads": 1,
        "play.parallel_games": 2,
        "learning.symmetries": True,
        "gate.games": 4,  # so little that some networks are refused
    },
}
PLACES = ((1, 2), (2, 4), (3, 2), (3, 6), (4, 2))  # games of iterations


def small_run(directory: Path, game: str = "leduc", seed: int = 3, **settings: Any) -> Run:
    return new_run(directory, game, seed, **(SETTINGS[game] | settings))


@pytest.fixture(scope="module", params=[*SETTINGS])
def whole(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Run:
    """A training that nothing disturbed: by ExIt-OOS, and by AlphaGo Zero with a tower."""
    run = small_run(tmp_path_factory.mktemp("runs") / "whole", request.param)
    finished(run)
    return run


@pytest.fixture(scope="module")
def stopped(whole: Run) -> dict[tuple[int, int], Path]:
    """The same training as it was at several instants of iterations; at the last, Ctrl-C was pressed."""
    return stopped_at(small_run(whole.directory.with_name("stopped"), whole.configuration.game), *PLACES)


@pytest.mark.slow
def test_a_game_of_two_arms_is_learnt(tmp_path: Path) -> None:
    """Both players must choose left three times in four, which neither the first network nor a greedy one does."""
    spec = "tests/userfiles/two_arms.py"
    settings = {"iterations": 8, "games": 16, "search.simulations": 1000, "learning.steps": 64, "memory.capacity": 1000}
    run = new_run(tmp_path / "arms", spec, **(SETTINGS["leduc"] | settings))
    nashconv = finished(run)[-1].get("nashconv")
    net = load_evaluator(run.weights_file(8), ft.load(spec))
    for seat in (0, 1):
        assert policy_of(net, (seat,), (0, 1))[0] == pytest.approx(ANSWER, abs=0.1)
    assert nashconv is not None
    assert 0.0 <= nashconv < 0.1


@pytest.mark.quick_cases(1)
def test_same_seed_same_weights_and_another_seed_others(whole: Run, tmp_path: Path) -> None:
    game = whole.configuration.game
    again, other = small_run(tmp_path / "again", game), small_run(tmp_path / "other", game, seed=4)
    finished(again)
    finished(other)
    assert_same(again, whole)
    assert not np.array_equal(outcome(other)[-1], outcome(whole)[-1])


@pytest.mark.quick_cases(1)
def test_two_workers_play_the_same_games_as_one(whole: Run, tmp_path: Path) -> None:
    run = small_run(tmp_path / "two", whole.configuration.game, workers=2)
    finished(run)
    assert_same(run, whole)


def test_what_is_reported(whole: Run) -> None:
    reports = whole.reports()
    assert [report.iteration for report in reports] == [1, 2, 3, 4]
    for report, (_, games) in zip(reports, whole.all_games(), strict=True):
        values = report.values
        assert len(games) == values["games"] == 6
        assert values["samples"] == sum(game.samples.rows for game in games)
        decisions = values["samples"] - 6 * getattr(whole.configuration.play, "extra_samples", 0)
        assert values["simulations"] == decisions * whole.configuration.search.simulations
        assert 0.0 < values["search_seconds"] < values["seconds"]
        assert values["loss"] > 0.0
        assert ("value_loss" in values) == (whole.configuration.algorithm == "alphazero")
    for name in ("win_rate", "win_rate_low", "win_rate_high", "nashconv"):
        assert [name in report.values for report in reports] == [True, False, False, True]  # first, last, every fifth
    rows = [report.values["remembered"] for report in reports]
    assert rows == sorted(rows)
    assert rows[-1] <= 10 * -(-reports[0].values["samples"] // 6) < sum(one.values["samples"] for one in reports)


def test_every_number_that_is_reported_is_described(whole: Run) -> None:
    metrics = whole.metrics()
    assert metrics[: len(COMMON)] == list(COMMON)
    known = {metric.name for metric in metrics}
    known |= {f"{metric.name}_{end}" for metric in metrics if metric.interval for end in ("low", "high")}
    reported = {name for report in whole.reports() for name in report.values}
    paid = set() if whole.configuration.game == "leduc" else {f"mean_return{end}" for end in ("", "_low", "_high")}
    assert reported == known - paid  # the other games are all about the same sum
    assert [event["kind"] for event in whole.events()].count("metrics") == 1


class LosingThreads(Threads):
    """Threads that say of themselves that they are a cluster, which loses a job after its second report."""

    reports = 0

    def state(self) -> ExecutorState:
        self.reports += 1
        return ExecutorState(nodes=2, cores=8, lost=int(self.reports > 2), processors=("znver4",))


def test_a_run_tells_on_which_machines_it_was_computed_whenever_that_changes(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    finished(run, LosingThreads(1))
    told = [event for event in run.events() if event["kind"] == "executor"]
    assert [(one["nodes"], one["cores"], one["lost"], one["processors"]) for one in told] == [
        (2, 8, 0, ["znver4"]),
        (2, 8, 1, ["znver4"]),
    ]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.quick_cases(2)
def test_going_on_is_never_having_stopped(
    whole: Run, stopped: dict[tuple[int, int], Path], tmp_path: Path, place: tuple[int, int]
) -> None:
    run = Run.open(shutil.copytree(stopped[place], tmp_path / "run"))
    assert [report.iteration for report in finished(run)] == list(range(place[0], 5))
    assert_same(run, whole)
    assert [event["kind"] for event in run.events()].count("metrics") == 1


@pytest.mark.quick_cases(1)
def test_stopping_between_iterations_and_having_nothing_left_to_do(whole: Run, tmp_path: Path) -> None:
    run = small_run(tmp_path / "stopped", whole.configuration.game)
    advanced(run, 1)
    assert len(finished(Run.open(run.directory))) == 3
    assert_same(run, whole)
    assert finished(Run.open(run.directory)) == []


def test_a_damaged_game_is_played_again(whole: Run, stopped: dict[tuple[int, int], Path], tmp_path: Path) -> None:
    directory = shutil.copytree(stopped[2, 4], tmp_path / "damaged")
    saved = sorted((directory / "games" / "000002").glob("*"))
    assert len(saved) >= 4
    saved[1].write_bytes(saved[1].read_bytes()[:-1])
    run = Run.open(directory)
    finished(run)
    assert any("This game is played again" in warning for warning in run.warnings)
    assert_same(run, whole)


def test_a_damaged_checkpoint_costs_an_iteration_of_learning(
    whole: Run, stopped: dict[tuple[int, int], Path], tmp_path: Path
) -> None:
    directory = shutil.copytree(stopped[4, 2], tmp_path / "damaged")
    newest = numbered(directory / "checkpoints", 3)
    content = bytearray(newest.read_bytes())
    content[-5] ^= 1
    newest.write_bytes(content)
    run = Run.open(directory)
    assert [report.iteration for report in finished(run)] == [3, 4]
    assert any("An earlier checkpoint is used" in warning for warning in run.warnings)
    assert_same(run, whole)


def test_no_iteration_begins_when_time_is_over(tmp_path: Path) -> None:
    assert len(finished(small_run(tmp_path / "short", minutes=1e-6))) == 1


def test_uniform_roll_outs_ask_no_network(tmp_path: Path) -> None:
    """All games are then the same whatever was learnt."""
    settings = SETTINGS["leduc"] | {"search.rollouts": "uniform", "search.prior": 0.0}
    runs = [
        new_run(tmp_path / rate, "kuhn", **settings, **{"learning.rate": float(rate)}) for rate in ("0.1", "0.0001")
    ]
    for run in runs:
        finished(run)
    quick, slow = ([game.about for _, games in run.all_games() for game in games] for run in runs)
    assert quick == slow


FAULTS = (
    Fault(r"configuration\.toml$", "os.rename"),  # it is no run yet, and is begun anew
    Fault(r"workspace/playing\.safetensors$", "os.rename"),
    Fault(r"games/000001/01\.safetensors$", "os.rename"),
    Fault(r"games/000001/03\.safetensors$", "os.rename"),
    Fault(r"games/000001\.safetensors$", "os.rename"),  # all games are played, and not merged
    Fault(r"checkpoints$", "os.mkdir"),  # what it has learnt is reported, and the state not kept
    Fault(r"games/000002$", "shutil.rmtree"),  # they are merged, and still there one by one
    Fault(r"weights/000002\.safetensors$", "os.rename"),  # it has learnt, and not kept it
    Fault(r"checkpoints/000003\.safetensors$", "os.rename"),
    Fault(r"checkpoints/000001\.safetensors$", "os.remove"),  # there is one checkpoint too many
)
OF_NETWORKS = (*FAULTS[1:3], *FAULTS[7:9], Fault(r"workspace/best\.safetensors$", "os.rename"))  # the last: a gate
COMMANDS = {
    "leduc": "--simulations 50 --set learning.steps=16",
    "tic_tac_toe": "--simulations 20 --set learning.steps=16 --set network.kind=tower --set network.blocks=1 "
    "--set network.filters=8 --set gate.games=4",
}


def trainings(home: Path, game: str, iterations: int) -> Trainings:
    flags = f"--iterations {iterations} --workers 1 --seed 3 --set games=6 --set evaluation.games=4 {COMMANDS[game]}"
    return Trainings(home, "train", game, *flags.split())


@pytest.mark.parametrize(
    ("game", "faults"), [("leduc", FAULTS), pytest.param("tic_tac_toe", OF_NETWORKS, marks=pytest.mark.slow)]
)
def test_killed_at_every_fault_it_ends_with_the_same_weights(
    tmp_path: Path, game: str, faults: tuple[Fault, ...]
) -> None:
    """By SIGKILL: before files are renamed into place, between merging and removing, before the oldest is removed."""
    with trainings(tmp_path, game, 5) as server:
        killed = server.killed_at(faults)
    assert_same(Run.open(killed, lock=False), Run.open(server.whole, lock=False))


@pytest.mark.slow
@pytest.mark.parametrize("game", COMMANDS)
def test_killed_twenty_times_it_ends_with_the_same_weights(tmp_path: Path, game: str) -> None:
    """By SIGKILL, at random instants: while games are played, saved or merged, while weights are learnt or written."""
    with trainings(tmp_path, game, 12) as server:
        runs = server.killed_at_random(kills=20, longest=1.2)
    for run in runs:
        assert_same(Run.open(run, lock=False), Run.open(server.whole, lock=False))


def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    run = tmp_path / "stopped"
    flags = f"train leduc --simulations 100 --workers 2 --set games=8 --set evaluation.games=4 --json --run {run}"
    command = [sys.executable, "-m", "forethought", *flags.split()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (line := process.stderr.readline()).startswith("iteration    2"):
        assert line, "it ended before its second iteration"
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate()
    assert process.returncode == 0
    assert f"`forethought resume {run}` goes on" in said
    assert "Traceback" not in said
    assert json.loads(shown)["interrupted"]
    assert Run.open(run).newest_checkpoint().iteration >= 2


def test_networks_of_all_iterations_are_kept(whole: Run) -> None:
    game = ft.load(whole.configuration.game)
    nets = [load_evaluator(whole.weights_file(iteration), game) for iteration in range(1, 5)]
    assert {type(net) for net in nets} == {Tower if game.board else Mlp}
    name = "input.weight" if game.board else "weight0"
    first = {load_file(whole.weights_file(iteration))[name].tobytes() for iteration in range(1, 5)}
    assert len(first) == 4 if game.hidden else 1 < len(first) <= 4  # the gate has let some of them pass
