"""Trainings, matches, ladders and studies: what clients send to start one, and what they are told of it."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import Field, create_model

from forethought.evaluate.studies.result import GameStudy
from forethought.serve.schemas.base import Schema
from forethought.serve.schemas.play import ParameterKind
from forethought.serve.schemas.requests import Number, Spec

ProcessKind = Literal["training", "match", "ladder", "study"]
ProcessState = Literal["running", "finished", "stopped", "failed"]
MOST_SETTINGS, MOST_PLAYERS, MOST_BUDGETS = 100, 12, 6

RunName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
Games = Annotated[int, Field(ge=2, le=1_000_000)]
Budget = Annotated[int, Field(ge=1, le=200_000)]
Minutes = Annotated[float, Field(gt=0, le=100_000)]
SettingValue = bool | int | float | Annotated[str, Field(max_length=200)]


class StartedSchema(Schema):
    """What all that is known of a process has in common."""

    kind: ProcessKind
    game: str
    game_title: str  # for people
    title: str  # what is done with it, for people
    run: str | None  # that is trained
    version: str  # of the user's file when it was started
    started: float  # seconds since 1970


class StoredProcessSchema(StartedSchema):
    """The file of a process: also what clients are not told."""

    pid: int
    arguments: list[str]


class ProcessSchema(StartedSchema):
    """A process: its progress while it runs, what it found, or why it failed."""

    id: str
    state: ProcessState
    told: str
    part: float | None  # done, from 0 to 1
    seconds_left: float | None


class NewTrainingSchema(Schema):
    """A training. Settings are by dotted key, as `/api/learners` lists them; without a name the run gets one."""

    game: Spec
    algorithm: Spec
    preset: Annotated[str, Field(max_length=64)] = ""
    run: RunName | None = None
    settings: Annotated[dict[Annotated[str, Field(max_length=100)], SettingValue], Field(max_length=MOST_SETTINGS)] = {}


class ResumeSchema(Schema):
    """How far a run goes on: to its planned end, to more iterations in all, or for some minutes."""

    iterations: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    minutes: Minutes | None = None


class NewMatchSchema(Schema):
    """A match of two players."""

    game: Spec
    a: Spec
    b: Spec
    games: Games = 1_000
    seed: Number = 0


class NewLadderSchema(Schema):
    """Matches of all pairs."""

    game: Spec
    players: Annotated[list[Spec], Field(min_length=2, max_length=MOST_PLAYERS)]
    games: Games = 1_000
    seed: Number = 0


class NewStudySchema(Schema):
    """A study of a game; budgets are simulations per decision, ascending."""

    game: Spec
    games: Games = 200
    budgets: Annotated[list[Budget], Field(min_length=1, max_length=MOST_BUDGETS)]
    planner: Spec | None = None
    seed: Number = 0


class FormSettingSchema(Schema):
    """A setting as a form asks for it. `words` are the choices there are, empty if any value in the range will do."""

    key: str
    kind: ParameterKind
    default: bool | int | float | str
    words: list[str]
    low: float | None
    high: float | None
    range: str
    about: str


class LearnerSchema(Schema):
    """An algorithm that suits a game, and what can be set; a preset gives other values than the defaults."""

    name: str
    label: str
    about: str
    recommended: bool
    presets: dict[str, dict[str, bool | int | float | str]]
    usual_preset: str  # for this game; empty: the defaults
    settings: list[FormSettingSchema]


class UserFileSchema(Schema):
    """The file named on the command line: its version changes with its content, and a mistake in it is told."""

    name: str | None
    version: str
    mistake: str | None


def _schema_of(kind: Any) -> Any:
    """Return the schema of a result of the library: the same fields, so that they are listed once."""
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        typed: Mapping[str, Any] = {one.name: (_schema_of(hints[one.name]), ...) for one in fields(kind)}
        return create_model(f"{kind.__name__}Schema", __base__=Schema, __doc__=kind.__doc__, **typed)
    parts = tuple(_schema_of(part) for part in get_args(kind))
    if isinstance(kind, UnionType):
        return Union[parts]  # noqa: UP007 (made at run time)
    origin = get_origin(kind)
    return kind if origin is None else origin[parts]


# What a study found, and what the game and the players that it names are called for people.
StudyReportSchema: Any = create_model("StudyReportSchema", __base__=_schema_of(GameStudy), titles=(dict[str, str], ...))
