"""Photograph every built-in game in the page: `make screenshots`, or `python -m docs.pictures.every_game DIRECTORY`.

Each game a few moves in, on a desk and on a phone, light and dark, with what a planner thinks. Run it from the root of
the repository, whose tests it borrows the browser from: about two minutes on two cores. The pictures are for looking
at; `tests/serve/page/test_looks.py` checks what a program can.
"""

import sys
import tempfile
from pathlib import Path

from tests.serve.page.browser import Person, chromium, opened, serving
from tests.serve.page.looks import LOOKS, played_a_little

from forethought.games import GAMES

THINKING = 2_000  # simulations


def main(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as home, serving(Path(home)) as address, chromium() as browser:
        for game in GAMES.names():
            with opened(browser, LOOKS[0].viewport, complaints) as page:
                person = Person(page, address)
                played_a_little(person, game)
                think(person)
                for look in LOOKS:
                    look.put_on(page)
                    page.screenshot(path=directory / f"{game}-{look.name}.png", full_page=True)
            sys.stdout.write(f"{game}\n")
    if complaints:
        raise SystemExit(f"The console complains: {complaints}")


def think(person: Person) -> None:
    person.page.locator(".think .budget").fill(str(THINKING))
    person.page.get_by_role("button", name="Think", exact=True).click()
    person.page.locator(".think:not(.running) .bars").first.wait_for()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
