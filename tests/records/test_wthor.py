"""WTHOR, against a writer and a reader of the published layout, byte by byte."""

from pathlib import Path

import numpy as np
import pyspiel
import pytest

import forethought as ft
from forethought.records.formats import RECORD_FORMATS
from forethought.records.transcript import ILLEGAL, NO_MOVES, OTHER_GAME, UNREADABLE
from tests.records.reading import Read, played_game, read
from tests.records.test_sgf import SHORTEST_OTHELLO

WTHOR = RECORD_FORMATS.find("wthor")


def number(value: int, size: int) -> bytes:
    return bytes((value >> (8 * place)) & 255 for place in range(size))


def header(games: int, size: int = 8, kind: int = 0) -> bytes:
    return bytes([20, 26, 1, 31]) + number(games, 4) + number(0, 2) + number(2025, 2) + bytes([size, kind, 22, 0])


def coded(name: str) -> int:
    """Return the byte of a cell such as f5: ten times its row and its column, both from 1."""
    return 10 * int(name[1]) + "abcdefgh".index(name[0]) + 1


def record(moves: list[str], score: int, players: tuple[int, int] = (3, 700)) -> bytes:
    cells = bytes(map(coded, moves))
    return (
        number(12, 2) + number(players[0], 2) + number(players[1], 2) + bytes([score, score]) + cells.ljust(60, b"\0")
    )


def read_wtb(content: bytes, directory: Path) -> Read:
    return read("wthor", "othello", content, directory)


def spiel_game(seed: int) -> tuple[list[str], list[float], int]:
    """Play a random game in OpenSpiel: its cells, what was won, Black's discs with the empty cells of the winner."""
    rng, state, cells = np.random.default_rng(seed), pyspiel.load_game("othello").new_initial_state(), []
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        if action != 64:
            cells.append(state.action_to_string(action))
        state.apply_action(action)
    drawn = str(state)
    rows = [line[2:18] for line in drawn.splitlines() if line[:1].isdigit()]
    black, white = ("".join(rows).count(mark) for mark in "xo")
    returns = state.returns()
    return (
        cells,
        returns,
        black + (64 - black - white) * (returns[0] > 0) + (64 - black - white) // 2 * (returns[0] == 0),
    )


def test_a_known_game(tmp_path: Path) -> None:
    (one,) = read_wtb(header(1) + record(SHORTEST_OTHELLO, 64), tmp_path).games
    assert one.returns == (1.0, -1.0)
    assert one.names == ("WTHOR 3", "WTHOR 700")


def test_passes_are_put_in(tmp_path: Path) -> None:
    games = [spiel_game(seed) for seed in range(40)]
    content = header(40) + b"".join(record(cells, score) for cells, _, score in games)
    found = read_wtb(content, tmp_path)
    assert [list(one.returns) for one in found.games] == [returns for _, returns, _ in games]
    assert found.tally.disagreements == 0
    assert sum(one.actions.count(64) for one in found.games) > 5


def test_a_game_that_was_given_up_is_won_by_its_score(tmp_path: Path) -> None:
    for score, returns in ((20, (-1.0, 1.0)), (32, (0.0, 0.0)), (33, (1.0, -1.0))):
        (one,) = read_wtb(header(1) + record(SHORTEST_OTHELLO[:4], score), tmp_path).games
        assert one.returns == returns


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", (UNREADABLE, 0)),
        (header(1)[:10], (UNREADABLE, 0)),
        (header(1), (UNREADABLE, 0)),  # and then nothing
        (header(1, size=10) + record(["f5"], 64), (OTHER_GAME, 0)),
        (header(1, kind=1) + record(["f5"], 64), (OTHER_GAME, 0)),
        (header(1) + record(["f5"], 64)[:-1], (UNREADABLE, 0)),
        (header(1) + record(["f5", "f5"], 64), (ILLEGAL, 2)),
        (header(1) + record([], 32), (NO_MOVES, 0)),
        (header(1) + record(["f5", "d6"], 64)[:-59] + bytes([99]) + bytes(58), (UNREADABLE, 2)),
        (header(1) + record(["f5"], 64)[:-58] + bytes([46]) + bytes(57), (UNREADABLE, 2)),  # a gap in the middle
    ],
)
def test_what_is_wrong(content: bytes, problem: tuple[str, int], tmp_path: Path) -> None:
    assert read_wtb(content, tmp_path).problem == problem


def test_a_file_that_ends_early_keeps_what_it_has(tmp_path: Path) -> None:
    found = read_wtb(header(5) + record(SHORTEST_OTHELLO, 64) + record(SHORTEST_OTHELLO[:2], 64), tmp_path)
    assert (found.tally.kept, found.tally.skipped) == (2, {UNREADABLE: 1})
    assert "5 games, and ends after 2" in found.tally.examples[0].reason


def test_what_we_write_another_reader_reads() -> None:
    game = ft.load("othello")
    games = [played_game(game, seed, ("a", "b")) for seed in range(10)]
    content = b"".join(WTHOR.write(game, games))
    assert len(content) == 16 + 68 * 10
    assert int.from_bytes(content[4:8], "little") == 10
    for place, one in enumerate(games):
        data = content[16 + 68 * place :][:68]
        assert [int.from_bytes(data[first : first + 2], "little") for first in (2, 4)] == [1, 2]
        state = pyspiel.load_game("othello").new_initial_state()
        for code in data[8:].rstrip(b"\0"):
            if state.legal_actions() == [64]:
                state.apply_action(64)
            state.apply_action(8 * (code // 10 - 1) + code % 10 - 1)
        assert state.is_terminal()
        assert tuple(state.returns()) == one.returns
        assert np.sign(data[6] - 32) == one.returns[0]


def test_what_we_write_we_read(tmp_path: Path) -> None:
    game = ft.load("othello")
    games = [played_game(game, seed) for seed in range(10)]
    found = read_wtb(b"".join(WTHOR.write(game, games)), tmp_path)
    assert [one[:3] for one in found.games] == [one[:3] for one in games]
    given_up = [played_game(game, 50, plies=9)._replace(returns=won) for won in ((1.0, -1.0), (-1.0, 1.0), (0.0, 0.0))]
    for one in given_up:
        assert read_wtb(b"".join(WTHOR.write(game, [one])), tmp_path).games[0].returns == one.returns


def test_it_is_for_the_standard_board_only(tmp_path: Path) -> None:
    found = read("wthor", "othello(size=6)", header(1) + record(SHORTEST_OTHELLO, 64), tmp_path)
    assert found.problem == (OTHER_GAME, 0)
    with pytest.raises(ft.ForethoughtError, match="WTHOR is for boards of 8 x 8"):
        b"".join(WTHOR.write(ft.load("othello(size=6)"), []))
