"""`forethought solve` and `exploit`, as a user types them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import forethought as ft
from forethought.solve.policies import load_policy
from tests.cli.processes import Run


def test_a_game_is_solved_saved_and_played(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.policy"
    solved = json.loads(run("solve", "kuhn", "--iterations", "300", "--save", str(file), "--json").out)
    assert solved["kind"] == "exact"
    assert solved["exploitability"] == pytest.approx(solved["nashconv"] / 2)
    assert solved["exploitability"] < 1e-3
    assert solved["value"] == pytest.approx(-1 / 18, abs=2e-3)
    assert (solved["infosets"], solved["iterations"]) == (12, 300)
    found = json.loads(run("exploit", "kuhn", f"policy:{file}", "--json").out)
    assert found["exploitability"] == pytest.approx(solved["exploitability"], abs=1e-12)
    assert "you:" in run("play", "kuhn", "--seed", "1", "--against", f"policy:{file}", answers="bet\nbet\n").out


def test_directories_that_it_makes_are_told(run: Run, tmp_path: Path) -> None:
    file, picture = tmp_path / "new" / "kuhn.policy", tmp_path / "kuhn.png"
    done = run("solve", "kuhn", "--iterations", "2", "--save", str(file), "--plot", str(picture))
    assert f"made            the directory {file.parent}\n" in done.err
    assert str(picture.parent) + "\n" not in done.err
    refused = run("solve", "kuhn", "--save", str(tmp_path))
    assert refused.err == f"error: The policy {tmp_path} cannot be written; name a file in a directory that is yours.\n"


def test_it_stops_at_the_exploitability_asked_for_and_draws_the_way_there(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "curve.png"
    done = run("solve", "kuhn", "--exploitability", "0.01", "--plot", str(picture), "--json")
    solved = json.loads(done.out)
    assert solved["exploitability"] <= 0.01
    assert all(point["exploitability"] > 0.01 for point in solved["curve"][:-1])
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "algorithm", ["cfr", "cfr+", "linear", "dcfr", "pcfr+", "mmd", "mccfr-outcome", "mccfr-external"]
)
def test_every_algorithm_runs_and_says_so(run: Run, algorithm: str) -> None:
    done = run("solve", "kuhn", "--algorithm", algorithm, "--iterations", "2000")
    assert done.code == 0, done.err
    assert f"kuhn, {algorithm}, 12 information sets" in done.out
    assert "exact; NashConv" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("solve", "kuhn", "--algorithm", "cfrr"),
            "There is no algorithm 'cfrr'; did you mean cfr? known are cfr, cfr+",
        ),
        (("solve", "kuhn", "--temperature", "0.1"), "cfr+ has no temperature; mmd finds quantal-response equilibria."),
        (("solve", "kuhn", "--algorithm", "mmd", "--temperature", "0"), "A temperature must be above 0, not 0"),
        (("solve", "goofspiel(cards=13)"), "too large to unroll: about 1.5e+20 nodes"),
        (
            ("exploit", "kuhn", "policy:nowhere"),
            "There is no policy 'nowhere'; `forethought solve GAME --save FILE` makes one.",
        ),
        (
            ("exploit", "kuhn", "polcy:x"),
            "There is no player 'polcy'; did you mean policy? Players are alphabeta, alphago, az, ",
        ),
    ],
)
def test_a_mistake_is_a_sentence(run: Run, arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_exploit_says_exact_and_which_number_it_is(run: Run) -> None:
    shown = run("exploit", "leduc", "random").out
    assert "exact, by tree" in shown
    assert "exploitability  = 2.37361  (NashConv / players)" in shown
    assert "NashConv        = 4.74722" in shown
    assert "player 0        value -0.078125, best response +2.0875, gain 2.16562" in shown
    assert "player 1        value +0.078125" in shown


def test_exploit_says_at_least_where_only_a_bound_can_be_had(run: Run) -> None:
    arguments = ("exploit", "goofspiel(cards=8)", "random", "--max-nodes", "1000", "--response", "search:500")
    done = run(*arguments, "--games", "200", "--json")
    answer = json.loads(done.out)
    assert (answer["kind"], answer["method"]) == ("at least", "learned response, search(games=500)")
    assert answer["nashconv"] == answer["response_low"] < answer["response_mean"] < answer["response_high"]
    assert answer["nashconv"] > 0
    assert ">=" in run(*arguments, "--games", "200").out


def read_screen(screen: int) -> str:
    """Return what a process writes to its terminal; nothing when it has ended."""
    try:
        return os.read(screen, 4096).decode(errors="replace")
    except OSError:
        return ""


def test_ctrl_c_keeps_what_was_reached(tmp_path: Path) -> None:
    file = tmp_path / "leduc.policy"
    command = [sys.executable, "-m", "forethought", "solve", "leduc", "--exploitability", "1e-12", "--save", str(file)]
    screen, terminal = os.openpty()  # the progress bar is for people only
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    solving = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, env=environment, text=True)
    os.close(terminal)
    seen, pressed = "", False
    while part := read_screen(screen):
        seen += part
        if not pressed and "iterations, exploitability" in seen:
            solving.send_signal(signal.SIGINT)
            pressed = True
    shown, _ = solving.communicate()
    os.close(screen)
    assert "exploitability" in shown, seen
    assert solving.returncode == 0
    assert load_policy(file, ft.load("leduc")).about["exploitability"] > 0.0
