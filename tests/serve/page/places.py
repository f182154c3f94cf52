"""The places of the page besides games in progress: its forms, lists and reports, each as somebody comes to it.

What a server must have in its directory for that is written by `furnish`.
"""

from collections.abc import Callable
from pathlib import Path

from forethought.learn.algorithms.exit_oos import ExitOosConfiguration
from forethought.learn.run import Run
from tests.serve.page.browser import Person
from tests.serve.stored_processes import make_stopped_match, make_study
from tests.serve.stored_runs import make_run, report
from tests.serve.test_ladder import line, written

STUDY, MATCH = "0123456789abcdef", "fedcba9876543210"
PLAYERS = ("random", "oos:20", "oos:10000")
DEVICE = "A person on another device"

PLACES: dict[str, Callable[[Person], None]] = {}


def furnish(home: Path) -> None:
    """Keep runs, a study, a match that was stopped, and the rounds of two ladders."""
    runs = home / "runs"
    for name in ("kuhn-1", "kuhn-2"):
        with make_run(runs / name) as run:
            for iteration in range(3, 8):
                report(run, iteration, nashconv=2.0**-iteration, seconds=30.0)
    Run.create(runs / "leduc-1", ExitOosConfiguration(game="leduc", seed=1)).close()
    make_study(runs, STUDY)
    make_stopped_match(runs, MATCH, "tic_tac_toe", "uct:100", "random")
    rounds = [
        line(a, b, number, 1.0 if number % 3 else -1.0, game=game)
        for game in ("kuhn", "liars_dice(dice=2)")
        for a, b in zip(PLAYERS[1:], PLAYERS, strict=False)
        for number in range(20)
    ]
    written(runs / "matches.jsonl", rounds)


def place(show: Callable[[Person], None]) -> Callable[[Person], None]:
    PLACES[show.__name__] = show
    return show


def go(person: Person, route: str) -> None:
    person.page.goto("about:blank")
    person.page.goto(f"{person.address}#{route}")


@place
def new_game(person: Person) -> None:
    """The form with everything unfolded, and a list of one's own games."""
    for game in ("tic_tac_toe", "goofspiel(cards=6)"):
        person.begin(game)
    go(person, "play?game=hex(size=5)")
    person.page.locator("button.large:enabled").wait_for()
    person.page.locator(".my-games li").nth(1).wait_for()
    person.page.locator(".set-up summary").click()
    person.page.locator(".set-up .board").wait_for()
    person.page.locator(".rules summary").click()
    person.page.locator(".example .board").wait_for()


@place
def new_game_of_cards(person: Person) -> None:
    go(person, "play?game=leduc")
    person.page.locator("button.large:enabled").wait_for()
    person.page.locator(".rules summary").click()
    person.page.locator(".example .card").first.wait_for()


@place
def users_game(person: Person) -> None:
    person.begin("yours")
    person.page.locator(".rules summary").click()
    person.page.locator(".example").wait_for()


@place
def invitation(person: Person) -> None:
    """A game of two persons, with the addresses for the other and for spectators."""
    person.begin("leduc", DEVICE)
    person.page.locator(".links li").nth(1).wait_for()


@place
def spectator(person: Person) -> None:
    person.begin("liars_dice", DEVICE)
    address = person.page.get_by_role("textbox", name="address for Spectators").input_value()
    person.page.goto("about:blank")
    person.page.goto(address)
    person.page.locator(".die.covered").first.wait_for()


@place
def past_compared(person: Person) -> None:
    """An earlier position, about which two planners think."""
    person.begin("tic_tac_toe")
    for _ in range(2):
        person.click_something()
        person.wait()
    person.page.locator('.history [data-ply="1"]').click()
    person.page.locator(".past-bar").wait_for()
    person.page.get_by_role("button", name="Compare planners").click()
    for name in ("Think", "Compare"):
        person.page.locator(f'.think[aria-label*="({name})"] .budget').fill("1000")
        person.page.locator(f'.think[aria-label*="({name})"]').get_by_role("button", name="Think").click()
        person.page.locator(f'.think:not(.running)[aria-label*="({name})"] .bars').wait_for()


@place
def bots_thought(person: Person) -> None:
    person.begin("tic_tac_toe", "Monte Carlo tree search")
    person.click_something()
    person.wait()
    person.page.get_by_role("button", name="What the bot thought").click()
    person.page.locator(".bars").wait_for()


@place
def review_of_a_board(person: Person) -> None:
    person.begin("connect_four")
    review(person)


@place
def review_of_cards(person: Person) -> None:
    """The second hand of a series."""
    person.begin("kuhn")
    person.play_on()
    person.page.keyboard.press("n")
    person.page.locator(".series:not(:empty)").wait_for()
    review(person)


def review(person: Person) -> None:
    person.play_on()
    person.page.get_by_role("button", name="What did each move cost?").click()
    person.page.locator(".review .moves").wait_for()


@place
def runs(person: Person) -> None:
    go(person, "watch")
    person.page.locator('[data-run="kuhn-1"]').wait_for()


@place
def run(person: Person) -> None:
    """A run beside another, with a game of self-play and its settings."""
    page = person.page
    go(person, "watch/kuhn-1")
    page.get_by_text("compare with").click()
    page.get_by_label("kuhn-2", exact=True).check()
    page.locator('.chart[data-runs="2"]').first.wait_for()
    page.get_by_role("button", name="iteration 1, game 1").click()
    page.locator(".replayed .card").first.wait_for()
    page.locator(".settings summary").click()


@place
def training_form(person: Person) -> None:
    """The form with all sections of settings unfolded."""
    go(person, "train?game=leduc")
    person.page.locator("button.large:enabled").wait_for()
    for section in person.page.locator(".section summary").all():
        section.click()


@place
def ladder(person: Person) -> None:
    go(person, "ladder")
    person.page.locator(".estimate").first.wait_for()
    person.page.locator(".process").wait_for()


@place
def ladder_form(person: Person) -> None:
    ladder(person)
    person.page.get_by_text("New match or ladder").click()
    person.page.get_by_role("button", name="Start the match").wait_for()
    person.page.get_by_role("button", name="Add a player").click()
    person.page.get_by_role("button", name="Start the ladder").wait_for()


@place
def study_form(person: Person) -> None:
    go(person, "study")
    person.page.locator("button.large:enabled").wait_for()
    person.page.locator(".process").wait_for()


@place
def study(person: Person) -> None:
    go(person, f"study/{STUDY}")
    person.page.locator(".findings li").wait_for()
