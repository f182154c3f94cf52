"""The page in a real browser: whole games by clicking, thoughts, runs, keys, a phone. No console may complain."""

import json
import sys
from pathlib import Path

import pytest

from forethought.learn.algorithms.alphazero import AlphaZeroConfiguration
from forethought.learn.algorithms.exit_oos import ExitOosConfiguration
from forethought.learn.run import Run
from forethought.learn.samples import no_samples
from forethought.serve.settings import ServerSettings
from tests.serve.page.browser import DESK, PATIENCE, PHONE, Person, opened, sync_api
from tests.serve.running_server import running
from tests.serve.stored_runs import report

HEAVIEST = 300_000  # bytes of the whole page
THINKING = """before => {
    const shown = document.querySelector(".measures")?.innerText;
    return shown && shown !== before && shown;
}"""
# in the page itself: on a busy machine a search may end before a click arrives from outside
STOP = """() => {
    const button = document.querySelector(".think button.primary");
    if (button.textContent === "Stop") button.click();
}"""
THINK_AND_STOP = """async () => {
    const button = document.querySelector(".think button.primary");
    button.click();
    while (button.textContent !== "Stop") await new Promise(requestAnimationFrame);
    button.click();
}"""


@pytest.mark.parametrize(
    "game",
    [
        "leduc",
        pytest.param("goofspiel(cards=6)", marks=pytest.mark.slow),
        pytest.param("liars_dice", marks=pytest.mark.slow),
        "connect_four",
        pytest.param("hex(size=5)", marks=pytest.mark.slow),
        pytest.param("fanorona(limit=120)", marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_is_played_by_clicking(person: Person, game: str) -> None:
    person.begin(game)
    assert person.play_on() > 0
    assert person.text(".status").split(":")[0] in ("You won", "You lost", "A draw")
    if game.startswith("goofspiel"):
        assert person.page.locator(".card.back").count() == 0  # all is shown at the end
    plies = person.page.locator(".history li").count()
    person.page.get_by_label("first position").click()
    person.page.locator(".replay .count", has_text=f"0 / {plies}").wait_for()
    person.page.get_by_label("next position").click()
    person.page.locator(".replay .count", has_text=f"1 / {plies}").wait_for()
    assert person.page.locator(".cell.open").count() == 0  # the past can only be looked at


def test_the_thinking_panel_changes_while_the_search_runs_and_it_can_be_stopped(person: Person) -> None:
    person.begin("hex(size=11)")
    person.page.locator(".think .budget").fill("200000")
    person.page.evaluate(THINK_AND_STOP)
    person.page.locator(".think:not(.running)").wait_for()
    assert "200,000" not in person.text(".think .thought")
    assert "Thinking" not in person.text(".think .thought")
    person.page.get_by_role("button", name="Think", exact=True).click()
    first = person.page.wait_for_function(THINKING, arg="").json_value()
    person.page.wait_for_function(THINKING, arg=first)
    assert person.page.locator(".bars tbody tr").count() > 1
    assert person.page.locator(".cell.warm").count() > 0 or person.page.locator(".heat:not([opacity='0'])").count() > 0
    person.page.evaluate(STOP)
    person.page.locator(".think:not(.running)").wait_for()
    person.click_something()
    assert person.wait()


def test_under_hidden_information_every_hand_has_its_strategy(person: Person) -> None:
    person.begin("leduc")
    person.page.get_by_label("at every move").check()
    person.page.locator(".grid tr.own").wait_for()
    assert sorted(person.page.locator(".grid tbody th").all_inner_texts()) == ["J", "K", "Q"]
    assert person.page.locator(".range tbody tr").count() > 1


def test_a_run_appears_and_its_curve_grows(person: Person, home: Path) -> None:
    person.page.goto(f"{person.address}#watch")
    with Run.create(home / "runs" / "leduc-1", ExitOosConfiguration(game="leduc", seed=1)) as run:
        for iteration in (1, 2, 3):
            report(run, iteration, nashconv=2.0 / iteration)
        person.page.locator('[data-run="leduc-1"] .badge.live').click()
        curve = person.page.locator('[data-metric="nashconv"]')
        curve.and_(person.page.locator('[data-points="3"]')).wait_for()
        report(run, 4, nashconv=0.4)
        curve.and_(person.page.locator('[data-points="4"]')).wait_for()
        assert "still falling" in person.text(".verdict")
    person.page.locator(".badge:not(.live)").wait_for()
    person.page.locator(".settings summary").click()
    assert "learning.rate" in person.text(".settings")


def test_a_game_of_self_play_is_shown_on_its_board(person: Person, home: Path) -> None:
    actions = [4, 0, 8, 2, 1]
    with Run.create(home / "runs" / "three", AlphaZeroConfiguration(game="tic_tac_toe", seed=1)) as run:
        run.save_game(1, 0, no_samples(9, 9), {"actions": actions, "returns": [0.0, 0.0]})
        run.close_iteration(1)
        report(run, 1, win_rate=0.5)
    person.page.goto(f"{person.address}#watch/three")
    person.page.get_by_role("button", name="iteration 1, game 1: 5 plies").click()
    person.page.get_by_label("last position").click()
    pieces = person.page.locator(".replayed .piece.owner1, .replayed .piece.owner2")
    sync_api.expect(pieces).to_have_count(len(actions))


def test_after_a_game_each_move_is_reviewed(person: Person) -> None:
    person.begin("tic_tac_toe")
    for _ in range(2):
        person.click_something()
        assert person.wait()
    person.resign()
    person.page.get_by_role("button", name="What did each move cost?").click()
    sync_api.expect(person.page.locator(".moves tbody tr")).to_have_count(4, timeout=PATIENCE)
    person.page.locator(".moves button").nth(1).click()
    person.page.locator(".replay .count", has_text="1 / 4").wait_for()


def test_who_gives_up_sees_all_cards_in_the_replay(person: Person) -> None:
    person.begin("goofspiel(cards=6)")
    person.click_something()
    assert person.wait()
    person.page.get_by_label("previous position").click()
    person.page.locator(".card.back").first.wait_for()
    person.resign()
    person.page.locator(".status", has_text="You resigned").wait_for()
    person.page.get_by_label("previous position").click()
    person.page.locator("[data-ply][aria-current]").wait_for()
    sync_api.expect(person.page.locator(".card.back")).to_have_count(0)


def test_a_users_own_game_is_played_from_its_names_and_its_text(person: Person) -> None:
    person.begin("yours(stones=7)")
    assert "7 <b>stones</b>, player 0 to take" in person.text(".text")
    assert person.page.locator(".seats li").count() == 3
    person.play_on()
    assert person.text(".status").startswith("You ")


def test_a_game_is_taken_back_given_up_saved_and_loaded(person: Person, tmp_path: Path) -> None:
    person.begin("connect_four")
    person.page.locator('[data-cell="38"]').click()  # anywhere in the column
    assert person.wait()
    person.page.get_by_role("button", name="Undo").click()
    person.page.locator(".history li").first.wait_for(state="detached")
    person.page.locator('[data-cell="3"]').click()
    assert person.wait()
    with person.page.expect_download() as coming:
        person.page.get_by_role("button", name="Save").click()
    saved = tmp_path / "saved.json"
    coming.value.save_as(saved)
    assert json.loads(saved.read_text())["actions"][0] == 3
    moves = person.page.locator(".history").inner_text()
    person.resign()
    person.page.locator(".status", has_text="You resigned").wait_for()
    person.page.get_by_role("link", name="New game").click()
    person.page.locator('input[type="file"]').set_input_files(saved)
    assert person.wait()
    assert person.text(".history") == moves


def test_keys_are_enough(person: Person) -> None:
    person.begin("tic_tac_toe")
    while not person.page.evaluate("document.activeElement.matches('.cell')"):
        person.page.keyboard.press("Tab")
    for key in ("ArrowRight", "ArrowUp", "Enter"):
        person.page.keyboard.press(key)
    assert person.wait()
    assert person.page.locator('[data-cell="4"] .piece.owner1').count() == 1


def test_what_was_refused_is_told_in_a_sentence(address: str, browser: sync_api.Browser) -> None:
    with opened(browser, DESK, []) as page:
        page.goto(f"{address}#play/no-such-session")
        page.locator("#alert p", has_text="There is no such session").wait_for(timeout=PATIENCE)
        page.get_by_role("link", name="Start another.").wait_for()
        page.goto(f"{address}#watch/100%")
        page.locator(".refusal", has_text="There is no run '100%'").wait_for()


@pytest.mark.parametrize("game", ["hex(size=11)", "goofspiel", "fanorona"])
@pytest.mark.quick_cases(1)
def test_a_phone_shows_it_without_scrolling_sideways(address: str, browser: sync_api.Browser, game: str) -> None:
    complaints: list[str] = []
    with opened(browser, PHONE, complaints) as page:
        Person(page, address).begin(game)
        for place in ("", "#watch", "#ladder"):
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            page.goto(address + place)
            page.locator("main h1, .tile").first.wait_for()
    assert complaints == []


def test_the_page_is_light(address: str, browser: sync_api.Browser) -> None:
    sizes: list[int] = []
    with opened(browser, DESK, []) as page:
        page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
        page.goto(address)
        page.locator("button.large:enabled").wait_for()
        painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    sys.stdout.write(f"\nfirst paint after {painted:.0f} ms, {sum(sizes)} bytes in {len(sizes)} answers\n")
    assert 10_000 < sum(sizes) < HEAVIEST


def test_the_ladder_of_a_game_that_pays_different_sums_is_in_what_it_pays(
    browser: sync_api.Browser, tmp_path: Path
) -> None:
    played = [
        {
            "code": "c",
            "game": "leduc",
            "a": "policy:leduc",
            "b": "random",
            "seed": 0,
            "round": number,
            "returns": returns,
        }
        for number, returns in enumerate([[[5, -5], [-1, 1]], [[-1, 1], [-2, 2]]] * 20)
    ]
    matches = tmp_path / "matches.jsonl"
    matches.write_text("".join(f"{json.dumps(one)}\n" for one in played))
    complaints: list[str] = []
    with running(ServerSettings(matches=matches)) as found, opened(browser, DESK, complaints) as page:
        page.goto(f"{found}/#ladder")
        page.get_by_role("heading", name="Ratings: payoff per game, against random").wait_for()
        first = page.locator(".data").first.locator("tbody tr").first.inner_text().split("\t")
        assert (*first[:2], first[-1]) == ("A solved policy, leduc", "+1.75", "policy:leduc")
        assert "wins of first" in page.locator(".data").last.locator("thead").inner_text()
        sizes = page.locator(".estimate").evaluate_all("all => all.map((one) => one.getBoundingClientRect().width)")
        assert min(sizes) > 10
    assert complaints == []
