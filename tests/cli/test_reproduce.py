"""`forethought reproduce` and `compare` as a user types them: what is printed, and what is wrong, in one sentence."""

import sys
from pathlib import Path

import pytest

from forethought.cli import main
from forethought.cli.reproduce import read_words
from tests.reproduce.small import PAPERS


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def typed(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["forethought", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


@pytest.mark.slow
def test_an_item_ends_in_its_table_and_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert typed(monkeypatch, "reproduce", "small", "--papers", PAPERS, "--set", "seeds=[1]", "--set", "games=2") == 0
    shown = capsys.readouterr()
    begun = "small table-1, budget quick: Networks and searches in Kuhn poker; forecast: 1 min on two cores"
    assert begun in shown.err
    assert "the paper plays with other cards" in shown.out
    assert f"the page is {tmp_path / 'reproduce' / 'quick' / 'small-table-1.md'}" in shown.out
    assert "one iteration was trained, not two." in shown.out


def test_the_list_shows_forecasts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(monkeypatch, "reproduce", "--list", "--papers", PAPERS) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if "table-1" in line)
    assert row.split("  ")[-1].strip() == "90 min"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("reproduce",), "Name a paper; `forethought reproduce --list` shows what there is."),
        (
            ("reproduce", "--list", "exit"),
            "There is no paper 'exit'; did you mean exit-oos? Papers are alphago, ",
        ),
        (("reproduce", "nfsp", "kuhn"), "There is no item 'kuhn'; items are leduc."),
        (
            ("reproduce", "nfsp", "--set", "games"),
            "--set takes a word and its value, games=100, not 'games'.",
        ),
        (("compare", "kuhn"), "There is nobody to compare; name players or learners."),
        (("compare", "kuhn", "--players", "oos", "--output", "a.gif"), "The picture a.gif must end in .png or .svg."),
    ],
)
def test_mistakes_are_one_sentence(
    arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed(monkeypatch, *arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"error: {said}")


def test_words_are_values() -> None:
    texts = ["games=100", "seeds=[1, 2]", "expert=uct:400", "rate=0.5", 'game="hex(size=5)"']
    values = {"games": 100, "seeds": [1, 2], "expert": "uct:400", "rate": 0.5, "game": "hex(size=5)"}
    assert read_words(texts) == values
