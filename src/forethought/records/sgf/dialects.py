"""How each game writes its moves in SGF, and which cell of ours that is.

Black is seat 0 and White seat 1, but for Hex, where either may begin. SGF counts rows from the top, and we from the
bottom.

Go       two letters, column and row. Handicap stones are set up as if White had passed after each.
Gomoku   as Go; `h8` is read too, which counts rows from the bottom, as Renju does.
Othello  as Go, or the game's own notation `f5`, which counts rows from the top. Passes may be left out.
Hex      `f5`, column and row, both from the top left corner. Black joins top and bottom, and our player 0 left and
         right: columns become rows. `swap-pieces` is our swap. After `swap-sides` the stone stays, and the players
         change colours: from there on columns stay columns. Little Golem writes two letters, `swap`, and White for
         who begins.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import NamedTuple

from forethought.game import Game
from forethought.games.othello import STANDARD_SIZE as OTHELLO_SIZE
from forethought.records.identity import parameters_of
from forethought.records.transcript import OTHER_GAME, SET_UP, UNREADABLE, Problem

BLACK, WHITE = "B", "W"
_TWO_LETTERS = re.compile(r"([a-z])([a-z])")
_LETTER_AND_NUMBER = re.compile(r"([a-z])([1-9]\d?)")
SHORT, LONGEST_MOVE = 4, 40  # bytes of a value

Point = tuple[int, int]  # column, row; both from 0


class WrittenMoves(NamedTuple):
    """Moves as the file writes them."""

    colours: list[str]
    values: list[bytes]


@dataclass
class Translation:
    """Moves in our terms, as far as they could be read."""

    actions: list[int] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    first: str = BLACK  # the colour of seat 0, in the end
    began: str = BLACK  # and in the beginning
    resigned: int | None = None  # a seat
    problem: Problem | None = None

    def add(self, colour: str, action: int) -> None:
        self.actions.append(action)
        self.movers.append(self.seat(colour))

    def seat(self, colour: str) -> int:
        return 0 if colour == self.first else 1


def read_point(pattern: re.Pattern[str], text: str, size: int) -> Point | None:
    """Return a point on the board: a letter for its column, a letter or a number from 1 for its row."""
    found = pattern.fullmatch(text)
    if found is None:
        return None
    column, row = ascii_lowercase.index(found[1]), found[2]
    place = int(row) - 1 if row.isdecimal() else ascii_lowercase.index(row)
    return (column, place) if max(column, place) < size else None


class Dialect(ABC):
    """The moves of one game."""

    number: int  # of the game, in GM
    standard_size: int
    passes: tuple[str, ...] = ()  # how a pass is written, the way we write it first

    def __init__(self, game: Game) -> None:
        board = game.board
        if board is None or len({*board.grid.shape}) > 1:
            raise game.mistake("SGF needs a square board; use the format json")
        self.size = board.grid.shape[0]
        self.cells = board.cells
        self.actions = board.actions
        self._known: dict[bytes, int | None] = {}  # what values mean, for those that are short enough to come again

    @property
    def optional(self) -> int:
        """The action that files leave out, or repeat; none if nobody passes."""
        return self.cells if self.passes else -1

    def action(self, value: bytes) -> int | None:
        """Return the action that a value means; None if it means none."""
        if value in self._known:
            return self._known[value]
        text = plain(value)
        action = self.cells if text in self.passes else self.read_cell(text)
        if len(value) <= SHORT and action is not None:
            self._known[value] = action
        return action

    def translate(self, moves: WrittenMoves) -> Translation:
        """Return moves as actions, up to the first that cannot be read."""
        actions = list(map(self.action, moves.values))
        readable = actions.index(None) if None in actions else len(actions)
        problem = no_move(plain(moves.values[readable])) if readable < len(actions) else None
        movers = [0 if colour == BLACK else 1 for colour in moves.colours[:readable]]
        return Translation(actions[:readable], movers, problem=problem)  # type: ignore[arg-type]  # none of them is None

    def set_up(self, black: Sequence[str], white: Sequence[str]) -> Translation:  # noqa: ARG002 (others look at them)
        """Return the actions that make a position that is set up."""
        return Translation(problem=Problem(SET_UP, "it begins with a position that is set up"))

    @abstractmethod
    def read_cell(self, text: str) -> int | None:
        """Return the cell that a text means."""

    @abstractmethod
    def write(self, actions: Sequence[int], setup: int) -> str:
        """Return set-up stones and moves as nodes; where nothing can be set up, all of them as moves."""

    def from_top(self, point: Point | None) -> int | None:
        """Return the cell of a point whose row is counted from the top."""
        return None if point is None else self.size * (self.size - 1 - point[1]) + point[0]

    def letters(self, cell: int) -> str:
        """Write a cell as two letters; a cell beyond the board is a pass."""
        if cell >= self.cells:
            return self.passes[0]
        row, column = divmod(cell, self.size)
        return ascii_lowercase[column] + ascii_lowercase[self.size - 1 - row]

    def in_turns(self, texts: Sequence[str], first: int = 0) -> str:
        """Write moves as nodes of Black and White in turns."""
        return "".join(f";{(BLACK, WHITE)[(first + place) % 2]}[{text}]" for place, text in enumerate(texts))


class GoDialect(Dialect):
    number, standard_size, passes = 1, 19, ("", "tt")

    def read_cell(self, text: str) -> int | None:
        return self.from_top(read_point(_TWO_LETTERS, text, self.size))

    def set_up(self, black: Sequence[str], white: Sequence[str]) -> Translation:
        if white:
            return super().set_up(black, white)
        made = Translation()
        for place, text in enumerate(black):
            cell = self.read_cell(text)
            if cell is None:
                made.problem = no_move(text)
                break
            if place:
                made.add(WHITE, self.cells)
            made.add(BLACK, cell)
        return made

    def write(self, actions: Sequence[int], setup: int) -> str:
        stones, passes = actions[:setup:2], actions[1:setup:2]
        if setup % 2 == 0 or {*passes} - {self.cells} or self.cells in stones:  # it is not handicap stones
            return self.in_turns(list(map(self.letters, actions)))
        handicap = f"HA[{len(stones)}]AB" + "".join(f"[{self.letters(cell)}]" for cell in stones)
        return handicap + self.in_turns(list(map(self.letters, actions[setup:])), first=1)


class GomokuDialect(Dialect):
    number, standard_size = 4, 15

    def read_cell(self, text: str) -> int | None:
        numbered = read_point(_LETTER_AND_NUMBER, text, self.size)
        if numbered is not None:
            return self.size * numbered[1] + numbered[0]
        return self.from_top(read_point(_TWO_LETTERS, text, self.size))

    def write(self, actions: Sequence[int], setup: int) -> str:  # noqa: ARG002
        return self.in_turns(list(map(self.letters, actions)))


class OthelloDialect(Dialect):
    number, standard_size, passes = 2, OTHELLO_SIZE, ("", "tt", "pass", "--", "pa")

    def read_cell(self, text: str) -> int | None:
        pattern = _LETTER_AND_NUMBER if text[-1:].isdecimal() else _TWO_LETTERS
        return self.from_top(read_point(pattern, text, self.size))

    def set_up(self, black: Sequence[str], white: Sequence[str]) -> Translation:
        """Accept the four discs with which every game begins."""
        given = [{self.read_cell(text) for text in discs} for discs in (black, white)]
        return Translation() if given == self.beginning() else super().set_up(black, white)

    def beginning(self) -> list[set[int]]:
        """Return the cells of Black's and of White's two discs in the middle: d5 and e4, d4 and e5 on 8 x 8."""
        corner = (self.size // 2 - 1) * (self.size + 1)
        return [{corner, corner + self.size + 1}, {corner + 1, corner + self.size}]

    def write(self, actions: Sequence[int], setup: int) -> str:  # noqa: ARG002
        return self.in_turns(list(map(self.letters, actions)))


class HexDialect(Dialect):
    number, standard_size = 11, 11
    SWAPS = ("swap-pieces", "swap", "swap-sides")
    ENDS = ("resign", "forfeit", "resigns")

    def read_cell(self, text: str) -> int | None:
        """Return the cell if columns stay columns."""
        pattern = _LETTER_AND_NUMBER if text[-1:].isdecimal() else _TWO_LETTERS
        point = read_point(pattern, text, self.size)
        return None if point is None else self.size * point[1] + point[0]

    def transposed(self, cell: int) -> int:
        return self.size * (cell % self.size) + cell // self.size

    def translate(self, moves: WrittenMoves) -> Translation:
        texts = list(map(plain, moves.values))
        little_golem = any(map(_TWO_LETTERS.fullmatch, texts))
        said = {BLACK: WHITE, WHITE: BLACK} if little_golem else {BLACK: BLACK, WHITE: WHITE}
        colours = [said[colour] for colour in moves.colours]
        first = colours[0] if colours else BLACK
        made = Translation(first=first, began=first)
        for colour, text in zip(colours, texts, strict=True):
            if text in self.ENDS:
                made.resigned = made.seat(colour)
                break
            made.problem = self._add(made, colour, text)
            if made.problem is not None:
                break
        return made

    def _add(self, made: Translation, colour: str, text: str) -> Problem | None:
        """Add a move; return why that is not possible."""
        if text in self.SWAPS:
            if self.actions == self.cells:
                return Problem(OTHER_GAME, "the first stone is swapped; ask for hex with swap=true")
            made.add(colour, self.cells)
            if text == "swap-sides":
                made.first = WHITE if made.first == BLACK else BLACK
            return None
        cell = self.read_cell(text)
        if cell is None:
            return no_move(text)
        made.add(colour, self.transposed(cell) if made.first == BLACK else cell)
        return None

    def write(self, actions: Sequence[int], setup: int) -> str:  # noqa: ARG002
        return self.in_turns(list(map(self._named, actions)))

    def _named(self, action: int) -> str:
        if action == self.cells:
            return self.SWAPS[0]
        column, row = divmod(action, self.size)  # transposed
        return f"{ascii_lowercase[column]}{row + 1}"


def plain(value: bytes) -> str:
    """Return a value as the text that it is compared by."""
    return value[:LONGEST_MOVE].decode("ascii", "replace").strip().lower()


def no_move(text: str) -> Problem:
    """Return what is wrong with a move that names no cell of the board."""
    return Problem(UNREADABLE, f"'{text[:20]}' is no move on this board", of_move=True)


DIALECTS: dict[str, Callable[[Game], Dialect]] = {
    "go": GoDialect,
    "gomoku": GomokuDialect,
    "hex": HexDialect,
    "othello": OthelloDialect,
}


def komi_of(game: Game) -> float | None:
    """Return the komi by which the rules count; None where there is none."""
    return parameters_of(game.spec)[1].get("komi") if game.spec else None
