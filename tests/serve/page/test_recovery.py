"""What goes wrong is told for as long as it matters, and leaves nothing stuck; what was done can be looked at again."""

import json
from pathlib import Path

import pytest

from tests.serve.page.browser import DESK, PATIENCE, Person, opened, sync_api
from tests.serve.page.looks import LOOKS, faults


def test_after_a_move_that_failed_the_board_can_be_played(address: str, browser: sync_api.Browser) -> None:
    """Also if the server does not answer the question for the present position."""
    with opened(browser, DESK, []) as page:  # the console may complain of the failed requests
        person = Person(page, address)
        person.begin("tic_tac_toe")
        session = page.url.rpartition("/")[2]
        page.route(f"**/api/sessions/{session}/moves", lambda route: route.abort())
        page.route(f"**/api/sessions/{session}", lambda route: route.abort())
        page.locator('[data-cell="4"]').click()
        page.locator("#alert p", has_text="The server does not answer").wait_for()
        sync_api.expect(page.locator('.game-page[aria-busy="false"]')).to_be_attached()
        sync_api.expect(page.locator(".cell.target")).to_have_count(9)
        page.unroute_all()
        page.locator('[data-cell="4"]').click()
        assert person.wait()
        assert page.locator('[data-cell="4"] .piece.owner1').count() == 1


def test_a_form_that_cannot_be_started_says_why_until_it_can(address: str, browser: sync_api.Browser) -> None:
    with opened(browser, DESK, []) as page:
        page.goto(f"{address}#play?game=hex")
        page.locator("button.large:enabled").wait_for(timeout=PATIENCE)
        size = page.get_by_label("size")
        size.fill("900")
        size.press("Tab")
        page.locator(".setup .refusal").wait_for()
        sync_api.expect(page.locator("button.large")).to_be_disabled()
        size.fill("5")
        size.press("Tab")
        page.locator("button.large:enabled").wait_for()
        sync_api.expect(page.locator(".refusal")).to_have_count(0)


def test_enter_in_a_parameter_starts_the_game_with_it(person: Person) -> None:
    person.page.goto(f"{person.address}#play?game=hex")
    person.page.locator("button.large:enabled").wait_for()
    person.page.locator(".setup .seat .player").nth(1).select_option(label="Random")
    size = person.page.get_by_label("size")
    size.fill("4")
    size.press("Enter")
    person.wait()
    sync_api.expect(person.page.locator(".cell")).to_have_count(16)
    assert person.page.locator(".seats .seat").all_inner_texts() == ["You", "Random"]  # as chosen before


@pytest.mark.parametrize(
    ("place", "told"), [("#watch/unknown", "There is no run 'unknown'"), ("#play/unknown", "does not exist any more")]
)
def test_what_is_unknown_is_said_and_not_waited_for(
    address: str, browser: sync_api.Browser, place: str, told: str
) -> None:
    with opened(browser, DESK, []) as page:
        page.goto(address + place)
        page.locator("main", has_text=told).wait_for(timeout=PATIENCE)
        assert "Loading" not in page.locator("main").inner_text()
        assert page.locator("main a").count() > 0


