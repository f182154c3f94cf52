"""A small paper from end to end: its page, what is done once, and interruptions anywhere."""

import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import forethought as ft
from forethought import files
from forethought.api.steps import StepStore
from forethought.reproduce import measures
from forethought.reproduce.items import item_names, paper_names, read_item
from forethought.reproduce.result import ReproducedItem
from forethought.reproduce.verdicts import NOT_COMPARABLE, Span
from tests.api.test_twins import as_json
from tests.reproduce.small import PAPERS
from tests.tiers import others_slow

SAID = (
    "Nobody, A small game, 1950",
    "one iteration was trained, not two",
    "invented for tests",
    "rows that need a larger budget: after the last iteration",
    "seeds 1, 2",
    "forecast for two cores: 1",
    "kuhn, algorithm=exit-oos",
    f"forethought {ft.__version__} (",
)
# Words of budgets, small enough for a test of all items.
SMALL: dict[str, Any] = {
    "iterations": 1,
    "simulations": 8,
    "large_simulations": 8,
    "few": 8,
    "many": 16,
    "opponent": 8,
    "games": 2,
    "matches": 2,
    "search_games": 2,
    "early": 1,
    "middle": 1,
    "last": 1,
    "expert": "uct:8",
    "expert_iterations": 1,
    "imitation": 1,
    "rollout": 1,
    "reinforcement": 1,
    "value": 1,
}
OTHERS = {
    ("tspg", "figure-2"): {"games": 200},  # it looks at checkpoints until then
    ("exit-oos", "table-5"): {"iterations": 3, "at200": 2, "at500": 3},  # a ladder takes each player once
}
CLOCK = re.compile(r"[\d.]+ minutes")


def made(**given: Any) -> ReproducedItem:
    (item,) = ft.reproduce("small", papers=PAPERS, **given)
    return item


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where one reproduction was made that nothing disturbed."""
    with pytest.MonkeyPatch.context() as patch:
        directory = tmp_path_factory.mktemp("whole")
        patch.setenv("FORETHOUGHT_RUNS", str(directory))
        yield directory


@pytest.fixture(scope="module")
def whole(home: Path) -> ReproducedItem:
    return made()


def outcome(item: ReproducedItem) -> Any:
    """All that does not depend on the clock, and the page."""
    data = as_json(item)
    data.pop("minutes")
    for one in data["trainings"]:
        one.pop("minutes")
    texts = [CLOCK.sub("", item.page.with_suffix(end).read_text()) for end in (".md", ".html", ".svg")]
    return data, texts


def test_rows_are_what_the_library_measures(whole: ReproducedItem) -> None:
    rows = {one.name: one for one in whole.rows}
    (training,) = whole.trainings
    runs = [ft.open_run(run) for run in training.runs]
    assert rows["NashConv"].values == [run.newest("nashconv") for run in runs]
    assert rows["NashConv"].curve[0][0] == 1.0
    random = [
        ft.match("kuhn", f"net:{run.name}", "random", games=8, seed=at).mean_return for at, run in enumerate(runs)
    ]
    assert rows["network against random"].values == random
    assert rows["network against random"].ours.value == pytest.approx(sum(random) / 2)
    seat = ft.match("kuhn", "oos:20", "random", games=8).seats[0]
    first, above = rows["search in the first seat"], Span(seat.mean_return, seat.mean_return_low, seat.mean_return_high)
    assert first.ours == Span(*(end + 0.0556 for end in (above.value, *above.ends)))
    assert first.measured_by == "oos:20 against random, 8 games, those in seat 0, less -0.0556"
    search = rows["network against search"].values
    difference = rows["network against random less against search"].values
    assert difference == [one - other for one, other in zip(random, search, strict=True)]
    assert str(rows["NashConv"].verdict) == "not comparable: the paper plays with other cards"
    assert whole.verdicts[NOT_COMPARABLE] >= 1


class Tags(HTMLParser):
    """Checks that every element is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, _: object) -> None:
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _: object) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_page(item: ReproducedItem) -> None:
    """The page has a row for each of the item's, a picture that is XML, and HTML whose elements are closed."""
    text = item.page.read_text()
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 2 + len(item.rows)
    assert {line.count(" | ") for line in rows} == {5}
    picture = re.search(r"!\[.*\]\((.*)\)", text)
    assert picture
    ET.fromstring((item.page.parent / picture[1]).read_bytes())  # noqa: S314 (our own file)
    tags = Tags()
    tags.feed(item.page.with_suffix(".html").read_text())
    assert tags.open == []
    assert {"h1", "table", "svg", "li", "code"} <= tags.seen


