"""Photograph every page and form but the games: `make screenshots`, or `python -m docs.pictures.every_page DIRECTORY`.

On a desk and on a phone, light and dark. Run it from the root of the repository, whose tests it borrows the browser
and the places from: about a minute on two cores. With more names, such as `ladder run`, only these are taken.
"""

import sys
import tempfile
from pathlib import Path

from tests.serve.page.browser import Person, chromium, opened, serving
from tests.serve.page.looks import LOOKS
from tests.serve.page.places import PLACES, furnish

GAME = Path(__file__).parents[2] / "tests" / "userfiles" / "take_away.py"


def main(directory: Path, names: list[str]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    complaints: list[str] = []
    with tempfile.TemporaryDirectory() as home:
        furnish(Path(home))
        with serving(Path(home), str(GAME)) as address, chromium() as browser:
            for name, show in PLACES.items():
                if names and name not in names:
                    continue
                with opened(browser, LOOKS[0].viewport, complaints) as page:
                    show(Person(page, address))
                    for look in LOOKS:
                        look.put_on(page)
                        page.screenshot(path=directory / f"page-{name}-{look.name}.png", full_page=True)
                sys.stdout.write(f"{name}\n")
    if complaints:
        raise SystemExit(f"The console complains: {complaints}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
