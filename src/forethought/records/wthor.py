"""WTHOR, the database of Othello games of the French federation: files .wtb, of 16 bytes and then 68 a game.

All numbers are little-endian. A game is: tournament, Black, White (numbers of two bytes, whose names are in other
files), Black's discs in the end with empty cells counted for the winner, the best that Black could have had, and sixty
moves, 10 * row + column from 1, rows from the top, and 0 after the last. Passes are not written.
"""

import struct
from collections.abc import Collection, Iterator
from typing import NamedTuple

from forethought.game import PUBLIC, Game
from forethought.games.othello import STANDARD_SIZE as SIZE
from forethought.records.formats import CheckedGame, RecordFormat, RecordSource, register_record_format
from forethought.records.transcript import OTHER_GAME, UNREADABLE, Problem, Transcript

_HEADER = struct.Struct("<4BIHHBBBB")
_GAME = struct.Struct("<HHHBB60s")
_SOLITAIRE = 1  # in place of a game's two players
CELLS = PASS = SIZE * SIZE
_HALF = CELLS // 2


class WthorHeader(NamedTuple):
    """The first bytes of a file."""

    century: int
    year: int
    month: int
    day: int
    games: int
    names: int  # 0 in files of games
    played: int  # the year of the games
    size: int
    kind: int
    depth: int  # how many empty cells were left when the best result was computed
    unused: int


@register_record_format("wthor")
class Wthor(RecordFormat):
    label = "WTHOR"
    suffixes = (".wtb",)
    games = ("othello",)
    needs_result = True

    def read(self, source: RecordSource, game: Game) -> Iterator[Transcript]:
        head = source.file.read(_HEADER.size)
        if len(head) < _HEADER.size:
            yield Transcript(1, problem=Problem(UNREADABLE, "the file is too short for WTHOR"))
            return
        header = WthorHeader._make(_HEADER.unpack(head))
        if header.size not in (0, SIZE) or header.kind == _SOLITAIRE or not _has_standard_board(game):
            yield Transcript(1, problem=Problem(OTHER_GAME, "WTHOR is for games of two on a board of 8 x 8"))
            return
        number = 0
        while data := source.file.read(_GAME.size):
            number += 1
            if len(data) < _GAME.size:
                yield Transcript(number, problem=Problem(UNREADABLE, "the file ends in the middle of it"))
            else:
                yield _transcript(number, data)
        if number < header.games:
            missing = f"the file says that it has {header.games} games, and ends after {number}"
            yield Transcript(number + 1, problem=Problem(UNREADABLE, missing))

    def write(self, game: Game, games: Collection[CheckedGame]) -> Iterator[bytes]:
        if not _has_standard_board(game):
            raise game.mistake("WTHOR is for boards of 8 x 8; use the format json")
        yield _HEADER.pack(0, 0, 0, 0, len(games), 0, 0, SIZE, 0, 0, 0)
        numbers: dict[str, int] = {"": 0}
        for one in games:
            black, white = (numbers.setdefault(name, len(numbers)) & 0xFFFF for name in one.names or ("", ""))
            moves = bytes(_code(cell) for cell in one.actions if cell != PASS)
            score = _score(game, one)
            yield _GAME.pack(0, black, white, score, score, moves.ljust(60, b"\0"))


def _has_standard_board(game: Game) -> bool:
    return game.board is not None and game.board.cells == CELLS


def _transcript(number: int, data: bytes) -> Transcript:
    _, black, white, score, _, moves = _GAME.unpack(data)
    actions: list[int] = []
    problem = None
    for code in moves.rstrip(b"\0"):
        row, column = divmod(code, 10)
        if not (1 <= row <= SIZE and 1 <= column <= SIZE):
            problem = Problem(UNREADABLE, f"{code} is no cell of the board", of_move=True)
            break
        actions.append(SIZE * (SIZE - row) + column - 1)
    lead = (score > _HALF) - (score < _HALF)
    names = f"WTHOR {black}", f"WTHOR {white}"
    returns = (float(lead), float(-lead))
    return Transcript(number, actions, returns=returns, names=names, optional=PASS, problem=problem)


def _code(cell: int) -> int:
    row, column = divmod(cell, SIZE)
    return 10 * (SIZE - row) + column + 1


def _score(game: Game, one: CheckedGame) -> int:
    """Count Black's discs, and the empty cells if Black has won, half of them in a draw."""
    state = game.start()
    for action in one.actions:
        game.table.apply(state.memory, action)
    facts = state.facts(PUBLIC)
    discs = [sum(plane * CELLS <= fact < (plane + 1) * CELLS for fact in facts) for plane in range(2)]
    empty = CELLS - sum(discs)
    won = one.returns[0] if one.returns else 0.0
    score = discs[0] + (empty if won > 0 else empty // 2 if won == 0 else 0)
    if (score > _HALF) - (score < _HALF) != (won > 0) - (won < 0):  # given up with more discs than the winner
        return _HALF + (won > 0) - (won < 0)
    return score
