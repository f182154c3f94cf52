"""Forms, lists and reports: readable at every size, and true in what they say."""

from pathlib import Path

import pytest

from tests.serve.page.browser import Person, sync_api
from tests.serve.page.looks import LOOKS, serious_faults, sideways
from tests.serve.page.places import MATCH, PLACES, furnish, go
from tests.tiers import others_slow


@pytest.fixture(scope="module", autouse=True)
def furnished(home: Path) -> None:
    furnish(home)


@pytest.mark.parametrize("name", others_slow(PLACES, ("ladder_form",)))
def test_every_place_is_readable_at_every_size(person: Person, name: str) -> None:
    PLACES[name](person)
    found = {}
    for look in LOOKS:
        look.put_on(person.page)
        found[look.name] = serious_faults(person.page) + sideways(person.page)
    assert found == {look.name: [] for look in LOOKS}


def test_two_planners_stand_side_by_side_where_there_is_room(person: Person) -> None:
    PLACES["past_compared"](person)
    tops = {}
    for look in (LOOKS[0], LOOKS[2]):
        look.put_on(person.page)
        first, second = (person.page.locator(".think").nth(n).bounding_box() for n in (0, 1))
        assert first is not None
        assert second is not None
        tops[look.width] = (first["y"] == second["y"], second["x"] > first["x"])
    assert tops == {1280: (True, True), 390: (False, False)}


def test_my_games_and_rules_have_no_names_of_the_code(person: Person) -> None:
    PLACES["new_game"](person)
    assert [text.split("Rename")[0].strip() for text in person.page.locator(".my-games li").all_inner_texts()] == [
        "II Goofspiel cards 6 \u00b7 Your move",
        "Tic-tac-toe Your move",
    ]
    assert "`" not in person.text(".rules")
    assert person.page.locator(".rules code").all_inner_texts() == ["swap"]


def test_a_spectator_is_told_why_nothing_can_be_thought_about(person: Person) -> None:
    PLACES["spectator"](person)
    assert "You are watching" in person.text(".think")
    assert person.page.get_by_role("button", name="Think", exact=True).is_disabled()


def test_a_player_without_simulations_tells_none(person: Person) -> None:
    person.begin("tic_tac_toe")
    person.page.get_by_label("planner (Think)", exact=True).select_option(label="Alpha-beta search")
    person.page.get_by_role("button", name="Think", exact=True).click()
    person.page.locator(".think:not(.running) .bars").wait_for()
    assert "simulations" not in person.text(".think .measures")


def test_a_ladder_of_few_kinds_of_players_takes_them_at_several_levels(person: Person) -> None:
    PLACES["ladder_form"](person)  # of a user's game, which two kinds of players suit
    first, third = (person.page.get_by_label(f"strength of Player {number}") for number in (1, 3))
    assert (first.input_value(), third.input_value()) == ("Strong", "Beginner")


def test_a_match_that_was_stopped_is_resumed_with_a_click(person: Person) -> None:
    PLACES["ladder"](person)
    asked = []
    person.page.route("**/resume", lambda route: asked.append(route.request.url) or route.fulfill(status=201, json={}))
    person.page.get_by_role("button", name="Resume match").click()
    sync_api.expect(person.page.locator(".process")).to_have_count(1)
    assert [url.partition("/api/")[2] for url in asked] == [f"processes/{MATCH}/resume"]


def test_the_row_that_won_is_framed(person: Person) -> None:
    PLACES["review_of_a_board"](person)
    assert person.page.locator(".decisive").count() >= 4
    person.page.get_by_label("previous position").click()
    sync_api.expect(person.page.locator(".decisive")).to_have_count(0)


def test_the_numbers_of_a_study_are_written(person: Person) -> None:
    go(person, "study")
    person.page.get_by_text("Study: the report").click()
    person.page.locator(".findings li").wait_for()
    assert person.page.locator(".who small").first.inner_text() == "50.0\u00a0% (25.0\u00a0% to 75.0\u00a0%)"
