"""Runs as the page shows them, while they train and after; damaged ones, foreign ones, and those of one's own file."""

from dataclasses import asdict
from pathlib import Path

import httpx
import numpy as np
import pytest

from forethought.games import load
from forethought.learn.configuration import Configuration, ExitOosConfiguration, TspgConfiguration
from forethought.learn.events import ITERATION, IterationReport
from forethought.learn.run import Run
from forethought.patterns.model import OBJECTIVES, PatternModel, save_model
from forethought.patterns.text import from_text
from forethought.runs import WEIGHTS, numbered
from forethought.serve import schemas
from forethought.serve.services import Settings
from tests.learn.writer import rows_of
from tests.serve.running_server import Stream, asking, opened

CHECK_BET_FOLD = [0, 1, 0, 1, 0]  # of Kuhn: two cards, then check, bet, fold


def report(run: Run, iteration: int, nashconv: float | None) -> None:
    told = IterationReport(iteration, 2, 9, 100, 3.0, 2.0, 50.0, 1.5, 0.3, 0.9, 9, nashconv, 0.5, 0.4, 0.6)
    run.report(ITERATION, **asdict(told))


def made(home: Path, name: str, game: str = "kuhn") -> Run:
    """Make a run with two iterations, one of them with games, still held as if it trained."""
    configuration: Configuration = ExitOosConfiguration(game, 1)
    run = Run.create(home / name, configuration)
    for index in range(2):
        about = {"actions": CHECK_BET_FOLD, "returns": [-1.0, 1.0], "walks": 5}
        run.save_game(1, index, rows_of(1, index), about)
    run.close_iteration(1)
    report(run, 1, 0.9)
    report(run, 2, None)
    return run


def test_where_there_is_none_nothing_is_listed() -> None:
    with asking() as client:
        assert client.get("/api/runs").json() == []
        assert client.get("/api/runs/nothing").status_code == 404
        assert client.get("/api/runs/nothing/events").status_code == 404
        assert client.get("/api/ladder").json() == {"games": []}


def test_a_run_is_told_with_settings_curves_and_games(home: Path) -> None:
    made(home, "first").close()
    with asking() as client:
        [line] = client.get("/api/runs").json()
        assert {key: line[key] for key in ("name", "game", "algorithm", "iterations", "training")} == {
            "name": "first",
            "game": "kuhn",
            "algorithm": "exit-oos",
            "iterations": 2,
            "training": False,
        }
        assert "NashConv 0.9" in line["sentence"]
        told = client.get("/api/runs/first").json()
        schemas.RunWithSettings.model_validate(told, strict=True)
        assert told["curves"]["iteration"] == [1, 2]
        assert told["curves"]["nashconv"] == [0.9, None]
        assert told["curves"]["win_rate_high"] == [0.6, 0.6]
        assert told["settings"]["game"] == {"value": "kuhn", "about": "the game's spec"}
        assert told["settings"]["search.simulations"]["value"] == ExitOosConfiguration("kuhn", 1).search.simulations
        assert [(one["iteration"], one["index"], one["plies"]) for one in told["games"]] == [(1, 0, 5), (1, 1, 5)]


def test_a_game_of_self_play_is_shown_whole(home: Path) -> None:
    made(home, "first").close()
    with asking() as client:
        shown = client.get("/api/runs/first/games/1/1").json()["positions"]
        assert [one["ply"] for one in shown] == list(range(6))
        assert shown[3]["last"] == CHECK_BET_FOLD[2]
        assert "?" not in shown[-1]["text"]
        for path in ("first/games/2/0", "first/games/1/2", "nothing/games/1/0"):
            assert client.get(f"/api/runs/{path}").status_code == 404


def test_a_curve_grows_while_it_trains(home: Path) -> None:
    with made(home, "live") as run, asking() as client, Stream(str(client.base_url), "/api/runs/live/events") as stream:
        first = stream.wait("run", lambda told: told["training"])
        assert first["curves"]["iteration"] == [1, 2]
        assert "settings" not in first
        report(run, 3, 0.5)
        later = stream.wait("run", lambda told: told["iterations"] == 3)
        assert later["curves"]["nashconv"] == [0.9, None, 0.5]
        run.close()
        stream.wait("run", lambda told: not told["training"])


def test_a_damaged_run_says_so_and_hides_no_other(home: Path) -> None:
    made(home, "good").close()
    (home / "odd").mkdir()
    (home / "odd" / "configuration.toml").write_text("what = 1")
    with asking() as client:
        good, odd = client.get("/api/runs").json()
        assert (good["name"], odd["name"]) == ("good", "odd")
        assert "what" in odd["sentence"]
        assert client.get("/api/runs/odd").status_code == 400


@pytest.mark.parametrize("name", ["..", ".tables", "../runs/first", "%2e%2e", "first/../first"])
def test_a_run_is_found_by_its_name_only(home: Path, name: str) -> None:
    made(home, "first").close()
    with asking() as client:
        path = name.replace("/", "%2f")
        assert client.get(f"/api/runs/{path}/games/1/0").status_code == 404
        answer = client.post("/api/tables", json={"game": "kuhn", "seats": ["human", f"net:{name}"]})
        assert answer.status_code == 400


def test_a_game_of_a_file_is_shown_only_where_the_file_was_given(home: Path) -> None:
    file = "tests/userfiles/take_away.py"
    made(home, "own", file).close()
    with asking() as client:
        answer = client.get("/api/runs/own/games/1/0")
        assert answer.status_code == 409
        assert "forethought serve FILE" in answer.json()["detail"]
    with asking(Settings(file=file)) as client:
        assert (
            len(client.get("/api/runs/own/games/1/0").json()["positions"]) == len(CHECK_BET_FOLD) + 1
        )  # legal there, too


def test_runs_of_a_game_are_offered_as_players(home: Path) -> None:
    made(home, "first").close()
    (home / "first" / "weights").mkdir()
    (home / "first" / "weights" / "000002.safetensors").touch()
    with asking() as client:
        offered = {game: _specs(client, game) for game in ("kuhn", "leduc")}
    assert offered["kuhn"][-1] == "net:first"
    assert "net:first" not in offered["leduc"]


def test_a_run_of_patterns_can_take_a_seat(home: Path) -> None:
    Run.create(home / "three", TspgConfiguration("tic_tac_toe", 1)).close()
    patterns = ((from_text("to"),), (from_text("to f@1,0"),))
    model = PatternModel(patterns, dict.fromkeys(OBJECTIVES, (np.ones(1), np.ones(1))))
    save_model(numbered(home / "three" / WEIGHTS, 1), model, load("tic_tac_toe"))
    with asking() as client:
        last = client.get("/api/players", params={"game": "tic_tac_toe"}).json()[-1]
        assert (last["kind"], last["spec"]) == ("biased", "biased(run=three,simulations=1600)")
        assert opened(client, "tic_tac_toe", "human", last["spec"])["seats"][1] == last["spec"]
        assert opened(client, "tic_tac_toe", "linear:three", "human")["ply"] == 1


def test_an_old_run_of_a_game_that_is_no_more_hides_no_other(home: Path) -> None:
    made(home, "old", "hex(sides=5)").close()
    made(home, "older", "ludo").close()
    with asking() as client:
        assert _specs(client, "leduc")[0] == "oos:10000"
        assert [line["name"] for line in client.get("/api/runs").json()] == ["old", "older"]


def _specs(client: httpx.Client, game: str) -> list[str]:
    return [one["spec"] for one in client.get("/api/players", params={"game": game}).json()]
