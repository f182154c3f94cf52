"""The games of a run, as records."""

from pathlib import Path

import pytest

import forethought as ft
from forethought.learn.run import Run, SavedGame
from tests.records.reading import read_file

SETTINGS = {"games": 3, "learning.steps": 2, "evaluation.games": 2}


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("runs") / "demo"
    ft.train("kuhn", run=made, iterations=2, seed=1, simulations=10, workers=1, settings=SETTINGS)
    return made


def saved_games(directory: Path) -> list[SavedGame]:
    return [one for _, games in Run.open(directory, lock=False).all_games() for one in games]


def test_the_games_of_a_run_are_records(directory: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    played = {tuple(one.about["actions"]): tuple(one.about["returns"]) for one in saved_games(directory)}
    found = read_file("run", "kuhn", directory)
    assert found.tally.games == 6
    assert {tuple(one.actions): one.returns for one in found.games} == played
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(directory.parent))
    assert ft.import_records("kuhn", "demo", tmp_path / "kuhn.safetensors").kept == len(played)


def test_a_run_of_another_game_and_a_damaged_one(directory: Path) -> None:
    assert "it is a run of kuhn, not of leduc" in read_file("run", "leduc", directory).tally.examples[0].reason
    first = sorted((directory / "games").glob("*.safetensors"))[0]
    content = first.read_bytes()
    first.write_bytes(content[:-1])
    try:
        found = read_file("run", "kuhn", directory)
        assert not found.games
        assert "is damaged" in found.tally.examples[0].reason
    finally:
        first.write_bytes(content)
