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
    """A player one may ask for: its spec with {budget} where the budget goes, to play and to think for a person."""

    kind: str
    label: str
    spec: str
    template: str
    thinks: str
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


class ThoughtAction(BaseModel):
    """What is thought of an action, with whatever else the search knows of it: visits, value, prior, regret."""

    model_config = ConfigDict(extra="allow")

    action: int
    name: str
    probability: float


class GridRow(BaseModel):
    """What the planner would do with a hand; one is the person's own."""

    hand: str
    mine: bool
    probabilities: list[float]


class Grid(BaseModel):
    actions: list[str]
    rows: list[GridRow]


class LikelyHand(BaseModel):
    hand: str
    probability: float


class Range(BaseModel):
    """What another seat may hold."""

    seat: int
    hands: list[LikelyHand]


class Thought(BaseModel):
    """What a planner thinks so far; grid and ranges only where something is hidden."""

    ply: int
    walks: int
    seconds: float
    walks_per_second: float
    value: float | None
    done: bool
    actions: list[ThoughtAction]
    grid: Grid | None
    ranges: list[Range] | None


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
    """A finished game, move by move, as far as there was time."""

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


class Run(RunLine):
    """A run as it goes."""

    curves: Curves
    games: list[PlayedGame]


class RunWithSettings(Run):
    """All there is to know of a run."""

    settings: dict[str, Setting]


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
