"""What is known of the board games from elsewhere, for the tests that all of them share.

The records are games that Ludii played (a program by others, with rules of its own), each move picked among the legal
ones by a rule that needs nothing but a seed: so a legal move too many, too few or elsewhere shows at once. Sites are
Ludii's cells; `cells` of a record says which of ours each is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from forethought.board import NOWHERE, Board
from forethought.game import PUBLIC, Game, State
from forethought.games import (
    breakthrough,
    connect_four,
    fanorona,
    go,
    gomoku,
    knightthrough,
    load,
    othello,
    teeko,
    tic_tac_toe,
    yavalath,
)
from forethought.games import hex as hex_rules

Site = int
Move = tuple[Site, Site, list[Site]]  # from, to, and what is captured

MoveOf = Callable[[Board, list[int], int, list[Site]], Move]  # of the owners of cells, an action, and each cell's site

PASS = (-1, -1)


@cache
def loaded(factory: Callable[..., Game], *parameters: Any) -> Game:
    """Return the game with compiled rules, the same one to all tests."""
    return load(factory(*parameters))


def interpreted(factory: Callable[..., Game], *parameters: Any) -> Game:
    """Return the game with rules as Python: to play a few moves, no board of another size need be compiled."""
    return load(factory(*parameters), compiled=False)


def owners(state: State, board: Board) -> list[int]:
    """List who owns each cell: 0 nobody, 1 player 0, 2 player 1, as far as the public facts tell."""
    cells = board.cells
    found = [0] * cells
    for fact in state.facts(PUBLIC):
        if fact < 2 * cells:
            found[fact % cells] = 1 + fact // cells
    return found


# Our actions in a record's terms.


def placement(board: Board, owner: list[int], action: int, sites: list[Site]) -> Move:
    """Take the action for a cell, or else for a pass."""
    return (sites[action], sites[action], []) if action < len(sites) else (*PASS, [])


def top_of_column(board: Board, owner: list[int], action: int, sites: list[Site]) -> Move:
    top = sites[35 + action]
    return top, top, []


def step(board: Board, owner: list[int], action: int, sites: list[Site]) -> Move:
    """Capture what stands on the target."""
    origin, target = sites[board.origins[action]], sites[board.targets[action]]
    return origin, target, [target] if owner[board.targets[action]] else []


def from_beside_the_board(board: Board, owner: list[int], action: int, sites: list[Site]) -> Move:
    """Let pieces to be placed come from a site of the player's own, behind the cells."""
    pieces = sum(who > 0 for who in owner)
    origin = board.cells + pieces % 2 if action < board.cells else sites[board.origins[action]]
    return origin, sites[board.targets[action]], []


def line_capture(board: Board, owner: list[int], action: int, sites: list[Site]) -> Move:
    """Capture as Fanorona does, step by step along the move's line."""
    origin, target, kind = int(board.origins[action]), int(board.targets[action]), int(board.kinds[action])
    if target == NOWHERE:
        return *PASS, []
    neighbours = board.grid.neighbours.tolist()
    ahead = neighbours[origin].index(target)
    way, cell = (ahead, target) if kind == fanorona.APPROACH else ((ahead + 4) % 8, origin)
    captured = []
    while kind != fanorona.STEP and (cell := neighbours[cell][way]) != NOWHERE and owner[cell] == 3 - owner[origin]:
        captured.append(sites[cell])
    return sites[origin], sites[target], sorted(captured)


# Our actions in OpenSpiel's terms.


def unchanged(board: Board, state: State, actions: list[int]) -> list[int]:
    return actions


