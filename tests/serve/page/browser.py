"""A server of its own, and a person who clicks: what tests of the page need. Needs Playwright and a Chromium."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="the page is tested in a browser: pip install playwright", exc_type=ImportError
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("the page is tested in a browser: apt-get install chromium", allow_module_level=True)

PATIENCE = 150_000  # milliseconds, since the first search of a kind is compiled
DESK, PHONE = {"width": 1200, "height": 900}, {"width": 390, "height": 844}
MOST_TURNS = 500
MY_TURN_OR_OVER = """() => document.querySelector(".status.over") !== null
    || (document.querySelector('.game-page[aria-busy="false"]') !== null
        && document.querySelector(".status").textContent === "Your move")"""


def environment(directory: Path) -> dict[str, str]:
    """Return the environment of a process whose runs are in a directory, wherever those of the user are."""
    return os.environ | {"FORETHOUGHT_RUNS": str(directory / "runs")}


@contextmanager
def serving(directory: Path, *arguments: str) -> Iterator[str]:
    """Run `forethought serve` in a directory, whose runs it shows; yields the address of the page."""
    command = [sys.executable, "-m", "forethought", "serve", *arguments, "--port", "0"]
    with (directory / "stderr").open("w") as errors:
        server = subprocess.Popen(
            command, cwd=directory, env=environment(directory), stdout=subprocess.PIPE, stderr=errors, text=True
        )
        assert server.stdout is not None
        try:
            address = server.stdout.readline().partition("/?")[0].split("#")[0].split()
            assert address, (directory / "stderr").read_text()
            yield address[0].rstrip("/") + "/"
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()


@contextmanager
def chromium() -> Iterator["sync_api.Browser"]:
    """Start a browser without a window."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: "sync_api.Browser", viewport: dict[str, int], complaints: list[str]) -> Iterator["sync_api.Page"]:
    """Open an empty page; what its console complains about is added to the list."""
    page = browser.new_page(viewport=viewport)
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.close()


class Person:
    """Somebody at the page, who plays at random by clicking."""

    def __init__(self, page: "sync_api.Page", address: str, seed: int = 1) -> None:
        self.page, self.address, self.rng = page, address, np.random.default_rng(seed)

    def begin(self, game: str, opponent: str = "Random") -> None:
        """Choose a game and its opponents, and start it."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#play?game={game}")
        self.page.locator("button.large:enabled").wait_for()
        seats = self.page.locator(".setup .seat .player")
        for seat in range(1, seats.count()):
            seats.nth(seat).select_option(label=opponent)
        self.page.click("button.large")
        self.wait()

    def wait(self) -> bool:
        """Wait until it is one's turn; False when the game is over."""
        self.page.wait_for_function(MY_TURN_OR_OVER)
        return self.page.locator(".status.over").count() == 0

    def play_on(self) -> int:
        """Play until the end; returns how many turns one had."""
        for turn in range(MOST_TURNS):
            if not self.wait():
                return turn
            self.click_something()
        raise AssertionError(f"the game was not over after {MOST_TURNS} turns")

    def resign(self) -> None:
        """Resign, and say so again when asked."""
        self.page.get_by_role("button", name="Resign", exact=True).click()
        self.page.get_by_role("button", name="Really resign?").click()

    def click_something(self) -> None:
        """Play one action, wherever it can be clicked."""
        for place in (".action", ".card.playable", ".cell.target", ".cell.origin"):
            if self.page.locator(place).count():
                self.click_one(place)
                break
        if place == ".cell.origin":
            self.click_one(".cell.target")
        if place in (".cell.origin", ".cell.target") and self.page.locator(".question:not(:empty)").count():
            self.click_one(".action")

    def click_one(self, selector: str) -> None:
        places = self.page.locator(selector)
        places.nth(int(self.rng.integers(places.count()))).click()

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()
