"""What a reproduction comes to: printed values beside ours, and how ours were made."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from forethought.drawing.markup import block, note, table
from forethought.reproduce.verdicts import RowVerdict, Span
from forethought.results import ASIDE, ResultBase

COLUMNS = ("row", "printed", "ours (95 %)", "of the seeds", "verdict", "measured by")


@dataclass(frozen=True)
class ReproducedRow:
    """A printed value and ours."""

    name: str
    series: str
    x: float | None
    printed: Span
    ours: Span
    values: list[float]  # of the seeds
    verdict: RowVerdict
    measured_by: str
    curve: list[tuple[float, float]] = field(repr=False)  # means over seeds, if there is one to draw


@dataclass(frozen=True)
class TrainingDone:
    """A training behind the rows."""

    game: str
    settings: dict[str, object]
    runs: list[str]
    minutes: float


@dataclass(frozen=True)
class ReproducedItem(ResultBase):
    """A table or figure of a paper, measured again."""

    paper: str
    item: str
    budget: str
    heading: str
    source: str  # the publication
    unit: str
    across: str
    rows: list[ReproducedRow]
    cannot_show: list[str]
    notes: list[str]
    seeds: list[int]
    trainings: list[TrainingDone]
    forecast_minutes: float
    minutes: float  # of the clock, trainings and measurements together, whenever they were made
    command: str
    versions: dict[str, str]
    page: Path = field(metadata=ASIDE)  # the page as Markdown; HTML and the figure are beside it

    @property
    def verdicts(self) -> dict[str, int]:
        """How many rows have each verdict."""
        return dict(Counter(one.verdict.word for one in self.rows))

    @property
    def summary(self) -> str:
        """The verdicts in a line."""
        return ", ".join(f"{count} {word}" for word, count in sorted(self.verdicts.items()))

    @property
    def table(self) -> list[list[str]]:
        """The rows as people read them, under COLUMNS."""
        return [
            [
                one.name,
                written(one.printed, self.unit),
                written(one.ours, self.unit),
                ", ".join(number(value, self.unit) for value in one.values) if len(one.values) > 1 else "",
                str(one.verdict),
                one.measured_by,
            ]
            for one in self.rows
        ]

    def _repr_html_(self) -> str:
        return block(self.heading, table(COLUMNS, self.table, left=COLUMNS), note(f"{self.summary}; {self.page}"))


@dataclass(frozen=True)
class ItemForecast(ResultBase):
    """An item that can be reproduced, and the minutes that each budget takes on two cores."""

    paper: str
    item: str
    title: str
    minutes: dict[str, float]  # by budget


def number(value: float, unit: str) -> str:
    """Write a value of a unit."""
    if unit == "share":
        return f"{100 * value:.1f} %"
    return f"{value:.0f}" if unit == "elo" else f"{value:.3g}"


def written(span: Span, unit: str) -> str:
    """Write a value with its interval; of a direction, its bound."""
    low, high = ("" if end is None else number(end, unit) for end in (span.low, span.high))
    if span.value is None:
        return f"above {low}" if low else f"below {high}" if high else "-"
    return number(span.value, unit) + (f" ({low} to {high})" if low and high else "")
