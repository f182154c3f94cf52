"""What is sent and answered, as the OpenAPI description tells it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Spec = Annotated[str, Field(min_length=1, max_length=200)]
Number = Annotated[int, Field(ge=0, lt=2**53)]
Action = Annotated[int, Field(ge=0, lt=2**31)]
MOST_SEATS, MOST_ACTIONS = 16, 20_000


class Asked(BaseModel):
    """What clients send: exactly these fields, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(Asked):
    """A game to be played; seats are `human` or players as on the command line."""

    game: Spec
    seats: Annotated[list[Spec], Field(min_length=1, max_length=MOST_SEATS)]
    seed: Number | None = None


class Move(Asked):
    """An action, and the ply at which it was chosen."""

    action: Action
    ply: Number


class Wondering(Asked):
    """Who shall think about the decision at a ply; without a player, the one that suits the game."""

    player: Spec | None = None
    ply: Number


class SavedGame(Asked):
    """A game as it is saved and loaded; actions include chance's."""

    forethought: Literal[1]
    game: Spec
    seats: Annotated[list[Spec], Field(min_length=1, max_length=MOST_SEATS)]
    actions: Annotated[list[Action], Field(max_length=MOST_ACTIONS)]
    resigned: Number | None = None


class Failure(BaseModel):
    """Why a request was not done, in one sentence."""

    detail: str


class Parameter(BaseModel):
    name: str
    default: int | float | bool | str | None
    kind: Literal["int", "bool", "float", "str"]


class ListedGame(BaseModel):
    """A game one may ask for."""

    name: str
    title: str
    summary: str
    parameters: list[Parameter]
    hidden: bool
    players: int | None
    board: bool


class Budget(BaseModel):
    name: str
    default: int
    most: int


class ListedPlayer(BaseModel):
    """A player one may ask for; `template` is its spec with {budget} where the budget goes."""

    kind: str
    label: str
    spec: str
    template: str
    budget: Budget | None


class GameInView(BaseModel):
    spec: str
    name: str
    hidden: bool
    players: int
    plies: int


class Cell(BaseModel):
    x: float
    y: float
    name: str


class BoardMove(BaseModel):
    """What an action does on the board; -1 for none."""

    origin: int
    target: int
    kind: int


class Board(BaseModel):
    """A board as it is drawn; x to the right, y upwards."""

    tiling: Literal["square", "hex", "point"]
    cells: list[Cell]
    lines: list[list[int]]
    moves: list[BoardMove]
    stacks: bool
    checkered: bool


class Position(BaseModel):
    """A position as the viewer may see it; pieces by cell: 0 empty, 1 player 0, 2 player 1."""

    ply: int
    pieces: list[int] | None
    last: int | None
    text: str
    drawing: list[dict[str, Any]] | None


class Replay(BaseModel):
    """A game to look at, position by position."""

    board: Board | None
    positions: list[Position]


class Told(BaseModel):
    """One action of the game so far; chance is player -1; what the viewer did not see is null."""

    ply: int
    player: int
    action: int | None
    name: str | None


class LegalAction(BaseModel):
    action: int
    name: str


class View(BaseModel):
    """All that the person at a table may know."""

    id: str
    game: GameInView
    board: Board | None
    seats: list[str]
    ply: int
    position: Position
    history: list[Told]
    legal: list[LegalAction]
    to_move: int | None
    busy: bool
    over: bool
    resigned: int | None
    returns: list[float] | None
    note: str | None


class Thinking(BaseModel):
    """Who thinks; what it thinks comes as `thought` events."""

    player: str


class ReviewedMove(BaseModel):
    """What a move cost against the planner's opinion; exactly, where the solver knows."""

    ply: int
    player: int
    action: int
    name: str
    best: int
    best_name: str
    loss: float | None
    exact: bool
    probability: float | None


class Review(BaseModel):
    """A finished game, move by move."""

    planner: str
    moves: list[ReviewedMove]


class RunLine(BaseModel):
    """A run in a line; the sentence says whether it learns."""

    name: str
    game: str
    algorithm: str
    iterations: int
    training: bool
    sentence: str


class Curves(BaseModel):
    """What was measured, an entry for each iteration; null where it was not."""

    iteration: list[int]
    win_rate: list[float | None]
    win_rate_low: list[float | None]
    win_rate_high: list[float | None]
    nashconv: list[float | None]
    loss: list[float | None]
    value_loss: list[float | None]
    entropy: list[float | None]
    games_per_second: list[float | None]


class PlayedGame(BaseModel):
    """A game of self-play."""

    iteration: int
    index: int
    plies: int
    returns: list[float]


class Setting(BaseModel):
    value: int | float | bool | str
    about: str


class RunWithSettings(RunLine):
    """All there is to know of a run."""

    settings: dict[str, Setting]
    curves: Curves
    games: list[PlayedGame]


class Rated(BaseModel):
    """A rating and its 95 % interval."""

    name: str
    elo: float
    low: float
    high: float
    games: int


class Match(BaseModel):
    """What the first scored against the second, with its 95 % interval."""

    first: str
    second: str
    games: int
    score: float
    low: float
    high: float


class GameLadder(BaseModel):
    game: str
    players: list[Rated]
    matches: list[Match]


class Ladder(BaseModel):
    games: list[GameLadder]
