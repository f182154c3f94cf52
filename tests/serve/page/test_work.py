"""Trainings, matches and studies in the browser: forms of what is registered, charts of several runs, reports."""

import hashlib
from pathlib import Path
from typing import Any

from forethought.serve.processes import DIRECTORY
from tests.serve.page.browser import Person
from tests.serve.page.looks import LOOKS, serious_faults
from tests.serve.stored_processes import make_study
from tests.serve.stored_runs import make_run, report

STUDY = "0123456789abcdef"


def serious_in_all_looks(person: Person) -> list[str]:
    found = []
    for look in LOOKS:
        look.put_on(person.page)
        found += serious_faults(person.page)
    return found


def test_the_form_of_a_training_offers_what_is_registered_and_sends_what_was_changed(
    person: Person, home: Path
) -> None:
    make_run(home / "runs" / "taken").close()
    page = person.page
    page.goto(f"{person.address}#train?game=kuhn")
    page.locator("button.large:enabled").wait_for()
    assert page.get_by_label("Algorithm").input_value() == "exit-oos"
    page.get_by_label("Settings to begin from").select_option("paper")
    page.get_by_text("learning", exact=True).click()
    assert page.get_by_label("learning.device").locator("option").all_text_contents() == ["cpu", "cuda", "auto"]
    assert serious_in_all_looks(person) == []
    page.get_by_label("games", exact=True).fill("3")
    sent = []

    def answer(route: Any) -> None:
        sent.append(route.request.post_data_json)
        route.fulfill(status=201, json={"run": "taken"})

    page.route("**/api/trainings", answer)  # to start one takes seconds
    page.get_by_label("Name of the run").fill("mine")
    page.get_by_role("button", name="Start training").click()
    page.get_by_role("heading", name="taken").wait_for()
    [asked] = sent
    assert (asked["algorithm"], asked["preset"], asked["run"]) == ("exit-oos", "paper", "mine")
    assert asked["settings"] == {"games": 3}
    page.goto(f"{person.address}#train")
    page.locator('select[aria-label="game"]').select_option("tic_tac_toe")
    page.get_by_label("Algorithm").locator("option", has_text="AlphaZero").first.wait_for(state="attached")


def test_charts_show_several_runs_over_time_smoothed_and_logarithmic(person: Person, home: Path) -> None:
    for name in ("one", "two"):
        with make_run(home / "runs" / name) as run:
            for iteration in range(3, 8):
                report(run, iteration, nashconv=2.0**-iteration, seconds=30.0)
    page = person.page
    page.goto(f"{person.address}#watch/one")
    chart = page.locator('[data-metric="nashconv"]')
    chart.and_(page.locator('[data-runs="1"]')).wait_for()
    page.get_by_text("compare with").click()
    page.get_by_label("two", exact=True).check()
    chart.and_(page.locator('[data-runs="2"]')).wait_for()
    assert chart.locator(".key").all_text_contents() == ["one", "two"]
    page.get_by_label("over").select_option("time")
    assert "min" in chart.locator(".tick.middle").last.text_content()
    page.get_by_label("logarithmic").check()
    assert chart.locator(".tick.end").all_text_contents() == ["0.01", "0.1"]
    page.get_by_label("smoothing").fill("0.5")
    assert chart.locator(".faint").count() == 2
    assert page.get_by_role("button", name="Resume").is_visible()
    assert page.get_by_role("button", name="Stop", exact=True).is_hidden()
    assert serious_in_all_looks(person) == []


def test_a_study_is_reported_and_a_file_that_is_edited_is_noticed(person: Person, home: Path) -> None:
    version = hashlib.sha256((home / "take_away.py").read_bytes()).hexdigest()[:16]
    make_study(home / "runs", STUDY, "yours", version)
    page = person.page
    page.goto(f"{person.address}#study")
    page.get_by_text("Study: the report").click()
    page.locator(".findings li").wait_for()
    assert page.locator("tr", has_text="games won from behind").locator("td").nth(1).text_content() == "50.0\u00a0%"
    assert serious_in_all_looks(person) == []
    page.goto(f"{person.address}#study?game=yours")
    page.locator("button.large:enabled").wait_for()
    page.locator(".process").wait_for()
    assert page.get_by_text("of an earlier version").count() == 0
    file = home / "take_away.py"
    file.write_text(file.read_text().replace("stones: int = 10", "stones: int = 12"))
    page.get_by_text("take_away.py was edited").wait_for()
    page.get_by_text("of an earlier version").wait_for()
    assert page.get_by_label("stones").input_value() == "12"
    page.get_by_role("button", name="Forget").click()
    page.locator(".process").wait_for(state="detached")
    assert not (home / "runs" / DIRECTORY / STUDY).exists()


def test_a_match_is_put_together_of_the_players_that_suit_the_game(person: Person) -> None:
    page = person.page
    page.goto(f"{person.address}#ladder")
    page.get_by_text("New match or ladder").click()
    page.locator('select[aria-label="game"]').select_option("kuhn")
    page.get_by_label("Player 1", exact=True).locator("option", has_text="Online Outcome Sampling").wait_for(
        state="attached"
    )
    page.get_by_role("button", name="Start the match").wait_for()
    page.get_by_role("button", name="Add a player").click()
    page.get_by_role("button", name="Start the ladder").wait_for()
    chosen = [page.get_by_label(f"Player {number}", exact=True).input_value() for number in (1, 2, 3)]
    assert len(set(chosen)) == 3  # a ladder takes each once
    assert serious_in_all_looks(person) == []