def upside_down(board: Board, state: State, actions: list[int]) -> list[int]:
    """Count rows from the top; the pass stays."""
    return [action if action == 64 else 8 * (7 - action // 8) + action % 8 for action in actions]


def transposed(board: Board, state: State, actions: list[int]) -> list[int]:
    """Let player 0 join the first row and the last."""
    size = board.grid.shape[1]
    return [size * (action % size) + action // size for action in actions]


def ways_and_captures(board: Board, state: State, actions: list[int]) -> list[int]:
    """Begin with player 0 at the top, where rows are counted from, and say in the action whether it captures."""
    owner, columns = owners(state, board), board.grid.shape[1]
    found = []
    for origin, target in zip(board.origins[actions].tolist(), board.targets[actions].tolist(), strict=True):
        way = target % columns - origin % columns + 1 + (0 if target > origin else 3)
        found.append(2 * (6 * origin + way) + (owner[target] != 0))
    return found


class OpenSpiel(NamedTuple):
    """The game as OpenSpiel has it."""

    name: str
    actions: Callable[[Board, State, list[int]], list[int]] = unchanged
    games: int = 1000  # a tenth of them in `make test`


class Statistics(NamedTuple):
    """What random games came to elsewhere."""

    plies: float
    deviation: float
    first: float  # share of games that player 0 wins
    second: float
    games: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Known:
    """What is known of a game with these parameters. What is not given is not tested."""

    factory: Callable[..., Game]
    parameters: tuple[Any, ...] = ()
    record: str = ""
    move_of: MoveOf = placement
    perft: tuple[int, ...] = ()  # how many move sequences of each length there are
    statistics: Statistics | None = None
    open_spiel: OpenSpiel | None = None
    symmetries: int = 0
    images: int = 3  # how many games are played under each symmetry
    folded: tuple[str, ...] = ()  # fields of the first position that symmetries do not keep: they are folded as well
    check: bool = False  # execute the laws: slow, so that boards are small where they can be
    quick: bool = True  # whether it belongs to `make test`; further sizes of the same game do not

    def __str__(self) -> str:
        return "-".join([self.factory.__name__, *map(str, self.parameters)])

    @property
    def made(self) -> Game:
        """The game as its factory makes it: tests are collected by every process, and none must compile for that."""
        return self.factory(*self.parameters)

    @property
    def game(self) -> Game:
        return loaded(self.factory, *self.parameters)

    @property
    def board(self) -> Board:
        board = self.game.board
        assert board is not None
        return board


KNOWN = [
    Known(
        factory=tic_tac_toe.tic_tac_toe,
        perft=(9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872),
        symmetries=8,
        check=True,
    ),
    Known(
        factory=connect_four.connect_four,
        record="connect_four",
        move_of=top_of_column,
        perft=(7, 49, 343, 2401, 16807, 117649, 823536, 5673234),
        # Elsewhere the 0.24 % of games that are drawn took two passes more.
        statistics=Statistics(21.30 - 2 * 0.0024, 7.4, 0.5554, 0.4422, 422_737),
        open_spiel=OpenSpiel("connect_four"),
        symmetries=2,
        images=20,
        check=True,
    ),
    Known(
        factory=othello.othello,
        record="othello",
        perft=(4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216),
        # Elsewhere each game ends with two passes.
        statistics=Statistics(62.40 - 2, 1.3, 0.461, 0.498, 36_484),
        open_spiel=OpenSpiel("othello", upside_down),
        symmetries=8,
        folded=("discs", "moves"),  # half of the foldings exchange the colours of the first four discs
        check=True,
    ),
    Known(
        factory=breakthrough.breakthrough,
        record="breakthrough",
        move_of=step,
        perft=(22, 484, 11_132, 256_036, 6_182_818),
        statistics=Statistics(64.2, 16.1, 0.512, 0.488, 79_630),
        open_spiel=OpenSpiel("breakthrough(rows=8,columns=8)", ways_and_captures),
        symmetries=2,
        images=5,
        check=True,
    ),
    Known(
        factory=breakthrough.breakthrough,
        parameters=(6, 5),
        open_spiel=OpenSpiel("breakthrough(rows=6,columns=5)", ways_and_captures, games=100),
        symmetries=2,
        images=5,
        quick=False,
    ),
    *(Known(factory=breakthrough.breakthrough, parameters=size, check=True, quick=False) for size in ((4, 2), (4, 16))),
    Known(
        factory=knightthrough.knightthrough,
        record="knightthrough",
        move_of=step,
        perft=(40, 1_600, 63_520, 2_521_306),
        statistics=Statistics(33.6, 11.8, 0.514, 0.486, 44_921),
        symmetries=2,
        images=5,
        check=True,
    ),
    Known(
        factory=knightthrough.knightthrough,
        parameters=(6, 5),
        symmetries=2,
        images=5,
        quick=False,
    ),
    *(
        Known(factory=knightthrough.knightthrough, parameters=size, check=True, quick=False)
        for size in ((4, 4), (16, 4))
    ),
    Known(
        factory=gomoku.gomoku,
        parameters=(15, True),
        record="gomoku",
        perft=(225, 50_400, 11_239_200),
        statistics=Statistics(112.6, 26.6, 0.509, 0.491, 277_737),
        symmetries=8,
        images=1,
    ),
    Known(
        factory=gomoku.gomoku,
        parameters=(15, False),
        record="gomoku",  # no row of six came up in it
        statistics=Statistics(109.0, 24.9, 0.508, 0.492, 96_450),
        quick=False,
    ),
    Known(factory=gomoku.gomoku, parameters=(6,), check=True),
    Known(
        factory=hex_rules.hex,
        parameters=(7,),
        record="hex7",
        perft=(49, 2_352, 110_544),
        statistics=Statistics(42.27, 5.4, 0.5441, 0.4559, 315_872),
        open_spiel=OpenSpiel("hex(board_size=7)", transposed),
    ),
    Known(
        factory=hex_rules.hex,
        parameters=(11,),
        record="hex11",
        perft=(121, 14_520, 1_727_880),
        statistics=Statistics(107.55, 10.7, 0.5234, 0.4766, 89_378),
        open_spiel=OpenSpiel("hex(board_size=11)", transposed),
    ),
    *(
        Known(factory=hex_rules.hex, parameters=(5, swap), symmetries=2, images=20, quick=swap)
        for swap in (False, True)
    ),
    *(Known(factory=hex_rules.hex, parameters=(3, swap), check=True, quick=swap) for swap in (False, True)),
    Known(
        factory=yavalath.yavalath,
        record="yavalath",
        perft=(61, 3_660, 215_940, 12_524_520),
        statistics=Statistics(19.62, 6.2, 0.4711, 0.5289, 1_373_958),
        symmetries=12,
        check=True,
    ),
    Known(factory=yavalath.yavalath, parameters=(3,), check=True, quick=False),
    Known(
        factory=teeko.teeko,
        record="teeko",
        move_of=from_beside_the_board,
        perft=(25, 600, 13_800, 303_600, 6_375_600),
        statistics=Statistics(397, 387, 0.501, 0.497, 30_543),
    ),
    Known(factory=teeko.teeko, parameters=(100,), symmetries=8, check=True),
    Known(
        factory=fanorona.fanorona,
        record="fanorona",
        move_of=line_capture,
        perft=(5, 17, 64, 327, 1_418, 6_510, 31_217, 145_766),
        # Elsewhere the player who has lost all pieces passes before the game ends.
        statistics=Statistics(58.5 - 1, 28.4, 0.487, 0.513, 32_429),
        symmetries=4,
        folded=("pieces",),
        check=True,
    ),
    Known(
        factory=go.go,
        # The second player may answer on any other point or pass; two passes end the game.
        perft=(82, 81 * 81 + 82, 81 * (80 * 80 + 81) + 81 * 81),
        symmetries=8,
        images=2,
    ),
    Known(factory=go.go, parameters=(5, 0.5), symmetries=8, images=2),
    Known(factory=go.go, parameters=(3, 1.0), check=True),
]
