"""What clients send."""

from typing import Annotated, Literal

from pydantic import Field

from forethought.serve.schemas.base import Schema

Spec = Annotated[str, Field(min_length=1, max_length=200)]
Number = Annotated[int, Field(ge=0, lt=2**53)]  # what JavaScript can hold
Action = Annotated[int, Field(ge=0, lt=2**31)]
MAX_SEATS, MAX_ACTIONS, MAX_CELLS = 16, 20_000, 1_000
Place = Literal["first", "second"]  # of a planner on the page
Seats = Annotated[list[Spec], Field(min_length=1, max_length=MAX_SEATS)]


class StartSchema(Schema):
    """A position that was set up: for each cell 0 (empty) or 1 + the player who has a piece there, and who moves."""

    pieces: Annotated[list[Annotated[int, Field(ge=0, le=MAX_SEATS)]], Field(max_length=MAX_CELLS)]
    to_move: Annotated[int, Field(ge=0, lt=MAX_SEATS)]


class NewSessionSchema(Schema):
    """A game to play. Each seat is `human`, `guest` (a person elsewhere) or a player as on the command line.

    It begins with the rules' first position, or, where nothing is hidden on a board, with one that was set up.
    """

    game: Spec
    seats: Seats
    seed: Number | None = None
    start: StartSchema | None = None


class MoveSchema(Schema):
    """An action, and the ply at which it was chosen."""

    action: Action
    ply: Number


class ThinkSchema(Schema):
    """The player that is to think about the decision at a ply; by default one that suits the game.

    Two can think at the same time: the first is heard in `thought` events, the second in `second-thought` events.
    """

    player: Spec | None = None
    ply: Number
    place: Place = "first"


class SavedGameSchema(Schema):
    """A game as it is saved and loaded. The actions include those of chance."""

    forethought: Literal[1]  # the version of this format
    game: Spec
    seats: Seats
    actions: Annotated[list[Action], Field(max_length=MAX_ACTIONS)]
    resigned: Number | None = None  # the seat that resigned
    start: StartSchema | None = None
