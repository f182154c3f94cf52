"""`match` and `ladder` as a user types them, killed in the middle too."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.processes import Run

MATCH = ("match", "leduc", "random", "random", "--seed", "3")


def test_a_match_as_json_is_the_same_twice_and_for_any_number_of_workers(run: Run, tmp_path: Path) -> None:
    shown = [
        run(*MATCH, "--games", "200", "--json", "--workers", str(workers), "--store", str(tmp_path / name)).out
        for workers, name in ((1, "one"), (2, "two"), (2, "one"))
    ]
    assert shown[0] == shown[1] == shown[2]
    result = json.loads(shown[0])
    assert result["games"] == result["wins"] + result["draws"] + result["losses"] == 200
    assert result["win_rate"] == (result["wins"] + result["draws"] / 2) / 200
    assert result["win_rate_low"] < result["win_rate"] < result["win_rate_high"]
    assert result["mean_return_low"] < result["mean_return"] < result["mean_return_high"]
    assert [seat["games"] for seat in result["seats"]] == [100, 100]


KILLED_IN_THE_MIDDLE = """
import os, signal
from itertools import count
from forethought.cli import main
from forethought.evaluate.store import Store

append, rounds = Store.append, count(1)

def append_and_die(*arguments):
    append(*arguments)
    if next(rounds) == 100:
        os.kill(os.getpid(), signal.SIGKILL)

Store.append = append_and_die
main()
"""


def test_a_killed_match_goes_on_where_it_was(run: Run, tmp_path: Path) -> None:
    store, rounds = tmp_path / "killed.jsonl", 1_000
    arguments = ("match", "kuhn", "random", "random", "--games", str(2 * rounds), "--json", "--store")
    command = [sys.executable, "-c", KILLED_IN_THE_MIDDLE, *arguments, str(store)]
    killed = subprocess.run(command, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert 100 <= lines(store) < rounds
    resumed, whole = run(*arguments, str(store)), run(*arguments, str(tmp_path / "whole.jsonl"))
    assert resumed.out == whole.out != ""
    played = [json.loads(line)["round"] for line in store.read_text().splitlines() if line.endswith("}")]
    assert sorted(played) == list(range(rounds))  # each once


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def test_a_match_for_people_and_one_that_stops(run: Run, tmp_path: Path) -> None:
    shown = run("match", "kuhn", "random", "random", "--games", "100", "--store", str(tmp_path / "store")).out
    assert "A: random   B: random   seed 0" in shown
    assert "no significant difference" in shown or "is stronger" in shown
    stopped = run("match", "kuhn", "random", "random", "--stop", "--json", "--store", str(tmp_path / "store"))
    result = json.loads(stopped.out)
    assert result["stopped_early"]
    assert result["games"] < 5_000
    assert result["p_value"] is None


def test_fresh_plays_again(run: Run, tmp_path: Path) -> None:
    arguments = (*MATCH, "--games", "20", "--json", "--store", str(tmp_path / "store"))
    first, again = run(*arguments), run(*arguments, "--fresh")
    assert first.out == again.out
    assert lines(tmp_path / "store") == 20


def test_a_ladder_with_a_picture(run: Run, tmp_path: Path) -> None:
    arguments = ("ladder", "kuhn", "random", "random()", "--games", "200", "--store", str(tmp_path / "store"))
    done = run(*arguments, "--anchor", "random()", "--plot", str(tmp_path / "ladder.png"), "--json")
    ladder = json.loads(done.out)
    assert {one["player"] for one in ladder["standings"]} == {"random", "random()"}
    assert next(one for one in ladder["standings"] if one["player"] == "random()")["rating"] == 0
    assert ladder["matches"][0]["games"] == 200
    assert ladder["scale"] == "payoff"  # one or two chips are paid
    assert (tmp_path / "ladder.png").stat().st_size > 1_000
    assert "200 games per pair" in run(*arguments).out
    assert lines(tmp_path / "store") == 100


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("match", "kuhn", "random", "stockfish"), "error: There is no player 'stockfish'"),
        (("match", "kuhn", "random", "random", "--games", "1"), "error: A match needs 2 games or more"),
        (
            ("match", "kuhn", "random", "random", "--workers", "0"),
            "error: workers must be a whole number at least 1",
        ),
        (("match", "kuhn", "random", "random", "--store", "README.md/x"), "error: The store README.md/x cannot be"),
        (("ladder", "kuhn", "random", "random"), "error: The player 'random' is named twice"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(
    run: Run, arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    store = () if "--store" in arguments else ("--store", str(tmp_path / "store"))
    done = run(*arguments, *store)
    assert done.code == 2
    assert done.err.startswith(said)
    assert len(done.err.strip().splitlines()) == 1
    assert done.out == ""
