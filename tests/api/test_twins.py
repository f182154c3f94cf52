"""Every verb of the command line prints what a function returns: their JSON is the same."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

import httpx
import pytest

import forethought as ft
from forethought.bench import _REGISTRY
from forethought.bench.result import within_limit
from forethought.cli import VERBS, main
from forethought.results import as_data
from tests.evaluate.pattern_runs import ROW_OF_OTHERS, ROW_OF_OWN, make_run, model_of
from tests.reproduce.small import PAPERS

CLOCK = {"seconds", "simulations_per_second", "games_per_second", "search_seconds"}  # what no two runs have in common
TRAINED = {
    "iterations": 2,
    "seed": 3,
    "simulations": 20,
    "workers": 1,
    "settings": {"games": 2, "learning.steps": 4, "learning.hidden": "8", "evaluation.games": 4},
}
TRAINING = ["--iterations", "2", "--seed", "3", "--simulations", "20", "--workers", "1"]
SETTINGS = ["games=2", "learning.steps=4", "learning.hidden=8", "evaluation.games=4"]

Print = Callable[..., Any]

TWINS: dict[str, tuple[tuple[str, ...], Callable[[], object]]] = {
    "games": ((), ft.games),
    "players": ((), ft.players),
    "learners": (("alphazero",), lambda: ft.learners("alphazero")),
    "check": (
        ("kuhn", "--histories", "100", "--plies", "200", "--seconds", "1000"),
        lambda: ft.check("kuhn", histories=100, plies=200, seconds=1000),
    ),
    "play": (
        ("leduc", "--watch", "--against", "oos:50", "--games", "2", "--seed", "4"),
        lambda: ft.play_games("leduc", "oos:50", 2, seed=4),
    ),
    "think": (
        ("leduc", "--player", "oos:500", "--moves", "Ks, Qs, raise", "--seed", "1"),
        lambda: ft.think(ft.position("leduc", "Ks, Qs, raise", seed=1), "oos:500", seed=1),
    ),
    "solve": (
        ("kuhn", "--algorithm", "mccfr-external", "--iterations", "40", "--seed", "2"),
        lambda: ft.solve("kuhn", "mccfr-external", iterations=40, seed=2),
    ),
    "exploit": (
        ("kuhn", "oos:20", "--seed", "5", "--executor", "threads:1"),
        lambda: ft.exploitability("kuhn", "oos:20", seed=5, workers=2),
    ),
    "match": (
        ("kuhn", "oos:20", "random", "--games", "40", "--stop", "--margin", "0.2", "--workers", "1"),
        lambda: ft.match("kuhn", "oos:20", "random", games=40, stop=True, margin=0.2, executor="threads:2"),
    ),
    "ladder": (
        ("kuhn", "random", "oos:10", "oos:20", "--games", "20", "--anchor", "oos:10"),
        lambda: ft.ladder("kuhn", ["random", "oos:10", "oos:20"], games=20, anchor="oos:10"),
    ),
    "accuracy": (
        ("tic_tac_toe", "uct:10", "--positions", "20", "--seed", "1", "--to-plies", "6"),
        lambda: ft.accuracy("tic_tac_toe", "uct:10", positions=20, seed=1, to_plies=6),
    ),
    "study": (
        ("kuhn", "--games", "6", "--budgets", "4,8", "--seed", "2", "--workers", "1"),
        lambda: ft.study("kuhn", games=6, budgets=[4, 8], seed=2, workers=2),
    ),
    "cache": ((), ft.cache),
}
# These have tests of their own below.
ELSEWHERE = {"train", "resume", "sweep", "reproduce", "compare", "runs", "plot", "explain", "serve", "bench"}


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """What a verb prints as JSON, in a directory of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path / "runs"))

    def run(*arguments: str) -> Any:
        monkeypatch.setattr(sys, "argv", ["forethought", *arguments, "--json"])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        assert not end.value.code, shown.err
        return json.loads(shown.out)

    return run


