"""Cards, dice, chips and text that a game draws by its rule `draw` (docs/drawing.md)."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class DrawingSchema(BaseModel):
    """The base of what a game's own rule returns: other fields than these are left out."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False, coerce_numbers_to_str=True)


class ItemSchema(DrawingSchema):
    """One drawn item; it belongs to a seat, or lies in the middle."""

    label: str
    seat: int | None = None


class CardSchema(DrawingSchema):
    """A card; a click on it plays its action where that is legal."""

    text: str | None = None
    hidden: bool = False
    suit: Literal["s", "h", "d", "c"] | None = None
    action: int | None = None
    used: bool = False
    current: bool = False


class CardsSchema(ItemSchema):
    """A row of cards."""

    kind: Literal["cards"]
    cards: list[CardSchema]


class DiceSchema(ItemSchema):
    """A row of dice; null for a die that the viewer cannot see."""

    kind: Literal["dice"]
    dice: list[int | None]


class ChipsSchema(ItemSchema):
    """A pile of chips."""

    kind: Literal["chips"]
    amount: int | float


class WordsSchema(ItemSchema):
    """A text."""

    kind: Literal["words"]
    text: str


class ScoreSchema(ItemSchema):
    """What a player has so far, shown beside its name."""

    kind: Literal["score"]
    amount: int | float


class NoteSchema(DrawingSchema):
    """What to say of an action beside its name."""

    action: int
    text: str


class NotesSchema(ItemSchema):
    """What actions cost or bring, shown on their buttons."""

    kind: Literal["notes"]
    notes: list[NoteSchema]


class CellsSchema(ItemSchema):
    """Cells of the board that are marked, such as a row that has won."""

    kind: Literal["cells"]
    cells: list[int]


class PointSchema(DrawingSchema):
    """A place for many pieces of one player; a plain one is no part of the way, such as the bar."""

    name: str
    count: int = 0
    owner: int | None = None
    plain: bool = False


class PointMoveSchema(DrawingSchema):
    """What an action does: from which point to which, counted from the left, the upper row first."""

    action: int
    origin: int
    target: int


class PointsSchema(ItemSchema):
    """A board of points in two rows that face each other; a click on two of them plays a move."""

    kind: Literal["points"]
    rows: Annotated[list[list[PointSchema]], Field(min_length=2, max_length=2)]
    moves: list[PointMoveSchema] = []


Item = Annotated[
    CardsSchema | DiceSchema | ChipsSchema | WordsSchema | ScoreSchema | NotesSchema | CellsSchema | PointsSchema,
    Field(discriminator="kind"),
]