def test_a_file_that_is_no_saved_game_is_refused_by_its_name(person: Person, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text('{"x": 1}')
    person.page.goto(person.address)
    person.page.locator("button.large:enabled").wait_for()
    person.page.locator('input[type="file"]').set_input_files(tmp_path / "odd.json")
    person.page.locator("#alert p", has_text="odd.json is not a game that was saved here").wait_for()


def test_resigning_asks_once_and_tells_the_score(person: Person) -> None:
    person.begin("tic_tac_toe")
    person.page.get_by_role("button", name="Resign", exact=True).click()
    assert person.page.locator(".status.over").count() == 0
    person.page.get_by_role("link", name="New game").focus()  # a change of mind
    person.resign()
    person.page.locator(".status", has_text="You resigned: \u22121").wait_for()
    assert person.page.evaluate("document.activeElement.textContent") == "Next game"


def test_looking_back_is_marked_and_one_can_think_and_play_there(person: Person) -> None:
    person.begin("tic_tac_toe")
    for _ in range(2):
        person.click_something()
        assert person.wait()
    bar = person.page.locator(".past-bar")
    assert not bar.is_visible()
    person.page.locator('.history [data-ply="1"]').click()
    bar.get_by_text("position 2 of 4").wait_for()
    for look in LOOKS[::3]:
        look.put_on(person.page)
        assert faults(person.page) == []
    bar.get_by_role("button", name="Think here").click()
    person.page.locator(".think:not(.running) .bars tbody tr").first.wait_for()
    assert person.page.locator(".bars tbody tr").count() == 7  # of nine cells, two were taken there
    bar.get_by_role("button", name="Back to now").click()
    sync_api.expect(bar).to_be_hidden()
    sync_api.expect(person.page.locator(".cell.target")).to_have_count(5)
    person.page.locator('.history [data-ply="1"]').click()
    before = person.page.url
    bar.get_by_role("button", name="Play from here").click()
    person.page.wait_for_url(lambda url: url != before)
    person.wait()
    sync_api.expect(person.page.locator(".history li")).to_have_count(2)


def test_a_thought_about_an_earlier_position_is_drawn_where_pieces_came_to_rest_then(person: Person) -> None:
    person.begin("connect_four")
    for column in (3, 3):
        person.page.locator(f'[data-cell="{column}"]').click()
        assert person.wait()
    person.page.locator('.history [data-ply="1"]').click()
    person.page.get_by_role("button", name="Think here").click()
    person.page.locator(".think:not(.running) .bars tbody tr").first.wait_for()
    assert person.page.locator(".share:not(:empty)").count() > 0
    assert faults(person.page) == []


def test_where_information_is_hidden_one_thinks_again_about_own_decisions_only(person: Person) -> None:
    person.begin("goofspiel(cards=6)")
    for _ in range(2):
        person.click_something()
        assert person.wait()
    bar = person.page.locator(".past-bar")
    own = [int(ply) for ply in person.page.evaluate(
        "[...document.querySelectorAll('.history .owner1 [data-ply]')].map((one) => one.dataset.ply)"
    )]  # fmt: skip
    for place in range(max(own) + 1):
        person.page.get_by_label("position", exact=True).fill(str(place))
        bar.get_by_text(f"position {place} of").wait_for()
        assert bar.get_by_role("button", name="Think here").is_visible() == (place in own)
        assert not bar.get_by_role("button", name="Play from here").is_visible()


def test_own_and_public_cards_are_named_in_the_list_of_moves(person: Person) -> None:
    person.begin("leduc")
    held = person.text(".seat1 .rank")
    assert person.page.locator(".history .chance").first.inner_text() == f"deal {held}"
    while person.page.locator(".shared .rank").count() == 0:  # until a card lies on the table
        person.page.locator(".action", has_text="c").last.click()  # check or call
        if not person.wait():
            person.begin("leduc")
    shown = person.text(".shared .rank")
    assert f"deal {shown}" in person.page.locator(".history li.chance").all_inner_texts()[1:]


def test_advice_is_the_strategy_never_where_a_search_explores(person: Person) -> None:
    person.begin("leduc")
    person.page.get_by_role("button", name="Think", exact=True).click()
    person.page.locator(".think:not(.running) .grid").wait_for()
    head = person.page.locator(".thought > .bars thead").inner_text()
    assert "strategy" in head
    assert "relative regret" in head
    assert "visits" not in head
    bars = person.page.locator(".thought > .bars tbody tr td:nth-child(3)").all_inner_texts()
    own = person.page.locator(".grid tr.own .mix").get_attribute("aria-label")
    assert own is not None
    assert all(bar in own for bar in bars)  # the grid and the bars say the same


@pytest.mark.slow
def test_a_suit_that_is_the_name_of_a_property_is_no_suit(person: Person) -> None:
    """The server refuses such a drawing; the page would draw it without a suit."""
    person.page.goto(person.address)
    drawn = person.page.evaluate(
        """async (items) => {
            const { drawing } = await import("/static/card_view.js");
            return drawing(items, [], [], new Map(), () => {}).innerText ?? "";
        }""",
        json.loads('[{"kind": "cards", "label": "held", "cards": [{"text": "K", "suit": "toString"}]}]'),
    )
    assert "K" in drawn
    assert "function" not in drawn
