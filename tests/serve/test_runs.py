"""Runs as the page shows them, while they train and after; damaged ones, foreign ones, and those of one's own file."""

import json
from pathlib import Path

import httpx
import numpy as np
import pytest

from forethought.games import load
from forethought.learn.algorithms.exit_oos import ExitOosConfiguration
from forethought.learn.algorithms.tspg import TspgConfiguration
from forethought.learn.metrics import Metric
from forethought.learn.run import Run
from forethought.learn.samples import no_samples
from forethought.patterns.model import OBJECTIVES, PatternModel, save_model
from forethought.patterns.text import from_text
from forethought.runs import WEIGHTS, numbered
from forethought.serve.run_metrics import ordered
from forethought.serve.schemas.watch import MetricSchema, RunDetailsSchema, RunSchema
from forethought.serve.settings import ServerSettings
from tests.serve.running_server import Stream, asking, opened
from tests.serve.stored_runs import CHECK_BET_FOLD, make_run, report


def test_where_there_is_none_nothing_is_listed() -> None:
    with asking() as client:
        assert client.get("/api/runs").json() == []
        assert client.get("/api/runs/nothing").status_code == 404
        assert client.get("/api/runs/nothing/events").status_code == 404
        assert client.get("/api/ladder").json() == {"games": []}


def test_a_run_is_described_with_settings_metrics_and_games(home: Path) -> None:
    make_run(home / "first").close()
    with asking() as client:
        [line] = client.get("/api/runs").json()
        assert {key: line[key] for key in ("name", "game", "algorithm", "iterations", "training")} == {
            "name": "first",
            "game": "kuhn",
            "algorithm": "exit-oos",
            "iterations": 2,
            "training": False,
        }
        assert "NashConv 0.9" in line["verdict"]
        told = client.get("/api/runs/first").json()
        RunDetailsSchema.model_validate_json(json.dumps(told))
        metrics = {metric["name"]: metric for metric in told["metrics"]}
        assert list(metrics)[:4] == ["nashconv", "win_rate", "loss", "entropy"]  # no network with values, no value loss
        assert metrics["nashconv"]["points"] == [[1, 0.9]]
        assert metrics["win_rate"]["points"] == [[1, 0.5], [2, 0.5]]
        assert (metrics["win_rate"]["low"], metrics["win_rate"]["high"]) == ([0.4, 0.4], [0.6, 0.6])
        assert metrics["simulations_per_second"]["unit"] == "simulations/s"
        assert metrics["loss"]["low"] is None
        assert told["settings"]["game"] == {"value": "kuhn", "about": "the game"}
        assert (
            told["settings"]["search.simulations"]["value"]
            == ExitOosConfiguration(game="kuhn", seed=1).search.simulations
        )
        assert [(one["iteration"], one["index"], one["plies"]) for one in told["games"]] == [(1, 0, 5), (1, 1, 5)]


def test_metrics_are_shown_in_a_fixed_order_with_unknown_ones_by_name() -> None:
    names = ["zeta", "entropy", "nashconv", "alpha", "loss", "win_rate"]
    metrics = [MetricSchema(name=name, title=name, unit="", points=[(1, 0.0)], seconds=[1.0]) for name in names]
    assert [one.name for one in ordered(metrics)] == ["nashconv", "win_rate", "loss", "entropy", "alpha", "zeta"]


def test_what_games_pay_comes_before_wins_and_the_opponent_is_named(home: Path) -> None:
    with make_run(home / "paid") as run:
        report(run, 3, win_rate=0.5, mean_return=0.8, mean_return_low=0.7, mean_return_high=0.9)
    with asking() as client:
        metrics = {one["name"]: one for one in client.get("/api/runs/paid").json()["metrics"]}
    assert list(metrics)[:3] == ["nashconv", "mean_return", "win_rate"]
    assert metrics["mean_return"]["title"] == "Mean return against random"
    assert metrics["mean_return"]["unit"] == "per game"
    assert (metrics["mean_return"]["low"], metrics["mean_return"]["high"]) == ([0.7], [0.9])
    assert metrics["win_rate"]["title"] == "Win rate against random"


def test_whatever_a_learner_reports_is_a_metric(home: Path) -> None:
    with make_run(home / "odd") as run:
        run.describe_metrics([Metric("surprise", "How odd it was", "bits", interval=True), Metric("never", "Never")])
        report(run, 3, surprise=0.0, surprise_low=-1.0)
        report(run, 4, surprise=2.5)
    with asking() as client:
        metrics = {one["name"]: one for one in client.get("/api/runs/odd").json()["metrics"]}
    assert metrics["surprise"] == {
        "name": "surprise",
        "title": "How odd it was",
        "unit": "bits",
        "points": [[3, 0.0], [4, 2.5]],
        "seconds": [0.0, 0.0],
        "low": [-1.0, None],
        "high": [None, None],
    }
    assert "never" not in metrics


def test_a_game_of_self_play_is_shown_whole(home: Path) -> None:
    make_run(home / "first").close()
    with asking() as client:
        shown = client.get("/api/runs/first/games/1/1").json()["positions"]
        assert [one["ply"] for one in shown] == list(range(6))
        assert shown[3]["last"] == CHECK_BET_FOLD[2]
        assert "?" not in shown[-1]["text"]
        for path in ("first/games/2/0", "first/games/1/2", "nothing/games/1/0"):
            assert client.get(f"/api/runs/{path}").status_code == 404


