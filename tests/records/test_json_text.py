"""Our own JSON: what is exported, what a command prints, and what the page saves."""

import io
import json
import math
from pathlib import Path

import pytest

import forethought as ft
from forethought.records.formats import RECORD_FORMATS
from forethought.records.json_text import objects
from forethought.records.transcript import ILLEGAL, NO_MOVES, OTHER_GAME, UNREADABLE
from forethought.results import as_data
from tests.records.reading import played_game, read, same

JSON = RECORD_FORMATS.find("json")
GAME = {"game": "tic_tac_toe", "actions": [0, 1, 4, 2, 8]}


def test_what_we_write_we_read(tmp_path: Path) -> None:
    for spec in ("hex(size=4)", "leduc", "goofspiel(cards=4)", "go(size=5)"):
        game = ft.load(spec)
        names = ('a\\"{', "藤") if game.players == 2 else ()
        games = [played_game(game, seed, names) for seed in range(10)]
        found = read("json", spec, b"".join(JSON.write(game, games)), tmp_path)
        unlike = list({tuple(one.actions): one for one in games}.values())
        assert all(same(*pair) for pair in zip(found.games, unlike, strict=True))


def test_games_that_the_command_line_prints(tmp_path: Path) -> None:
    games = ft.play_games("connect_four", "random", 5, seed=1)
    found = read("json", "connect_four", json.dumps(as_data(games), indent=2), tmp_path)
    assert [one.actions for one in found.games] == [one.actions for one in games]
    assert [list(one.returns) for one in found.games] == [one.returns for one in games]
    assert found.games[0].names == ("random", "random")


def test_games_that_the_page_saves(tmp_path: Path) -> None:
    saved = {"forethought": 1, "game": "tic_tac_toe", "seats": ["human", "uct:100"], "actions": [0, 1], "resigned": 1}
    (one,) = read("json", "tic_tac_toe", json.dumps(saved), tmp_path).games
    assert one.returns == (1.0, -1.0)
    assert one.names == ("human", "uct:100")


def test_a_game_that_was_set_up_is_refused(tmp_path: Path) -> None:
    saved = {"game": "tic_tac_toe", "actions": [0, 1], "start": {"pieces": [0] * 9, "to_move": 1}}
    assert read("json", "tic_tac_toe", json.dumps(saved), tmp_path).problem == (UNREADABLE, 0)


def test_the_same_game_by_another_string(tmp_path: Path) -> None:
    for spec in ("hex(size=11)", "hex(11)", " hex ", "hex(swap=false)"):
        assert read("json", "hex", json.dumps({"game": spec, "actions": [3]}), tmp_path).games
    for spec in ("hex(size=12)", "hex(swap=true)", "hex(", "hex(11,false,3)", "go", "../evil.py", ""):
        assert read("json", "hex", json.dumps({"game": spec, "actions": [3]}), tmp_path).problem == (OTHER_GAME, 0)


def test_a_file_that_names_a_file_of_code_does_not_run_it(tmp_path: Path) -> None:
    code = tmp_path / "evil.py"
    code.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    assert read("json", "hex", json.dumps({"game": str(code), "actions": [3]}), tmp_path).problem == (OTHER_GAME, 0)
    assert not (tmp_path / "ran").exists()


def told(**changes: object) -> str:
    return json.dumps(GAME | changes)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", (UNREADABLE, 0)),
        ("[]", (UNREADABLE, 0)),
        ("[1, 2, 3]", (UNREADABLE, 0)),
        ("{}", (UNREADABLE, 0)),
        ("{" * 5000 + "}" * 5000, (UNREADABLE, 0)),
        ('{"game": [' + "[" * 100_000 + "]" * 100_000 + "]}", (UNREADABLE, 0)),
        (told()[:-5], (UNREADABLE, 0)),
        (told(actions="0, 1"), (UNREADABLE, 0)),
        (told(actions=[0, 1.5]), (UNREADABLE, 0)),
        (told(actions=[0, True]), (UNREADABLE, 0)),
        (told(actions=[0, -1]), (UNREADABLE, 0)),
        (told(actions=[0, 10**30]), (UNREADABLE, 0)),
        (told(actions=[0, 9]), (ILLEGAL, 2)),
        (told(actions=[0, 2**31 - 1]), (ILLEGAL, 2)),
        (told(actions=[0, 0]), (ILLEGAL, 2)),
        (told(actions=[]), (NO_MOVES, 0)),
        (told(setup=5), (NO_MOVES, 0)),
        (told(setup=-1), (UNREADABLE, 0)),
        (told(setup="1"), (UNREADABLE, 0)),
        (told(game=7), (UNREADABLE, 0)),
        (b'{"game": "tic_tac_toe", "actions": [0], "players": "\xff"}', (UNREADABLE, 0)),
        ('{"game": "tic_tac_toe", "actions": [' + "9" * 5000 + "]}", (UNREADABLE, 0)),
    ],
)
def test_what_is_wrong(content: str | bytes, problem: tuple[str, int], tmp_path: Path) -> None:
    assert read("json", "tic_tac_toe", content, tmp_path).problem == problem


@pytest.mark.parametrize(
    "changes",
    [
        {"returns": [5]},
        {"returns": "won"},
        {"returns": [math.nan, 1]},
        {"returns": [10**400, 1]},
        {"ratings": [10**400, "6d"]},
        {"players": [1, None]},
        {"players": ["\ud800", "b"]},
        {"players": "ab"},
        {"resigned": 7},
        {"resigned": True},
    ],
)
def test_what_is_said_besides_is_taken_only_if_it_makes_sense(changes: dict[str, object], tmp_path: Path) -> None:
    (one,) = read("json", "tic_tac_toe", told(**changes), tmp_path).games
    assert one.returns == (1.0, -1.0)
    assert not any(map(math.isfinite, one.ratings))
    (begun,) = read("json", "tic_tac_toe", told(actions=[0, 1], **changes), tmp_path).games
    assert begun.returns is None


def test_what_stands_between_objects_is_not_silently_lost(tmp_path: Path) -> None:
    content = f"[{told()},\n{told(actions=[1, 0])}] rubbish {told(actions=[2])}"
    found = read("json", "tic_tac_toe", content, tmp_path)
    assert (found.tally.kept, found.tally.skipped) == (3, {UNREADABLE: 1})
    assert found.tally.examples[0].game == 3


@pytest.mark.parametrize("chunk", range(1, 6))
def test_where_a_window_ends_makes_no_difference(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    content = rb'[{"a": "\"}{", "b": {}}, {"c": 1}] {"d": "'
    whole = list(objects(io.BytesIO(content)))
    assert whole == [rb'{"a": "\"}{", "b": {}}', b'{"c": 1}', b'{"d": "']
    monkeypatch.setattr("forethought.records.window.CHUNK", chunk)
    assert list(objects(io.BytesIO(content))) == whole


def test_an_object_without_an_end_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forethought.records.window.CHUNK", 100)
    monkeypatch.setattr("forethought.records.json_text.LONGEST_GAME", 1000)
    for filling in (b"x", b"{", b'"', b'{"a":'):
        found = list(objects(io.BytesIO(b'{"a": "' + filling * 5000)))
        assert max(map(len, found)) <= 1200
