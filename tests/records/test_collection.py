"""Files to games: which files, which games, and how many of what."""

import json
from pathlib import Path

import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.records.collection import DECIDED, KNOWN, RecordFile, RecordReader, Wanted, find_files
from forethought.records.formats import RECORD_FORMATS, RecordFormat, format_of
from forethought.records.ratings import read_rating, wanted_rating
from forethought.records.transcript import DUPLICATE, ILLEGAL, RATING, RESULT, UNREADABLE
from tests.records.reading import read

WON, DRAWN, BEGUN = [0, 3, 1, 4, 2], [0, 1, 2, 4, 3, 5, 7, 6, 8], [0, 1]


def told(actions: list[int], **more: object) -> str:
    return json.dumps({"game": "tic_tac_toe", "actions": actions} | more) + "\n"


def test_results(tmp_path: Path) -> None:
    content = told(WON) + told(DRAWN) + told(BEGUN)
    for result, kept in (("any", 3), (KNOWN, 2), (DECIDED, 1)):
        found = read("json", "tic_tac_toe", content, tmp_path, Wanted(result=result))
        assert len(found.games) == kept
        assert found.tally.skipped[RESULT] == 3 - kept
    with pytest.raises(ForethoughtError, match="'won' is no choice of results; choices are any, known, decided"):
        read("json", "tic_tac_toe", content, tmp_path, Wanted(result="won"))


def test_both_ratings_must_be_high_enough(tmp_path: Path) -> None:
    content = told(WON, ratings=[1800, 1700]) + told(DRAWN, ratings=[1800, None]) + told(BEGUN)
    for rating, kept in ((None, 3), (1700.0, 1), (1701.0, 0)):
        found = read("json", "tic_tac_toe", content, tmp_path, Wanted(rating))
        assert len(found.games) == kept
        assert found.tally.skipped[RATING] == 3 - kept


@pytest.mark.parametrize(
    ("text", "rating"),
    [("1850", 1850), ("1850.5?", 1850.5), ("6d", 2600), ("1 dan", 2100), ("1k", 2000), ("30K", -900), ("9p", 2940)],
)
def test_ratings_and_ranks(text: str, rating: float) -> None:
    assert read_rating(text) == wanted_rating(text) == rating


def test_what_is_no_rating() -> None:
    for text in ("", "strong", "-", "d6"):
        assert read_rating(text) != read_rating(text)
        with pytest.raises(ForethoughtError, match="is no rating; write it as 1850, 6d"):
            wanted_rating(text)


def test_duplicates_are_found_across_files(tmp_path: Path) -> None:
    for name in ("a.json", "b.jsonl"):
        (tmp_path / name).write_text(told(WON) + told(WON, returns=[-1, 1]) + told(BEGUN))
    reader = RecordReader(ft.load("tic_tac_toe"), Wanted())
    parts: list[float] = []
    games = list(reader.games(find_files([tmp_path], None), lambda _what, part: parts.append(part)))
    assert len(games) == 2
    assert reader.tally.skipped == {DUPLICATE: 4}
    assert reader.tally.examples == []
    assert (reader.tally.files, reader.tally.games) == (2, 6)
    assert parts == sorted(parts)
    assert parts[-1] == 1.0


def test_a_game_that_is_not_wanted_does_not_make_its_duplicate_one(tmp_path: Path) -> None:
    found = read("json", "tic_tac_toe", told(WON) + told(WON, ratings=[2000, 2000]), tmp_path, Wanted(1000.0))
    assert len(found.games) == 1


def test_directories_hold_files_of_all_formats_and_other_files(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("deep/b.SGF", "a.json", "notes.txt", "games.wtb", "deep/h.openspiel"):
        (tmp_path / name).write_text("")
    found = [(file.path.name, file.format.label) for file in find_files([tmp_path], None)]
    assert found == [("a.json", "JSON"), ("b.SGF", "SGF"), ("h.openspiel", "OpenSpiel"), ("games.wtb", "WTHOR")]
    assert [file.path.name for file in find_files([tmp_path], "wthor")] == ["games.wtb"]
    assert find_files([tmp_path / "notes.txt"], "json")[0].format.label == "JSON"


def test_files_that_are_not_there_or_not_known(tmp_path: Path) -> None:
    with pytest.raises(ForethoughtError, match="There is no file, directory or run"):
        find_files([tmp_path / "none.sgf"], None)
    with pytest.raises(ForethoughtError, match="There are no files of records there"):
        find_files([tmp_path], None)
    (tmp_path / "games.txt").touch()
    with pytest.raises(ForethoughtError, match="does not tell its format; name one of data-set, json, openspiel, run"):
        find_files([tmp_path / "games.txt"], None)
    with pytest.raises(ForethoughtError, match="There is no format of records 'pgn'"):
        format_of(Path("a.sgf"), "pgn")


def test_a_file_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_bytes(b"nothing")
    (tmp_path / "b.json").write_text(told(WON))
    reader = RecordReader(ft.load("tic_tac_toe"), Wanted())
    assert len(list(reader.games(find_files([tmp_path], None), lambda _what, _part: None))) == 1
    assert reader.tally.skipped == {UNREADABLE: 1}
    assert str(reader.tally.examples[0]).startswith(f"{tmp_path}/a.safetensors: {tmp_path}/a.safetensors is damaged")


def test_only_some_of_many_bad_games_are_told_one_by_one(tmp_path: Path) -> None:
    found = read("json", "tic_tac_toe", told([0, 0]) * 100, tmp_path)
    assert found.tally.skipped == {ILLEGAL: 100}
    assert len(found.tally.examples) == 20


@pytest.mark.slow
def test_a_hundred_thousand_games(tmp_path: Path) -> None:
    """Half of them the same, one in ten illegal: all are counted."""
    path = tmp_path / "games.json"
    with path.open("w") as file:
        for number in range(100_000):
            digits = [int(digit) for digit in f"{number // 2:05}"]
            file.write(json.dumps({"game": "connect_four", "actions": [7 if number % 10 == 9 else 3, *digits]}) + "\n")
    reader = RecordReader(ft.load("connect_four"), Wanted())
    kept = sum(1 for _ in reader.games([RecordFile(path, RECORD_FORMATS.find("json"))], lambda _what, _part: None))
    sound = {number // 2 for number in range(100_000) if number % 10 != 9}
    legal = {number for number in sound if not {*f"{number:05}"} & {*"789"}}  # there are seven columns
    assert kept == len(legal)
    assert reader.tally.games == 100_000 == kept + sum(reader.tally.skipped.values())


def test_the_formats_there_are() -> None:
    assert RECORD_FORMATS.names() == ["data-set", "json", "openspiel", "run", "sgf", "wthor"]
    for _, format in RECORD_FORMATS:
        assert isinstance(format, RecordFormat)
        assert format.label
