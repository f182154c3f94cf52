"""OpenSpiel's histories: what it writes we read, and what we write it replays."""

from pathlib import Path

import numpy as np
import pyspiel
import pytest

import forethought as ft
from forethought.records.formats import RECORD_FORMATS
from forethought.records.openspiel import TRANSLATORS
from forethought.records.transcript import AFTER_END, ILLEGAL, NO_MOVES, OTHER_GAME, UNREADABLE
from tests.records.reading import played_game, read

OPEN_SPIEL = RECORD_FORMATS.find("openspiel")
PAIRS = [
    ("breakthrough(rows=6,columns=5)", "breakthrough(rows=6,columns=5)"),
    ("breakthrough", "breakthrough"),
    ("connect_four", "connect_four"),
    ("go(size=5,komi=0.5)", "go(board_size=5,komi=0.5)"),
    ("hex(size=4)", "hex(board_size=4)"),
    ("hex(size=4,swap=true)", "hex(board_size=4,swap=True)"),
    ("othello", "othello"),
    ("tic_tac_toe", "tic_tac_toe"),
]


def spiel_games(name: str, count: int) -> list[object]:
    """Play random games in OpenSpiel; in Go, none in which a position comes back: there that ends the game at once."""
    made, seed, game = [], 0, pyspiel.load_game(name)
    while len(made) < count:
        rng, state, seed = np.random.default_rng(seed), game.new_initial_state(), seed + 1
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(int(legal[rng.integers(len(legal))]))
        if not name.startswith("go") or state.history()[-2:] == [25, 25]:
            made.append(state)
    return made


def test_every_game_is_tested() -> None:
    assert {spec.partition("(")[0] for spec, _ in PAIRS} == {*TRANSLATORS}


@pytest.mark.parametrize(("spec", "name"), PAIRS)
def test_histories_of_open_spiel_come_to_the_same_result(spec: str, name: str, tmp_path: Path) -> None:
    states = spiel_games(name, 30)
    lines = "".join(" ".join(map(str, state.history())) + "\n" for state in states)
    lists = "".join(f"{state.history()}\n" for state in states)
    game = pyspiel.load_game(name)
    blocks = "".join(pyspiel.serialize_game_and_state(game, state) for state in states)
    for content in (lines, lists, blocks):
        found = read("openspiel", spec, content, tmp_path)
        assert {*found.tally.skipped} <= {"duplicate"}
        assert [one.returns for one in found.games] == list(
            {tuple(state.history()): tuple(state.returns()) for state in states}.values()
        )


@pytest.mark.parametrize(("spec", "name"), PAIRS)
def test_open_spiel_replays_what_we_write(spec: str, name: str) -> None:
    game = ft.load(spec)
    games = [played_game(game, seed) for seed in range(20)]
    for one, content in zip(games, OPEN_SPIEL.write(game, games), strict=True):
        theirs, state = pyspiel.deserialize_game_and_state(content.decode())
        assert state.is_terminal()
        assert tuple(state.returns()) == one.returns
        assert len(state.history()) == len(one.actions)
        assert theirs.get_parameters() == pyspiel.load_game(name).get_parameters()


@pytest.mark.parametrize(("spec", "name"), PAIRS)
def test_what_we_write_we_read(spec: str, name: str, tmp_path: Path) -> None:
    game = ft.load(spec)
    games = [played_game(game, seed) for seed in range(10)]
    found = read("openspiel", spec, b"".join(OPEN_SPIEL.write(game, games)), tmp_path)
    assert [one.actions for one in found.games] == [one.actions for one in games]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", (UNREADABLE, 0)),
        ("3 3 seven", (UNREADABLE, 3)),
        ("3 3 7", (UNREADABLE, 3)),
        ("3 -3", (UNREADABLE, 2)),
        ("99999999999999999999", (UNREADABLE, 1)),
        ("3 3 3 3 3 3 3", (ILLEGAL, 7)),
        ("0 1 0 1 0 1 0 1", (AFTER_END, 8)),
        ("[]", (NO_MOVES, 0)),
        ("[Game]\nhex(board_size=4)\n[State]\n3\n", (OTHER_GAME, 0)),
        ("[Game]\nconnect_four()\n[State]\n", (NO_MOVES, 0)),
        (b"\xff\xfe\x00", (UNREADABLE, 1)),
        (b"1 " * (1 << 19), (UNREADABLE, 0)),
    ],
)
def test_what_is_wrong(content: str | bytes, problem: tuple[str, int], tmp_path: Path) -> None:
    assert read("openspiel", "connect_four", content, tmp_path).problem == problem


def test_parameters_that_are_left_out_are_those_of_open_spiel(tmp_path: Path) -> None:
    assert read("openspiel", "hex", "[Game]\nhex()\n[State]\n3\n", tmp_path).games
    for parameters in ("board_size=9", "board_size=9,komi=7.50"):
        assert read("openspiel", "go(size=9)", f"[Game]\ngo({parameters})\n[State]\n3\n", tmp_path).games
    for parameters in ("", "board_size=9,komi=6.5"):  # the first is 19 by 19
        content = f"[Game]\ngo({parameters})\n[State]\n3\n"
        assert read("openspiel", "go(size=9)", content, tmp_path).problem == (OTHER_GAME, 0)


def test_its_othello_has_the_standard_board_only() -> None:
    with pytest.raises(ft.ForethoughtError, match="OpenSpiel's board has 8 x 8 cells"):
        TRANSLATORS["othello"](ft.load("othello(size=6)", compiled=False))
