"""What the routes of playing return: games, players, sessions and reviews."""

from typing import Literal

from forethought.board.grids import Tiling
from forethought.serve.schemas.base import Schema
from forethought.serve.schemas.drawing import Item
from forethought.serve.viewpoints import Role

ParameterKind = Literal["int", "bool", "float", "str"]


class ParameterSchema(Schema):
    """A parameter of a game."""

    name: str
    default: int | float | bool | str | None
    kind: ParameterKind


class ListedGameSchema(Schema):
    """A game that can be played; `players` is null if the game cannot be loaded, and the summary says why."""

    name: str
    title: str
    summary: str
    parameters: list[ParameterSchema]
    hidden: bool
    players: int | None
    board: bool
    can_set_up: bool


class BudgetSchema(Schema):
    """A setting that limits how much a player searches per decision, by its key; `counts` is what it counts."""

    key: str
    counts: str
    default: float
    maximum: float


class LevelSchema(Schema):
    """A strength with a name: the setting to put in place of `{budget}`."""

    name: str
    budget: str


class ListedPlayerSchema(Schema):
    """A player that suits a game. In both templates `{budget}` stands for a setting: to play, and to think.

    That is one of its budgets, such as `seconds=2`, or what a level names. A player that does not search has neither.
    """

    kind: str
    label: str
    spec: str
    template: str
    thinking_template: str
    budgets: list[BudgetSchema]
    levels: list[LevelSchema]


class SessionGameSchema(Schema):
    """The game of a session."""

    spec: str
    name: str
    title: str  # for people, without the parameters
    hidden: bool
    players: int
    plies: int
    sgf: bool  # whether it can be written as SGF
    can_set_up: bool  # whether its positions are pieces on a board, which can be placed freely


class CellSchema(Schema):
    """A cell of a board; x to the right, y upwards."""

    x: float
    y: float
    name: str


class BoardMoveSchema(Schema):
    """What an action does on the board; -1 for no cell."""

    origin: int
    target: int
    kind: int


class BoardSchema(Schema):
    """A board: its cells, the lines between them, and the move of each action."""

    tiling: Tiling
    cells: list[CellSchema]
    lines: list[list[int]]
    moves: list[BoardMoveSchema]
    stacks: bool
    checkered: bool


class PositionSchema(Schema):
    """A position as the viewer may see it; `pieces` has for each cell 0 (empty) or 1 + player."""

    ply: int
    pieces: list[int] | None
    last: int | None
    text: str
    drawing: list[Item] | None


class ReplaySchema(Schema):
    """A whole game, position by position."""

    board: BoardSchema | None
    positions: list[PositionSchema]


class HistoryEntrySchema(Schema):
    """One action that the viewer noticed. Chance is player -1; what the viewer did not see of it is null."""

    ply: int
    player: int | None
    action: int | None
    name: str | None


class LegalActionSchema(Schema):
    """An action that can be played now."""

    action: int
    name: str


class LinkSchema(Schema):
    """A further address of a session: of the guest in a seat, or of spectators, who have none."""

    id: str
    seat: int | None


class SeriesSchema(Schema):
    """The games of a series before this one, and what each seat's player has won in them."""

    games: int
    totals: list[float]


class SessionSchema(Schema):
    """All that a person may know of the game: its host, a guest, or a spectator.

    Actions of which the person notices nothing are not in the history, nor counted by `ply`, until the game is over.
    In `seats` one's own are `human`, and those of other persons `guest`; `titles` names the players for people.
    """

    id: str
    role: Role
    links: list[LinkSchema]  # for the host only
    game: SessionGameSchema
    board: BoardSchema | None
    seats: list[str]
    titles: list[str]
    ply: int
    position: PositionSchema
    history: list[HistoryEntrySchema]
    legal: list[LegalActionSchema]
    to_move: int | None  # null if the game is over, or the person cannot know it
    busy: bool  # somebody else is choosing an action
    over: bool
    resigned: int | None
    returns: list[float] | None
    series: SeriesSchema | None
    has_next: bool  # the next game of the series has begun
    error: str | None
    cut: bool  # since a person's last action the clock has stopped a search before its simulations were done


class SgfSchema(Schema):
    """A game in the Smart Game Format."""

    text: str


class RulesSchema(Schema):
    """A game in a minute: its rules in words, and the beginning of a game played at random, all open."""

    title: str
    paragraphs: list[str]
    board: BoardSchema | None
    moves: list[str]  # by name, of players and of chance
    positions: list[PositionSchema]  # one more than moves


class PreparationSchema(Schema):
    """How far the compilation is that a game waits for, the first time only; it takes about `seconds` in all."""

    game: str  # its title, without the parameters
    compiled: int
    functions: int
    seconds: int
    ready: bool


class ReviewedMoveSchema(Schema):
    """What a move cost by the planner's values, or exactly where the rest of the game was solved."""

    ply: int
    player: int
    action: int
    name: str
    best: int
    best_name: str
    loss: float | None
    exact: bool
    probability: float | None


class ReviewSchema(Schema):
    """A finished game, move by move; later moves are missing if the time ran out."""

    planner: str  # for people
    moves: list[ReviewedMoveSchema]
