"""`forethought sweep` as a user types it: what is printed, and what Ctrl-C says."""

import sys
from pathlib import Path

import pytest

import forethought as ft
from forethought.cli import main

BRIEF = """
game = "kuhn"
iterations = 1
seeds = [1, 2]
[settings]
games = 1
search.simulations = 20
learning.steps = 1
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path / "runs"))
    (tmp_path / "brief.toml").write_text(BRIEF)
    return tmp_path / "brief.toml"


def typed(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["forethought", "sweep", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


def lines_of(text: str) -> list[str]:
    """List what is said, without notes about compilation and the forecast that a slow machine calls for."""
    return [line for line in text.splitlines() if line.strip() and not line.startswith(("compiling", "sweep: "))]


@pytest.mark.slow
def test_a_sweep_tells_what_it_does_and_ends_in_a_table(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed(monkeypatch, file) == 0
    shown = capsys.readouterr()
    said = lines_of(shown.err)
    assert said[0] == "sweep brief: 1 variant of kuhn with 2 seeds, 2 runs"
    assert [line.split()[0] for line in said[1:]] == ["brief-seed1", "brief-seed2"]
    heading, _, row, *_, last = lines_of(shown.out)
    assert heading.split("  ")[0].strip() == "variant"
    assert "seeds 1, 2" in heading
    assert row.split()[:2] == ["default", "nashconv"]
    assert last == f"table, values and picture are in {file.parent / 'runs' / 'sweeps' / 'brief'}"
    assert typed(monkeypatch, file) == 0
    assert lines_of(capsys.readouterr().err)[1] == "2 of them are complete"


def test_ctrl_c_says_how_to_go_on(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("forethought.api.sweeps.match", interrupted)
    file.write_text(BRIEF + "[[measure.match]]\ngames = 2\n")
    assert typed(monkeypatch, file) == 130
    assert f"stopped; `forethought sweep {file}` goes on" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(file.parent / "runs"))
    assert ft.sweep(file).variants[0].runs == ["brief-seed1", "brief-seed2"]


def test_a_mistake_is_one_sentence(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text("gam = 'kuhn'")
    assert typed(monkeypatch, file) == 2
    assert capsys.readouterr().err == f"error: {file}: there is no key 'gam'; did you mean game?\n"
