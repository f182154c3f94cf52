"""A server with a user's game, a browser, and a person at the page. No console may complain.

Where there is no browser, test modules skip as they import `browser`: here it is not imported before a test needs it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from forethought.serve.settings import ServerSettings
from tests.serve.running_server import running

if TYPE_CHECKING:
    from tests.serve.page.browser import Person, sync_api

TAKE_AWAY = Path(__file__).parents[2] / "userfiles" / "take_away.py"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server runs. The game file is a user's, with names that would be markup if they were not text."""
    directory = tmp_path_factory.mktemp("page")
    rules = TAKE_AWAY.read_text().replace("stones, player", "<b>stones</b>, player")
    (directory / "take_away.py").write_text(rules)
    return directory


@pytest.fixture(scope="module")
def address(home: Path) -> Iterator[str]:
    """A server in this process, so that each test is charged for its own searches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORETHOUGHT_RUNS", str(home / "runs"))
        with running(ServerSettings(file=str(home / "take_away.py"))) as found:
            yield f"{found}/"


@pytest.fixture(scope="module")
def browser() -> Iterator["sync_api.Browser"]:
    """One browser for the tests of a file, each of which opens a page in a profile of its own.

    Not for a whole session: while Playwright runs, nothing else in its thread can run an event loop.
    """
    from tests.serve.page.browser import chromium  # noqa: PLC0415

    with chromium() as found:
        yield found


@pytest.fixture
def person(address: str, browser: "sync_api.Browser") -> Iterator["Person"]:
    from tests.serve.page.browser import DESK, Person, opened  # noqa: PLC0415

    complaints: list[str] = []
    with opened(browser, DESK, complaints) as page:
        yield Person(page, address)
    assert complaints == []
