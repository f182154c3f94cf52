"""Studies of games whose answer is known exactly."""

import json
from pathlib import Path

import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.evaluate.studies.result import GameStudy

USERFILES = Path(__file__).parents[1] / "userfiles"
TAKE_AWAY = f"{USERFILES / 'take_away.py'}(players={{}},stones={{}})"
COIN_TOSS = str(USERFILES / "coin_toss.py")


def study(game: str, **chosen: object) -> GameStudy:
    return ft.study(game, **({"games": 24, "budgets": [4, 16]} | chosen))


def test_where_the_first_player_always_wins_it_is_said_so() -> None:
    found = study(TAKE_AWAY.format(2, 3))  # takes all three
    assert [seat.score.value for seat in found.seats] == [1.0, 0.0]
    assert [seat.mean_return.value for seat in found.seats] == [1.0, -1.0]
    assert found.seats[0].score.low > 0.7
    assert (found.draws.value, found.length.shortest, found.length.longest) == (0.0, 1, 1)
    assert (found.decisions.value, found.branching.value) == (1.0, 3.0)
    assert found.drama is not None
    assert (found.drama.comebacks.value, found.drama.drama.value, found.drama.settled.value) == (0.0, 0.0, 0.0)
    assert found.drama.lead_changes.value == 0.0
    assert found.findings[0].startswith("The first player is favoured: it scores 100% (")


def test_without_decisions_skill_decides_nothing() -> None:
    found = study(TAKE_AWAY.format(2, 1))
    assert (found.decisions.value, found.branching.value, found.drama) == (0.0, 1.0, None)
    assert [(step.win_rate.value, step.wins_more) for step in found.skill] == [(0.5, False), (0.5, False)]
    assert found.findings[1].startswith("More thinking does not win more")


def test_in_a_game_of_pure_luck_skill_decides_nothing_and_nobody_is_favoured() -> None:
    found = study(COIN_TOSS, games=200)
    assert [step.win_rate.value for step in found.skill] == [0.5, 0.5]  # the same toss, seats swapped
    assert not any(step.wins_more for step in found.skill)
    assert found.seats[0].score.low < 0.5 < found.seats[0].score.high
    assert found.findings[0].startswith("No seat is favoured")
    assert (found.branching.value, found.length.mean.value) == (2.0, 2.0)  # chance does not count


def test_where_thinking_helps_the_ladder_of_budgets_shows_it() -> None:
    found = study("tic_tac_toe", games=60, budgets=[2, 200])
    assert [(step.more, step.less) for step in found.skill] == [
        ("uct:2", "random"),
        ("uct:200", "uct:2"),
    ]
    assert found.skill[-1].wins_more
    assert found.skill[-1].win_rate.low > 0.5
    assert "Skill decides" in found.findings[1]
    assert 5 <= found.length.shortest <= found.length.median <= found.length.longest <= 9
    assert sum(part.games for part in found.length.histogram) == 60
    assert 0.0 < found.drama.uncertainty.value < 1.0


def test_of_three_players_every_seat_is_judged() -> None:
    found = study(TAKE_AWAY.format(3, 2))  # the first takes both
    assert [seat.score.value for seat in found.seats] == [1.0, 0.25, 0.25]
    assert [seat.mean_return.value for seat in found.seats] == [2.0, -1.0, -1.0]
    assert found.drama is None
    assert [finding.split(":")[0] for finding in found.findings[:3]] == [
        "Seat 0 is favoured",
        "Seat 1 is at a disadvantage",
        "Seat 2 is at a disadvantage",
    ]


def test_hidden_information_has_no_drama_but_all_the_rest() -> None:
    found = study("kuhn")
    assert found.planner == "oos:16"
    assert found.drama is None
    assert found.branching.value == 2.0


def test_workers_change_nothing_and_the_seed_does() -> None:
    one, two = study("tic_tac_toe", workers=1), study("tic_tac_toe", workers=2)
    assert one.as_dict() == two.as_dict()
    assert one.as_dict() != study("tic_tac_toe", seed=1).as_dict() | {"seed": 0}


def test_a_report_is_a_page_and_its_data(tmp_path: Path) -> None:
    found = study("kuhn", out=tmp_path / "new" / "report")
    page = (tmp_path / "new" / "report" / "index.html").read_text()
    assert page.startswith("<!doctype html>")
    assert all(finding.split("(")[0] in page for finding in found.findings)
    assert "http" not in page  # nothing is loaded from elsewhere
    data = json.loads((tmp_path / "new" / "report" / "study.json").read_text())
    assert data == json.loads(json.dumps(found.as_dict()))
    assert found._repr_html_() in page


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"budgets": []}, "in ascending order"),
        ({"budgets": [0, 5]}, "in ascending order"),
        ({"budgets": [5, 5]}, "in ascending order"),
        ({"planner": "random"}, "needs a player that searches"),
        ({"planner": "uct(seconds=1.0)"}, "searches by simulations"),
        ({"games": 1}, "needs 2 games or more"),
        ({"planner": "stockfish"}, "There is no player"),
    ],
)
def test_what_cannot_be_studied_is_one_sentence(chosen: dict[str, object], said: str) -> None:
    with pytest.raises(ForethoughtError, match=said):
        study("tic_tac_toe", **chosen)
