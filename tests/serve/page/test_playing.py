"""How a person plays: keys that mean what is printed on them, and what a seat sees of a board."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forethought.serve.settings import ServerSettings
from tests.serve.page.browser import DESK, Person, opened, sync_api
from tests.serve.running_server import running

DARK_RACE = Path(__file__).parents[2] / "userfiles" / "dark_race.py"


@pytest.fixture
def racer(browser: sync_api.Browser) -> Iterator[Person]:
    """Somebody at a page with a hidden game that has a board and a drawing."""
    complaints: list[str] = []
    with running(ServerSettings(file=str(DARK_RACE))) as address, opened(browser, DESK, complaints) as page:
        yield Person(page, f"{address}/")
    assert complaints == []


def test_a_digit_plays_what_is_printed_on_it(person: Person) -> None:
    """In Goofspiel a digit bids its number whatever was bid before, and has no effect once that card is gone."""
    person.begin("goofspiel(cards=6)")
    bids = person.page.locator(".history li.owner1")
    for turn, digit in enumerate("213", 1):
        assert person.text(f'.card.playable[aria-keyshortcuts="{digit}"] .rank') == digit
        person.page.keyboard.press(digit)
        sync_api.expect(bids).to_have_count(turn)
        assert bids.last.inner_text() == f"bid {digit}"
        assert person.wait()
    person.page.keyboard.press("2")
    assert person.page.locator('.card.playable[aria-keyshortcuts="2"]').count() == 0
    person.page.keyboard.press("4")
    sync_api.expect(bids).to_have_count(4)


def test_a_key_without_a_print_plays_nothing(person: Person) -> None:
    """In Go the only button passes: no digit is printed on it, and none presses it."""
    person.begin("go(size=5)")
    assert person.page.locator(".action", has_text="pass").count() == 1
    assert person.page.locator("kbd").count() == 0
    person.page.keyboard.press("1")
    person.page.locator(".cell.target").first.click()
    assert person.wait()
    assert person.page.locator(".history li.owner1").first.inner_text() != "pass"


def test_every_button_of_a_bet_has_the_key_of_its_action(person: Person) -> None:
    """The number in `raise 2` is a size, beside `check` and `fold`, which have none: actions are counted instead."""
    person.begin("generic_poker")
    keys = {
        button.get_attribute("data-action"): button.inner_text()[0] for button in person.page.locator(".action").all()
    }
    assert {int(action) + 1 for action in keys} == {int(key) for key in keys.values()}
    assert len(keys) >= 3


def test_the_keyboard_stays_where_it_was(person: Person) -> None:
    person.begin("leduc")
    raise_key = person.page.locator(".action", has_text="raise").get_attribute("aria-keyshortcuts")
    assert raise_key == "3"  # always, also where folding is possible
    person.page.locator(".action").first.focus()
    person.page.keyboard.press("Enter")
    if person.wait():
        assert person.page.evaluate("document.activeElement.matches('.action')")


def test_a_seat_sees_its_own_pieces_and_what_the_game_draws_besides(racer: Person) -> None:
    racer.begin("yours")
    own, others = racer.page.locator(".board .piece.owner1"), racer.page.locator(".board .piece.owner2")
    sync_api.expect(own).to_have_count(1)  # the start
    sync_api.expect(others).to_have_count(0)
    rolled = racer.text(".die")  # faces of 8 have no pips, but a number
    assert racer.page.locator(".die circle").count() in (2, 4) or rolled == "8"
    assert racer.page.locator(".place .said").all_inner_texts() == ["0", "?"]
    racer.page.locator(".action", has_text="run").click()
    sync_api.expect(own).to_have_count(2)
    sync_api.expect(others).to_have_count(0)
    racer.play_on()
    sync_api.expect(others.first).to_be_attached()  # all is shown at the end
