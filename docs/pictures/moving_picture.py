"""Record the moving picture of README from the real page: `python -m docs.pictures.moving_picture`.

Run it from the root of the repository, whose tests it borrows the browser from. Three scenes: a tree search thinks in
Hex, Online Outcome Sampling thinks in Leduc poker, and a training of Leduc is watched while it learns. About two
minutes on two cores.
"""

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from docs.pictures.screenshots import cards_begun, played_board
from PIL import Image
from tests.serve.page.browser import Person, chromium, environment, opened, serving

FILE = Path(__file__).parent / "moving.gif"
VIEWPORT, SIZE, COLOURS = {"width": 1200, "height": 740}, (840, 518), 192
LARGEST = 1_000_000  # bytes of the picture
STEP, PAUSE = 350, 2_500  # milliseconds of a frame, and of the last one of a scene
TRAIN = ["train", "leduc", "--run", "leduc-1", "--iterations", "500", "--simulations", "2000", "--seed", "1",
         "--set", "evaluation.every=1", "--set", "evaluation.games=400"]  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        complaints: list[str] = []
        with serving(Path(home)) as address, chromium() as browser, opened(browser, VIEWPORT, complaints) as page:
            person = Person(page, address)
            scenes = [list(tree_search(person)), list(hidden_information(person))]
            command = [sys.executable, "-m", "forethought", *TRAIN]
            with subprocess.Popen(command, cwd=home, env=environment(Path(home))) as training:  # noqa: S603 (our own)
                scenes.append(list(learning(person)))
                training.terminate()
    if complaints:
        raise SystemExit(f"The console complains: {complaints}")
    save(scenes)


def tree_search(person: Person) -> Iterator[Image.Image]:
    played_board(person)
    yield from thinking(person, ".bars")


def hidden_information(person: Person) -> Iterator[Image.Image]:
    cards_begun(person)
    yield from thinking(person, ".grid")


def thinking(person: Person, found: str) -> Iterator[Image.Image]:
    """Let the planner think, and watch it."""
    yield frame(person)
    person.page.get_by_role("button", name="Think", exact=True).click()
    while not person.page.locator(f".think:not(.running) {found}").count():
        yield frame(person)
        person.page.wait_for_timeout(STEP)
    yield frame(person)


def learning(person: Person, frames: int = 14) -> Iterator[Image.Image]:
    """Watch the run while it trains."""
    person.page.goto(f"{person.address}#watch")
    person.page.get_by_text("leduc-1").first.wait_for()
    person.page.goto(f"{person.address}#watch/leduc-1")
    person.page.locator(".chart").first.wait_for()
    for _ in range(frames):
        yield frame(person)
        person.page.wait_for_timeout(2_000)


def frame(person: Person) -> Image.Image:
    person.page.mouse.move(0, 0)
    shot = Image.open(io.BytesIO(person.page.screenshot())).convert("RGB")
    return shot.resize(SIZE, Image.Resampling.LANCZOS)


def save(scenes: list[list[Image.Image]]) -> None:
    """Write the frames as a GIF, with one palette for all, so that what does not change costs nothing."""
    frames = [shot for scene in scenes for shot in scene]
    times = [time for scene in scenes for time in [STEP] * (len(scene) - 1) + [PAUSE]]
    sheet = Image.new("RGB", (SIZE[0], SIZE[1] * len(scenes)))
    for place, scene in enumerate(scenes):
        sheet.paste(scene[-1], (0, place * SIZE[1]))
    palette = sheet.quantize(COLOURS)
    drawn = [shot.quantize(palette=palette, dither=Image.Dither.NONE) for shot in frames]
    drawn[0].save(FILE, save_all=True, append_images=drawn[1:], duration=times, loop=0, optimize=True)
    size = FILE.stat().st_size
    sys.stdout.write(f"{FILE.name}: {len(frames)} frames, {size} bytes\n")
    if size > LARGEST:
        raise SystemExit(f"{FILE.name} is larger than {LARGEST} bytes")


if __name__ == "__main__":
    main()
