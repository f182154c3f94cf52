"""`forethought records` prints what its functions return, and refuses what they refuse in one sentence."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.cli import main
from forethought.errors import ForethoughtError
from forethought.results import as_data

HEX = "hex(size=3,swap=true)"
GAMES = """(;GM[11]SZ[3]PB[a]PW[b]BR[1900]WR[1800];B[b1];W[a1];B[b2];W[a2];B[b3])
(;GM[11]SZ[3]PB[b]PW[a];B[b1];W[swap-pieces];B[c1])(;GM[11]SZ[3];B[b1];W[b1])(;GM[11]SZ[3];B[b1];W[swap-sides];W[c1])
(;GM[11]SZ[3];B[b1];W[swap-pieces];B[c1])"""
CLOCK = {"seconds", "games_per_second"}

Answer = tuple[str, str, int]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.sgf").write_text(GAMES)
    return tmp_path


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """What `forethought records` prints, to which stream, and with which exit code."""

    def run(*arguments: str) -> Answer:
        monkeypatch.setattr(sys, "argv", ["forethought", "records", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        return shown.out, shown.err, int(end.value.code or 0)

    return run


def timeless(result: Any) -> Any:
    return {key: value for key, value in as_data(result).items() if key not in CLOCK}


def test_each_command_prints_what_its_function_returns(files: Path, typed: Callable[..., Answer]) -> None:
    def printed(*arguments: str) -> Any:
        shown, complaint, code = typed(*arguments, "--json")
        assert code == 0, complaint
        return timeless(json.loads(shown))

    options = {"held_out": 0.5, "seed": 3, "result": "any"}
    given = ["--held-out", "0.5", "--seed", "3", "--result", "any"]
    made = ft.import_records(HEX, "games.sgf", "called.safetensors", **options)
    shown = printed("import", HEX, "games.sgf", "-o", "typed.safetensors", *given)
    assert shown | {"output": ""} == timeless(made) | {"output": ""}
    assert (files / "called.safetensors").read_bytes() == (files / "typed.safetensors").read_bytes()
    assert (made.games, made.kept, made.train + made.held_out) == (5, 3, 3)
    assert made.skipped == {"duplicate": 1, "illegal move": 1}
    assert printed("verify", HEX, "games.sgf", "--min-rating", "1800") == timeless(
        ft.verify_records(HEX, ["games.sgf"], min_rating=1800)
    )
    assert printed("stats", "called.safetensors") == timeless(ft.describe_records("called.safetensors"))
    exported = ft.export_records("called.safetensors", "called.jsonl", part="all")
    assert printed("export", "called.safetensors", "typed.jsonl") | {"output": ""} == timeless(exported) | {
        "output": ""
    }
    assert (files / "called.jsonl").read_bytes() == (files / "typed.jsonl").read_bytes()


def test_people_read_counts_and_the_position_of_a_bad_game(files: Path, typed: Callable[..., Answer]) -> None:
    shown, _, code = typed("import", HEX, "games.sgf", "-o", "hex.safetensors")
    assert code == 0
    assert "skipped: illegal move" in shown
    assert "games.sgf: game 3, move 2: a2 is not legal." in shown
    assert "X . . 2" in shown
    shown, _, _ = typed("stats", "hex.safetensors")
    assert "3 games of hex(size=3,swap=True)" in shown
    assert "first moves: a2 3" in shown
    assert "players: a 2, b 2" in shown


def test_what_goes_round_through_every_format_is_the_same(files: Path) -> None:
    games = [one.as_dict() for one in ft.play_games("othello", "random", 12, seed=2)]
    (files / "games.json").write_text(json.dumps(games))
    ft.import_records("othello", "games.json", "first.safetensors", held_out=0.3, seed=5)
    first = ft.open_records("first.safetensors")
    for name in ("games.sgf", "games.wtb", "games.openspiel", "games.jsonl"):
        told = ft.export_records("first.safetensors", name)
        assert (told.games, told.left_out) == (12, 0)
        ft.import_records("othello", [name], "again.safetensors", held_out=0.3, seed=5)
        again = ft.open_records("again.safetensors")
        assert again.actions.tolist() == first.actions.tolist()
        assert again.held_out.tolist() == first.held_out.tolist()
        np.testing.assert_array_equal(again.returns, first.returns)
    ft.import_records("othello", ["first.safetensors", "games.sgf"], "both.safetensors")
    assert len(ft.open_records("both.safetensors")) == 12


def test_a_format_that_must_know_who_won_leaves_out_games_of_which_nobody_does(files: Path) -> None:
    begun = {"game": "othello", "actions": [20]}
    won = begun | {"returns": [1, -1], "actions": [20, 19]}
    (files / "games.jsonl").write_text(f"{json.dumps(begun)}\n{json.dumps(won)}\n")
    ft.import_records("othello", "games.jsonl", "o.safetensors")
    told = ft.export_records("o.safetensors", "o.wtb")
    assert (told.games, told.left_out) == (1, 1)
    assert (files / "o.wtb").stat().st_size == 16 + 68


def test_a_game_of_ones_own(files: Path) -> None:
    rules = Path(__file__).parents[2] / "docs/games/doubt.py"
    game = f"{rules}"
    (files / "games.json").write_text(json.dumps([one.as_dict() for one in ft.play_games(game, "random", 3, seed=1)]))
    ft.import_records(game, "games.json", "own.safetensors")
    with pytest.raises(ForethoughtError, match="which is code: name the game yourself"):
        ft.open_records("own.safetensors")
    assert ft.describe_records("own.safetensors", game=game).games == len(ft.open_records("own.safetensors", game=game))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("import", HEX, "none.sgf", "-o", "a.safetensors"), "There is no file, directory or run 'none.sgf'."),
        (("import", HEX, "games.sgf", "-o", "a.txt"), "A data set is a file .safetensors, not 'a.txt'."),
        (
            ("import", HEX, "games.sgf", "-o", "a.safetensors", "--held-out", "2"),
            "held_out must be a share from 0 to 1",
        ),
        (("import", HEX, "games.sgf", "-o", "a.safetensors", "--min-rating", "x"), "'x' is no rating"),
        (("import", HEX, "games.sgf", "-o", "a.safetensors", "--result", "x"), "'x' is no choice of results"),
        (("import", HEX, "games.sgf", "-o", "a.safetensors", "--format", "x"), "There is no format of records 'x'"),
        (("import", "go", "games.sgf", "-o", "a.safetensors"), "None of 5 games can be used; nothing is written. The"),
        (("import", "leduc", "games.sgf", "-o", "a.safetensors"), "SGF is for go, gomoku, hex, othello here"),
        (("stats", "games.sgf"), "games.sgf is damaged, or no data set of games"),
        (("export", "none.safetensors", "a.sgf"), "There is no data set of games 'none.safetensors'"),
    ],
)
def test_mistakes_are_one_sentence(
    arguments: tuple[str, ...], sentence: str, files: Path, typed: Callable[..., Answer]
) -> None:
    shown, complaint, code = typed(*arguments)
    assert code == 2
    assert complaint.startswith("error: ")
    assert sentence in complaint
    assert len(complaint.splitlines()) == 1
    assert "Traceback" not in shown + complaint
    assert not (files / "a.safetensors").exists()


def test_a_format_of_ones_own_is_one_file(files: Path) -> None:
    (files / "my_format.py").write_text(
        """
from forethought.records.formats import RecordFormat, register_record_format
from forethought.records.transcript import Transcript

@register_record_format("digits")
class Digits(RecordFormat):
    label = "digits"
    suffixes = (".digits",)

    def read(self, source, game):
        for number, line in enumerate(source.file, 1):
            yield Transcript(number, [int(digit) for digit in line.decode().strip()])
"""
    )
    (files / "games.digits").write_text("03142\n00\n")
    command = [sys.executable, "-m", "forethought", "records", "verify", "tic_tac_toe", "games.digits", "--json"]
    environment = os.environ | {"FORETHOUGHT_PLUGINS": "my_format.py"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert json.loads(done.stdout)["skipped"] == {"illegal move": 1}
    assert json.loads(done.stdout)["kept"] == 1
