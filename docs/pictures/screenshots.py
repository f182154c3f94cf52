"""Take the screenshots of the page that are kept beside this file: `python -m docs.pictures.screenshots`.

Run it from the root of the repository, whose tests it borrows the browser from. Trains a small run and plays a small
ladder first, in a directory of its own: about three minutes on two cores. With names, such as `board cards`, only these
pictures are taken, and only what they need is done.
"""

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from tests.serve.page.browser import Person, chromium, environment, opened, serving

PICTURES = Path(__file__).parent
VIEWPORT = {"width": 1200, "height": 800}
LARGEST = 150_000  # bytes of a picture
COLOURS = 128
CHOICES = 3  # points from which a checker can move, where a search has something to compare
STUDYING = 600_000  # milliseconds that the study may take
TRAIN = ["train", "leduc", "--run", "leduc-1", "--iterations", "40", "--simulations", "1000", "--set", "games=40",
         "--set", "evaluation.every=2", "--set", "evaluation.games=400", "--seed", "1"]  # fmt: skip
LADDER = ["ladder", "connect_four", "random", "uct:20", "uct:100", "uct:500", "uct:2000", "--games", "100"]


def main(names: list[str]) -> None:
    shows = [
        show for show in (board, cards, set_up, backgammon, watch, ladder, study) if show.__name__ in names or not names
    ]
    with tempfile.TemporaryDirectory() as home:
        for show, verb in ((watch, TRAIN), (ladder, LADDER)):
            if show in shows:
                command = [sys.executable, "-m", "forethought", *verb]
                subprocess.run(command, cwd=home, env=environment(Path(home)), check=True)  # noqa: S603 (our own)
        complaints: list[str] = []
        with serving(Path(home)) as address, chromium() as browser, opened(browser, VIEWPORT, complaints) as page:
            for show in shows:
                show(Person(page, address))
    if complaints:
        raise SystemExit(f"The console complains: {complaints}")


def board(person: Person) -> None:
    """A few moves of Hex, and what a search finds."""
    played_board(person)
    person.page.get_by_role("button", name="Think", exact=True).click()
    person.page.locator(".think:not(.running) .bars").wait_for()
    keep(person, "page-play-board.png")


def played_board(person: Person) -> None:
    person.begin("hex(size=7)", "Monte Carlo tree search")
    for cell in (24, 16, 11, 33):
        wanted = person.page.locator(f'[data-cell="{cell}"].target')
        wanted.or_(person.page.locator(".cell.target").first).last.click()
        person.wait()


def cards(person: Person) -> None:
    """Leduc poker after a call, with the strategy of every hand."""
    cards_begun(person)
    person.page.get_by_role("button", name="Think", exact=True).click()
    person.page.locator(".think:not(.running) .grid").wait_for()
    keep(person, "page-play-cards.png")


def cards_begun(person: Person) -> None:
    while True:  # until a hand goes on to the second round
        person.begin("leduc", "Online Outcome Sampling")
        person.page.locator(".action", has_text="raise").click()
        if person.wait() and person.page.locator(".shared .rank").count():
            return


def set_up(person: Person) -> None:
    """A race of pawns that was set up, and two planners that think about it."""
    page = person.page
    page.goto("about:blank")
    page.goto(f"{person.address}#play?game=breakthrough(rows=6,columns=6)")
    page.locator(".set-up summary").click()
    page.get_by_role("button", name="Clear the board").click()
    for owner, cells in (("Player 0's piece", (8, 9, 15)), ("Player 1's piece", (20, 26, 27))):
        page.get_by_label("what a click places").select_option(label=owner)
        for cell in cells:
            page.locator(f'.set-up [data-cell="{cell}"]').click()
    page.click("button.large")
    person.wait()
    page.get_by_role("button", name="Compare planners").click()
    page.get_by_label("planner (Compare)", exact=True).select_option(label="Alpha-beta search")
    for planner, panel in (("Think", page.locator(".think").first), ("Compare", page.locator(".think").last)):
        panel.get_by_role("button", name="Think", exact=True).click()
        page.locator(f'.think:not(.running)[aria-label*="({planner})"] .bars').wait_for()
    keep(person, "page-set-up.png", whole=True)


def backgammon(person: Person) -> None:
    """Backgammon after a few moves, with what a search looks at."""
    person.begin("backgammon", "Monte Carlo tree search")
    turns = 0
    while turns < 4 or person.page.locator(".cell.origin").count() < CHOICES:
        person.click_something()
        person.wait()
        turns += 1
    person.page.locator(".think .budget").fill("5000")
    person.page.get_by_role("button", name="Think", exact=True).click()
    person.page.locator(".think:not(.running) .bars").wait_for()
    keep(person, "page-backgammon.png", whole=True)


def watch(person: Person) -> None:
    person.page.goto(f"{person.address}#watch/leduc-1")
    person.page.locator(".chart").first.wait_for()
    keep(person, "page-watch.png")


def ladder(person: Person) -> None:
    person.page.goto(f"{person.address}#ladder")
    person.page.locator(".estimate").first.wait_for()
    keep(person, "page-ladder.png")


def study(person: Person) -> None:
    """A study of Connect Four, started in the form."""
    person.page.goto(f"{person.address}#study?game=connect_four")
    person.page.locator("button.large:enabled").click()
    person.page.get_by_text("Study: the report").click(timeout=STUDYING)
    person.page.locator(".findings").wait_for()
    keep(person, "page-study.png")


def keep(person: Person, name: str, *, whole: bool = False) -> None:
    """Save what the window shows, or the whole page, with few colours: a third of the bytes."""
    person.page.mouse.move(0, 0)
    person.page.wait_for_timeout(400)  # until what moves has come to rest
    shot = Image.open(io.BytesIO(person.page.screenshot(full_page=whole))).convert("RGB")
    shot.quantize(COLOURS).save(PICTURES / name, optimize=True)
    size = (PICTURES / name).stat().st_size
    sys.stdout.write(f"{name}: {size} bytes\n")
    if size > LARGEST:
        raise SystemExit(f"{name} is larger than {LARGEST} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
