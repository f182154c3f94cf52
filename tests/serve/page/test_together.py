"""In a browser: games of one's own list, a second screen, a series by the keyboard, a picture of the board."""

from pathlib import Path

from tests.serve.page.browser import DESK, Person, opened, sync_api

PNG = b"\x89PNG\r\n\x1a\n"


def test_my_games_are_listed_renamed_and_deleted(person: Person) -> None:
    person.begin("tic_tac_toe")
    page = person.page
    page.goto(f"{person.address}#play")
    page.get_by_role("button", name="rename Tic-tac-toe").click()
    page.get_by_role("textbox", name="name").fill("The long one")
    page.keyboard.press("Enter")
    page.reload()
    page.get_by_role("link", name="The long one").click()
    person.wait()
    page.goto(f"{person.address}#play")
    page.get_by_role("button", name="delete The long one").click()
    page.locator(".my-games li").wait_for(state="detached")
    page.reload()
    page.locator(".tile").first.wait_for()
    assert page.locator(".my-games li").count() == 0


def test_a_guest_plays_at_a_screen_of_its_own(person: Person, browser: "sync_api.Browser") -> None:
    complaints: list[str] = []
    person.begin("leduc", "A person on another device")
    address = person.page.get_by_role("textbox", name="address for Player 1").input_value()
    with opened(browser, DESK, complaints) as page:
        page.goto(address)
        guest = Person(page, person.address)
        page.locator(".card.back").first.wait_for()
        assert page.locator(".place:has(h2:text('You')) .card.back").count() == 0
        person.page.get_by_role("button", name="raise").click()
        guest.wait()
        page.get_by_role("button", name="fold").click()
        person.page.locator(".status.over").wait_for()
        person.page.keyboard.press("n")
        person.page.locator(".series:not(:empty)").wait_for()
        assert "After 1 game:" in person.text(".series")
        page.keyboard.press("n")
        page.locator(".series:not(:empty)").wait_for()
        guest.wait()  # who was second is first now
    assert complaints == []


def test_a_board_is_saved_as_a_picture(person: Person, tmp_path: Path) -> None:
    person.begin("tic_tac_toe")
    person.click_something()
    with person.page.expect_download() as download:
        person.page.get_by_role("button", name="PNG").click()
    file = tmp_path / "board.png"
    download.value.save_as(file)
    assert file.read_bytes().startswith(PNG)
    assert file.stat().st_size > 2000


def test_rules_are_explained_with_a_board(person: Person) -> None:
    person.page.goto(f"{person.address}#play?game=hex")
    person.page.locator(".rules summary").click()
    person.page.locator(".example .board").wait_for()
    assert "whoever joins their own two sides wins" in person.text(".rules")
