"""What the routes of watching return: runs, their metrics and games, and ladders."""

from typing import Literal

from forethought.serve.schemas.base import Schema


class RunSummarySchema(Schema):
    """A run in short; the verdict says whether it is learning."""

    name: str
    game: str
    game_title: str  # for people
    algorithm: str
    algorithm_title: str  # for people
    iterations: int
    wanted: int | None  # iterations in all; null where the minutes decide
    training: bool
    verdict: str


class MetricSchema(Schema):
    """One measured quantity over iterations, enough to draw its chart.

    `low` and `high` are the ends of the interval at each point, null where there is none. The unit `share` means
    numbers from 0 to 1 that are shown as percentages; other units are shown as they are.
    """

    name: str
    title: str
    unit: str
    points: list[tuple[int, float]]  # iteration, value
    seconds: list[float]  # of training until each point, without pauses
    low: list[float | None] | None = None
    high: list[float | None] | None = None


class SelfPlayGameSchema(Schema):
    """A game of self-play."""

    iteration: int
    index: int
    plies: int
    returns: list[float]


class RunProgressSchema(Schema):
    """How far the iteration is that runs, and what the iterations to come take, once that is known."""

    iteration: int
    finished: int  # games
    games: int
    seconds_left: float | None


class OpponentSchema(Schema):
    """How to play against a run: the game as clients name it, its seats, and the strongest player of the run."""

    game: str
    seats: int
    player: str


class RunSchema(RunSummarySchema):
    """A run: its metrics in the order in which they are shown, and its newest games.

    Those of the iteration that runs come last. `progress` is null where nobody trains it.
    """

    metrics: list[MetricSchema]
    games: list[SelfPlayGameSchema]
    progress: RunProgressSchema | None
    opponent: OpponentSchema | None  # null before it has weights, or if clients may not play its game


class SettingSchema(Schema):
    """The value of a setting, and what it means."""

    value: int | float | bool | str
    about: str


class RunDetailsSchema(RunSchema):
    """A run with its settings, by their dotted keys."""

    settings: dict[str, SettingSchema]


class RatingSchema(Schema):
    """A player's rating with its 95 % interval, and the mean share of the others that it beats."""

    name: str
    title: str  # for people
    rating: float
    low: float
    high: float
    win_share: float
    games: int


class MatchSchema(Schema):
    """What the first player won from the second, on the scale of the ratings, with its 95 % interval.

    That is its share of wins where all games pay the same sum, else what it was paid per game.
    """

    first: str
    second: str
    games: int
    result: float
    low: float
    high: float
    win_share: float


class GameLadderSchema(Schema):
    """The ratings and matches of one game.

    On the scale `elo` the anchor has the rating 1500. On the scale `payoff`, of games that pay different sums, a rating
    is what a player is paid per game against the anchor.
    """

    game: str
    game_title: str  # for people
    scale: Literal["elo", "payoff"]
    anchor: str
    players: list[RatingSchema]
    matches: list[MatchSchema]


class LaddersSchema(Schema):
    """The ladders of all games."""

    games: list[GameLadderSchema]
