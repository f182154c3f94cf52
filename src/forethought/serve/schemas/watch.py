"""What the routes of watching return: runs, their metrics and games, and ladders."""

from forethought.serve.schemas.base import Schema


class RunSummarySchema(Schema):
    """A run in short; the verdict says whether it is learning."""

    name: str
    game: str
    algorithm: str
    iterations: int
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
    low: list[float | None] | None = None
    high: list[float | None] | None = None


class SelfPlayGameSchema(Schema):
    """A game of self-play."""

    iteration: int
    index: int
    plies: int
    returns: list[float]


class RunSchema(RunSummarySchema):
    """A run: its metrics in the order in which they are shown, and the games of its newest complete iteration."""

    metrics: list[MetricSchema]
    games: list[SelfPlayGameSchema]


class SettingSchema(Schema):
    """The value of a setting, and what it means."""

    value: int | float | bool | str
    about: str


class RunDetailsSchema(RunSchema):
    """A run with its settings, by their dotted keys."""

    settings: dict[str, SettingSchema]


class RatingSchema(Schema):
    """A player's rating with its 95 % interval."""

    name: str
    elo: float
    low: float
    high: float
    games: int


class MatchSchema(Schema):
    """What the first player scored against the second, with its 95 % interval."""

    first: str
    second: str
    games: int
    score: float
    low: float
    high: float


class GameLadderSchema(Schema):
    """The ratings and matches of one game."""

    game: str
    players: list[RatingSchema]
    matches: list[MatchSchema]


class LaddersSchema(Schema):
    """The ladders of all games."""

    games: list[GameLadderSchema]