def timeless(data: Any) -> Any:
    """Leave out what the clock says."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key not in CLOCK}
    return [timeless(one) for one in data] if isinstance(data, list) else data


def as_json(result: object) -> Any:
    return json.loads(json.dumps(as_data(result)))


def test_every_verb_has_a_twin() -> None:
    assert {verb.__name__ for verb in VERBS} == {*TWINS, *ELSEWHERE}


@pytest.mark.parametrize("verb", TWINS)
def test_a_verb_prints_what_its_function_returns(verb: str, printed: Print) -> None:
    arguments, function = TWINS[verb]
    shown, returned = printed(verb, *arguments), as_json(function())
    assert timeless(shown) == timeless(returned)
    assert shown


FUNCTIONS = {"play": ft.play_games, "exploit": ft.exploitability}  # of verbs that are not called as their function


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
def test_numbers_of_a_verb_have_the_defaults_of_its_function(verb: Callable[..., None]) -> None:
    typed = signature(verb).parameters
    called = signature(FUNCTIONS.get(verb.__name__) or getattr(ft, verb.__name__)).parameters
    common = {name for name in typed if name in called and isinstance(called[name].default, int | float)}
    assert {name: typed[name].default for name in common} == {name: called[name].default for name in common}


def test_training_and_going_on_with_it(printed: Print, tmp_path: Path) -> None:
    settings = [part for one in SETTINGS for part in ("--set", one)]
    reports: list[object] = []
    shown = printed("train", "kuhn", "--run", "typed", *TRAINING, *settings)
    called = ft.train("kuhn", run=tmp_path / "runs" / "called", callback=reports.append, **TRAINED)
    assert named(shown, "typed") == named(as_json(called), "called")
    assert [report.iteration for report in reports] == [1, 2]
    shown, called = printed("resume", "typed", "--iterations", "3"), ft.resume("called", iterations=3)
    assert named(shown, "typed") == named(as_json(called), "called")
    assert called.iterations == 3
    assert as_json(ft.runs()) == printed("runs")
    assert [one["run"] for one in printed("runs")] == ["called", "typed"]
    drawn = ft.plot(["typed", called], tmp_path / "drawn.svg")
    assert as_json(drawn) == printed("plot", "typed", "called", "--output", str(tmp_path / "drawn.svg"))
    assert (tmp_path / "drawn.svg").read_text().startswith("<?xml")


def test_sweeping(printed: Print, tmp_path: Path) -> None:
    text = 'game = "kuhn"\niterations = 1\nseeds = [1, 2]\n[settings]\ngames = 1\nsearch.simulations = 20\n'
    (tmp_path / "few.toml").write_text(text + "learning.steps = 1\n[[measure.match]]\ngames = 4\n")
    shown = printed("sweep", "few.toml", "--at-once", "2")
    assert shown == as_json(ft.sweep("few.toml"))
    assert shown["variants"][0]["runs"] == ["few-seed1", "few-seed2"]


def test_reproducing(printed: Print, tmp_path: Path) -> None:
    words = {"seeds": [1], "games": 2}
    typed = ("reproduce", "small", "table-1", "--papers", str(PAPERS), "--set", "seeds=[1]", "--set", "games=2")
    shown = printed(*typed, "--out", str(tmp_path / "pages"))
    assert shown == as_json(ft.reproduce("small", "table-1", papers=PAPERS, words=words, out=tmp_path / "again"))
    assert shown[0]["rows"][0]["name"] == "NashConv"
    pages = [(tmp_path / name / "small-table-1.md").read_text() for name in ("pages", "again")]
    assert pages[0] == pages[1]
    assert printed("reproduce", "--list") == as_json(ft.reproducible())


def test_comparing(printed: Print, tmp_path: Path) -> None:
    typed = ("compare", "kuhn", "--players", "oos", "--players", "random", "--budgets", "10", "--output", "drawn.svg")
    shown = printed(*typed)
    assert shown == as_json(ft.compare("kuhn", players=["oos", "random"], budgets=[10], output="drawn.svg"))
    assert [one["name"] for one in shown["planners"]] == ["oos", "random"]
    assert (tmp_path / "drawn.svg").is_file()


def named(run: dict[str, Any], name: str) -> Any:
    """Leave out what the run is called."""
    assert (run.pop("name"), Path(run.pop("directory")).name) == (name, name)
    return timeless(run)


def test_explaining(printed: Print, tmp_path: Path) -> None:
    model = model_of(("to", ROW_OF_OWN, ROW_OF_OTHERS), {"ce": [0.5, 1.0, 0.8], "tspg": [0.0, 2.0, 0.0]})
    make_run(tmp_path / "runs" / "ttt", "tic_tac_toe", {7: model})
    shown = printed("explain", "ttt", "--policy", "ce", "--top", "2", "--player", "1")
    assert shown == as_json(ft.explain("ttt", policy="ce", top=2, player=1))
    assert len(shown["players"][0]["strongest"]) == 2
    shown = printed("explain", "ttt", "--moves", "a1, a2, b1, b2")
    assert shown == as_json(ft.explain_moves("ttt", "a1, a2, b1, b2"))
    assert shown["actions"][0]["name"] == "c1"


def test_measuring_speed(printed: Print, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_REGISTRY, "quick:one", partial(within_limit, "quick:one", 1.0, 2.0))
    assert printed("bench", "quick") == as_json(ft.bench(["quick"])) == as_json(ft.bench("quick"))


@pytest.mark.parametrize(
    "command",
    [
        ["-m", "forethought", "serve", "leduc", "--port", "0"],
        ["-c", "import forethought as ft\nft.serve('leduc', port=0)"],
    ],
    ids=["typed", "called"],
)
@pytest.mark.quick_cases(1)
def test_serving(command: list[str], tmp_path: Path) -> None:
    environment = os.environ | {"FORETHOUGHT_RUNS": str(tmp_path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment}
    with subprocess.Popen([sys.executable, *command], **pipes) as server:
        address = re.match(r"(http://127\.0\.0\.1:\d+)/#play\?game=leduc\b", server.stdout.readline())
        assert address
        assert httpx.get(f"{address[1]}/api/games").status_code == 200
        server.send_signal(signal.SIGINT)
        server.wait()
