"""The page while a game is compiled: it says so, and what is cancelled can be started again."""

from pathlib import Path

from tests.serve.page.browser import DESK, chromium, opened, serving
from tests.serve.test_preparation import BLOCK, TAKE_AWAY


def test_the_page_says_what_is_prepared_and_lets_it_be_cancelled(tmp_path: Path) -> None:
    file, complaints = tmp_path / "blocked.py", list[str]()
    file.write_text(BLOCK.format(mark=str(tmp_path / "process")) + Path(TAKE_AWAY).read_text().replace("-stake", "-7"))
    with serving(tmp_path, str(file)) as address, chromium() as browser, opened(browser, DESK, complaints) as page:
        page.goto(f"{address}#play?game=yours")
        page.locator("button.large:enabled").click()
        page.get_by_text("Preparing Take away, first time only").wait_for()
        assert page.locator("button.large").is_disabled()
        page.get_by_role("button", name="Cancel").click()
        page.locator("button.large:enabled").wait_for()
        assert not page.get_by_text("Preparing").is_visible()
    assert not complaints
