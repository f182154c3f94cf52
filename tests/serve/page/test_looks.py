"""Every game, at every size and in both colour schemes: nothing is too small, cut off or too faint."""

import pytest

from forethought.games import GAMES
from tests.serve.page.browser import Person, sync_api
from tests.serve.page.looks import LOOKS, faults, played_a_little, serious_faults
from tests.tiers import others_slow

FEW = ("fanorona", "goofspiel")  # crossings, many cards


@pytest.mark.parametrize("game", others_slow(GAMES.names(), FEW))
@pytest.mark.quick_cases(1)
def test_every_game_is_readable_at_every_size(person: Person, game: str) -> None:
    played_a_little(person, game)
    person.page.locator(".think .budget").fill("1000")
    person.page.get_by_role("button", name="Think", exact=True).click()
    person.page.locator(".think:not(.running) .bars").first.wait_for()
    found = {}
    for look in LOOKS:
        look.put_on(person.page)
        found[look.name] = faults(person.page) + serious_faults(person.page)
    assert found == {look.name: [] for look in LOOKS}


@pytest.mark.parametrize("place", ["", "#watch/unknown", "#play/unknown"])
@pytest.mark.quick_cases(1)
def test_axe_finds_nothing_serious(address: str, browser: sync_api.Browser, place: str) -> None:
    page = browser.new_page()
    for look in LOOKS:
        look.put_on(page)
        page.goto("about:blank")
        page.goto(address + place)
        page.locator("main h1").first.wait_for()
        assert serious_faults(page) == []
    page.close()
