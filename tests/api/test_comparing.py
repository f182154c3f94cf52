"""Time to strength: who is measured how, in what order of checkpoints, and that the same call goes on."""

import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import forethought as ft
from forethought.api.comparing import UNMEASURED, Comparison, at_budgets, learner_plan, spread_out
from forethought.errors import ForethoughtError
from forethought.evaluate.decision_time import seconds_per_decision
from forethought.games import load
from forethought.player import find_player

TINY = "exit-oos(games=1,search.simulations=10,learning.steps=1,learning.hidden=8,evaluation.games=2,iterations=3)"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    return tmp_path


def compared(place: Path, **given: Any) -> Comparison:
    asked: dict[str, Any] = {"players": ["oos", "random"], "learners": [TINY], "budgets": [10, 20], "minutes": 5}
    return ft.compare("kuhn", output=place / "picture.svg", **{**asked, **given})


def test_points_are_what_the_library_measures(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = compared(place)
    assert (found.strength, found.measured) == ("nashconv", "NashConv")
    assert [(one.name, [point.label for point in one.points]) for one in found.planners] == [
        ("oos", ["10 simulations", "20 simulations"]),
        ("random", ["as it is"]),
    ]
    strengths = [ft.exploitability("kuhn", player).nashconv for player in ("oos:10", "oos:20", "random")]
    assert [point.strength for one in found.planners for point in one.points] == strengths
    (learned,) = found.learners
    assert learned.name == TINY
    assert [point.label for point in learned.points] == ["iteration 1", "iteration 2", "iteration 3"]
    (run,) = [ft.open_run(one.run) for one in ft.runs()]
    assert learned.points[-1].strength == pytest.approx(run.newest("nashconv"), rel=1e-6)
    assert learned.points[-1].seconds == pytest.approx(run.metrics["seconds"].sum())
    assert [len(row) for row in found.rows] == [len(found.columns)] * 6
    ET.fromstring(found.picture.read_bytes())  # noqa: S314 (our own file)
    assert "oos" in found._repr_html_()

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("it was done again")

    monkeypatch.setattr("forethought.api.strength_measures.exploitability", refused)
    monkeypatch.setattr("forethought.api.strength_measures.seconds_per_decision", refused)
    monkeypatch.setattr("forethought.api.sweeps.train", refused)
    assert compared(place) == found
    scored = compared(place, strength="score", against="random", games=8, learners=[])
    assert scored.measured == "score against random"
    assert scored.planners[0].points[0].strength == ft.match("kuhn", "oos:10", "random", games=8).win_rate


def test_budgets_are_for_searches_that_name_none() -> None:
    assert [one.label for one in at_budgets(find_player("ismcts"), (5, 1000))] == [
        "5 simulations",
        "1,000 simulations",
    ]
    assert at_budgets(find_player("oos:50"), (5, 10)) == [("oos(simulations=50)", "as it is", find_player("oos:50"))]
    assert at_budgets(find_player("random"), (5, 10)) == [("random", "as it is", find_player("random"))]


@pytest.mark.parametrize(
    ("iterations", "chosen"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([*range(1, 33)], [1, 2, 4, 8, 16, 32]),
        ([3, 4, 5, 6, 7, 8, 9], [3, 4, 5, 6, 7, 9]),
    ],
)
def test_checkpoints_are_about_equally_many_times_apart(iterations: list[int], chosen: list[int]) -> None:
    assert spread_out(iterations, 6) == chosen


def test_a_learner_is_named_with_its_settings() -> None:
    plan = learner_plan("mmd(learning.rate=0.001)", "kuhn", 2.5, 7)
    assert plan.settings == {"algorithm": "mmd", "minutes": 2.5, "learning.rate": "0.001"} | UNMEASURED
    assert plan.seeds == (7,)
    assert plan.file_name != learner_plan("mmd", "kuhn", 2.5, 7).file_name


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": [], "learners": []}, "There is nobody to compare; name players or learners."),
        ({"learners": ["mm"]}, "There is no algorithm 'mm'; did you mean mmd?"),
        ({"learners": ["mmd(learning.rat=1)"]}, "mmd has no parameter 'learning.rat'"),
        ({"learners": ["alphazero"]}, "alphazero does not suit kuhn."),
        ({"players": ["os"]}, "There is no player 'os'"),
        ({"minutes": 0.0}, "minutes must be above 0, not 0."),
        ({"strength": "elo"}, "There is no strength 'elo'; strengths are nashconv, score."),
    ],
)
def test_mistakes_are_one_sentence(given: dict[str, Any], message: str, place: Path) -> None:
    with pytest.raises(ForethoughtError) as refusal:
        compared(place, **given)
    assert message in str(refusal.value)
    assert not list(place.glob("compare*"))


def test_each_decision_but_the_first_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 100.0, *(0.25 * tick * tick for tick in range(1000))])  # the first decision compiles
    clock = SimpleNamespace(perf_counter=lambda: next(ticks))
    monkeypatch.setattr("forethought.evaluate.decision_time.time", clock)
    assert seconds_per_decision(load("kuhn"), find_player("random"), decisions=2) == 0.25 * ((1 - 0) + (9 - 4)) / 2


def test_a_game_without_decisions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forethought.evaluate.decision_time.GAMES", 1)
    with pytest.raises(ForethoughtError, match="in 1 random games there were fewer than 20 decisions"):
        seconds_per_decision(load("kuhn"), find_player("random"))
