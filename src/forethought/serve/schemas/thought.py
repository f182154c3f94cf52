"""What a planner thinks of a decision."""

from typing import Literal

from forethought.serve.schemas.base import Schema


class ThinkingSchema(Schema):
    """The player that thinks; its results are sent as `thought` events."""

    player: str


class ActionThoughtSchema(Schema):
    """An action's probability, its share (of what `shares` names), and what else the search measures of it.

    Measures are visits, value, prior, or the regret divided by the largest: regrets themselves grow with the search.
    Where hands are few, the last thought has the expected return if all go on as the planner plays.
    """

    action: int
    name: str
    probability: float
    share: float
    measures: dict[str, float]


class StrategyRowSchema(Schema):
    """How the planner plays one hand; `own` marks the hand that the person holds."""

    hand: str
    own: bool
    probabilities: list[float]


class StrategySchema(Schema):
    """How the planner plays each hand that the person could hold."""

    actions: list[str]
    rows: list[StrategyRowSchema]


class HandProbabilitySchema(Schema):
    """A hand that another player may hold."""

    hand: str
    probability: float


class RangeSchema(Schema):
    """What another player may hold, if it plays as the planner does."""

    seat: int
    hands: list[HandProbabilitySchema]


class LineMoveSchema(Schema):
    """A move that the planner expects."""

    player: int
    action: int
    name: str


class ThoughtSchema(Schema):
    """What a planner found so far. Strategy and ranges are given only where information is hidden."""

    ply: int
    simulations: int
    seconds: float
    simulations_per_second: float
    value: float | None
    shares: Literal["strategy", "share of visits"]
    done: bool
    cut: bool  # the clock has stopped the search before its simulations were done
    actions: list[ActionThoughtSchema]
    line: list[LineMoveSchema]  # what it expects from here on; where nothing is hidden
    strategy: StrategySchema | None
    ranges: list[RangeSchema] | None
