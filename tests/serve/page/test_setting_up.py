"""In a browser: a position is set up and thought about, backgammon is clicked, and everything becomes a picture."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.serve.page.browser import DESK, PATIENCE, Person, opened, sync_api
from tests.serve.page.looks import LOOKS, faults, serious_faults
from tests.tiers import others_slow


def place(person: Person, owner: str, *cells: int) -> None:
    person.page.get_by_label("what a click places").select_option(label=owner)
    for cell in cells:
        person.page.locator(f'.set-up [data-cell="{cell}"]').click()


@pytest.fixture
def person_refused_once(address: str, browser: sync_api.Browser) -> Iterator[Person]:
    """Somebody whom the server refuses something, which the console notes."""
    complaints: list[str] = []
    with opened(browser, DESK, complaints) as page:
        yield Person(page, address)
    assert len(complaints) == 1
    assert "400" in complaints[0]


def test_a_position_is_set_up_played_and_set_up_again(person_refused_once: Person) -> None:
    person = person_refused_once
    page = person.page
    page.goto(f"{person.address}#play?game=tic_tac_toe")
    page.locator(".set-up summary").click()
    page.locator(".set-up .board").wait_for()
    place(person, "Player 0's piece", 0, 1, 4)
    place(person, "Player 1's piece", 6, 7)
    place(person, "Nothing", 4)
    page.get_by_label("who is to move").select_option(label="Player 0 moves")
    for look in LOOKS:
        look.put_on(page)
        assert serious_faults(page) == []
    page.locator(".setup .seat .player").nth(1).select_option(label="Random")
    page.click("button.large")
    person.wait()
    assert page.locator(".board .piece.owner1").count() == 2
    page.locator(".think .budget").fill("500")
    page.get_by_role("button", name="Think", exact=True).click()
    page.locator(".think:not(.running) .best", has_text="c1").wait_for(timeout=PATIENCE)
    page.locator('[data-cell="2"]').click()  # three in a row
    page.locator(".status.over").wait_for()
    page.get_by_role("button", name="Set up from here").click()
    sync_api.expect(page.locator(".set-up .piece.owner1")).to_have_count(3)
    page.locator("button.large:enabled").click()
    page.locator("#alert p", has_text="the game is over in that position").wait_for()
    page.locator('.set-up [data-cell="2"]').click()
    page.locator("button.large:enabled").click()
    person.wait()
    assert page.locator(".board .piece.owner1").count() == 2


def test_hidden_games_offer_no_editor(person: Person) -> None:
    person.page.goto(f"{person.address}#play?game=leduc")
    person.page.locator("button.large:enabled").wait_for()
    assert not person.page.locator(".set-up").is_visible()


def test_a_line_is_drawn_as_arrows_where_pieces_move(person: Person) -> None:
    person.begin("breakthrough(rows=6,columns=6)")
    person.page.locator(".think .budget").fill("2000")
    person.page.get_by_role("button", name="Think", exact=True).click()
    person.page.locator(".think:not(.running) .bars").first.wait_for()
    person.page.locator(".arrows .expected .shaft").first.wait_for(state="attached")


@pytest.mark.parametrize("turns", [4, pytest.param(400, marks=pytest.mark.slow)])
def test_backgammon_is_played_on_its_board(person: Person, turns: int) -> None:
    person.begin("backgammon")
    for _ in range(turns):
        if not person.wait():
            break
        drawn = person.page.locator(".board .piece circle:not(.ring)").count()
        written = person.page.locator(".board .count").all_text_contents()
        assert drawn + sum(int(text) - 5 for text in written) == 30
        person.click_something()
    found = {}
    for look in LOOKS:
        look.put_on(person.page)
        found[look.name] = faults(person.page) + serious_faults(person.page)
    assert found == {look.name: [] for look in LOOKS}


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", others_slow(["goofspiel(cards=6)", "liars_dice", "backgammon", "yours"], ["goofspiel(cards=6)"])
)
def test_every_position_is_saved_as_a_picture(person: Person, tmp_path: Path, game: str) -> None:
    person.begin(game)
    with person.page.expect_download() as download:
        person.page.get_by_role("button", name="PNG").click()
    file = tmp_path / "position.png"
    download.value.save_as(file)
    with Image.open(file) as picture:
        colours = picture.convert("RGB").getcolors(1 << 24)
        assert picture.format == "PNG"
        assert colours is not None
        assert len(colours) > 10  # something is drawn, with smooth edges
    shown = person.page.locator(".picture").bounding_box()
    assert shown is not None
    assert picture.width == pytest.approx(2 * (shown["width"] + 24), abs=2)