def test_a_curve_grows_while_it_trains(home: Path) -> None:
    with (
        make_run(home / "live") as run,
        asking() as client,
        Stream(str(client.base_url), "/api/runs/live/events") as stream,
    ):
        first = stream.wait("run", lambda told: told["training"])
        assert first["metrics"][0]["points"] == [[1, 0.9]]
        RunSchema.model_validate_json(json.dumps(first))
        report(run, 3, nashconv=0.5)
        later = stream.wait("run", lambda told: told["iterations"] == 3)
        assert later["metrics"][0]["points"] == [[1, 0.9], [3, 0.5]]
        run.close()
        stream.wait("run", lambda told: not told["training"])


def test_a_damaged_run_says_so_and_hides_no_other(home: Path) -> None:
    make_run(home / "good").close()
    (home / "odd").mkdir()
    (home / "odd" / "configuration.toml").write_text("what = 1")
    with asking() as client:
        good, odd = client.get("/api/runs").json()
        assert (good["name"], odd["name"]) == ("good", "odd")
        assert "needs a value for 'game'" in odd["verdict"]
        assert client.get("/api/runs/odd").status_code == 400


@pytest.mark.parametrize("name", ["..", ".sessions", "../runs/first", "%2e%2e", "first/../first"])
def test_a_run_is_found_by_its_name_only(home: Path, name: str) -> None:
    make_run(home / "first").close()
    with asking() as client:
        path = name.replace("/", "%2f")
        assert client.get(f"/api/runs/{path}/games/1/0").status_code == 404
        answer = client.post("/api/sessions", json={"game": "kuhn", "seats": ["human", f"net:{name}"]})
        assert answer.status_code == 400


def test_a_game_of_a_file_is_shown_only_where_the_file_was_given(home: Path) -> None:
    file = "tests/userfiles/take_away.py"
    make_run(home / "own", file).close()
    with asking() as client:
        answer = client.get("/api/runs/own/games/1/0")
        assert answer.status_code == 409
        assert "forethought serve FILE" in answer.json()["detail"]
    with asking(ServerSettings(file=file)) as client:
        assert (
            len(client.get("/api/runs/own/games/1/0").json()["positions"]) == len(CHECK_BET_FOLD) + 1
        )  # legal there, too


def test_runs_of_a_game_are_offered_as_players(home: Path) -> None:
    make_run(home / "first").close()
    (home / "first" / "weights").mkdir()
    (home / "first" / "weights" / "000002.safetensors").touch()
    with asking() as client:
        offered = {game: _specs(client, game) for game in ("kuhn", "leduc")}
    assert offered["kuhn"][-1] == "net(run=first)"
    assert "net(run=first)" not in offered["leduc"]


def test_a_run_of_patterns_can_take_a_seat(home: Path) -> None:
    Run.create(home / "three", TspgConfiguration(game="tic_tac_toe", seed=1)).close()
    patterns = ((from_text("to"),), (from_text("to f@1,0"),))
    model = PatternModel(patterns, dict.fromkeys(OBJECTIVES, (np.ones(1), np.ones(1))))
    save_model(numbered(home / "three" / WEIGHTS, 1), model, load("tic_tac_toe"))
    with asking() as client:
        last = client.get("/api/players", params={"game": "tic_tac_toe"}).json()[-1]
        assert (last["kind"], last["spec"]) == ("biased", "biased(run=three)")
        assert opened(client, "tic_tac_toe", "human", last["spec"])["seats"][1] == last["spec"]
        assert opened(client, "tic_tac_toe", "linear:three", "human")["ply"] == 1


def test_an_old_run_of_a_game_that_is_no_more_hides_no_other(home: Path) -> None:
    make_run(home / "old", "hex(sides=5)").close()
    make_run(home / "older", "ludo").close()
    with asking() as client:
        assert _specs(client, "leduc")[0] == "oos"
        assert [line["name"] for line in client.get("/api/runs").json()] == ["old", "older"]


def _specs(client: httpx.Client, game: str) -> list[str]:
    return [one["spec"] for one in client.get("/api/players", params={"game": game}).json()]


def test_games_of_the_iteration_that_runs_are_shown_as_they_are_played(home: Path) -> None:
    about = {"actions": CHECK_BET_FOLD, "returns": [-1.0, 1.0], "simulations": 5}
    with make_run(home / "live") as run, asking() as client:
        report(run, 3, seconds=2.0)
        run.save_game(4, 0, no_samples(3, 3), about)
        told = client.get("/api/runs/live").json()
        assert told["games"][-1] == {"iteration": 4, "index": 0, "plies": 5, "returns": [-1.0, 1.0]}
        assert told["progress"]["iteration"] == 4
        assert (told["progress"]["finished"], told["progress"]["games"]) == (1, run.configuration.games)
        run.save_game(4, 1, no_samples(3, 3), about)
        assert client.get("/api/runs/live").json()["progress"]["finished"] == 2
        assert len(client.get("/api/runs/live/games/4/1").json()["positions"]) == 6
        assert client.get("/api/runs/live/games/4/2").status_code == 404
        assert client.get("/api/runs/live/games/5/0").status_code == 404
    with asking() as client:
        assert client.get("/api/runs/live").json()["progress"] is None


def test_time_counts_training_only_and_what_is_left_is_told_once_it_is_known(home: Path) -> None:
    with make_run(home / "timed") as run, asking() as client:
        for iteration in (3, 4, 5, 6):
            report(run, iteration, seconds=2.0)
        told = client.get("/api/runs/timed").json()
        loss = next(one for one in told["metrics"] if one["name"] == "loss")
        assert loss["seconds"] == [0.0, 0.0, 2.0, 4.0, 6.0, 8.0]
        assert told["progress"]["seconds_left"] == 2.0 * (told["wanted"] - 6)