def test_the_page_is_well_formed(whole: ReproducedItem, home: Path) -> None:
    assert whole.page == home / "reproduce" / "quick" / "small-table-1.md"
    check_page(whole)
    text = whole.page.read_text()
    assert whole.command in text
    for said in SAID:
        assert said in text
    assert re.search(r"network against random.*table", whole._repr_html_(), re.DOTALL)


def test_the_same_call_does_nothing_again(
    whole: ReproducedItem, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("it was played again")

    monkeypatch.setattr(measures, "match", refused)
    monkeypatch.setattr("forethought.api.sweeps.train", refused)
    monkeypatch.setattr("forethought.api.steps.package_digest", lambda: "another version of the code")
    again = made(out=tmp_path)
    assert outcome(again) == outcome(whole)
    assert again.page.read_text() == whole.page.read_text()


@pytest.mark.slow
def test_another_definition_is_done_anew(whole: ReproducedItem, home: Path) -> None:
    other = made(words={"games": 4, "seeds": [1, 2, 3]}, out=home / "other")
    assert other.trainings[0].runs[:2] == whole.trainings[0].runs  # more seeds are more runs
    assert len(other.trainings[0].runs) == 3
    assert other.rows[1].measured_by == "net:{run} against random, 4 games"
    assert other.command.endswith(f'--budget quick --set games=4 --set seeds="[1, 2, 3]" --papers {PAPERS}')
    longer = made(words={"iterations": 2, "seeds": [1, 2]}, out=home / "other")
    assert not {*longer.trainings[0].runs} & {*whole.trainings[0].runs}


class Interruption:
    """Interrupts as the file after some others is written."""

    def __init__(self) -> None:
        self.left, self._replace = 0, os.replace

    def replace(self, source: str, target: Path) -> None:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        self._replace(source, target)


@pytest.mark.parametrize("more", others_slow([1, 4], quick=[4]))
def test_interrupted_anywhere_it_goes_on_to_the_same_page(
    more: int, whole: ReproducedItem, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sitting writes some more files than the one before, and is interrupted as it writes the next."""
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    interruption, interrupted = Interruption(), 0
    monkeypatch.setattr(files.os, "replace", interruption.replace)
    while True:
        interruption.left = more * (interrupted + 1)
        try:
            found = made()
            break
        except KeyboardInterrupt:
            interrupted += 1
            assert interrupted < 100
    assert interrupted > 2
    assert outcome(found) == outcome(whole)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("paper", "item"), [(paper, item) for paper in paper_names() for item in item_names(paper)])
def test_every_packaged_item_is_made_with_a_little_of_its_budget(
    paper: str, item: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    whole = read_item(paper, item, "quick")
    small = SMALL | OTHERS.get((paper, item), {})
    words = {key: small.get(key, 1 if key.startswith("at") else value) for key, value in whole.budget.words.items()}
    (found,) = ft.reproduce(paper, item, words={**words, "seeds": [1]})
    assert len(found.rows) == len(whole.rows)
    assert all(one.ours.value is not None and one.verdict.word for one in found.rows)
    check_page(found)


def test_a_damaged_step_is_done_again(tmp_path: Path) -> None:
    steps = StepStore(tmp_path)
    assert steps.done({"asked": 1}, lambda: {"found": [1.5, None]}).found == {"found": [1.5, None]}
    (file,) = tmp_path.iterdir()
    assert StepStore(tmp_path).done({"asked": 1}, lambda: 0).found == {"found": [1.5, None]}
    file.write_text('{"found"')
    assert StepStore(tmp_path).done({"asked": 1}, lambda: 2).found == 2
    assert StepStore(tmp_path).done({"asked": 2}, lambda: 3).found == 3
