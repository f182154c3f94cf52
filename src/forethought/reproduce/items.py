"""Items: tables and figures of papers, each a TOML file that says what is trained, measured and printed.

    title = "Win rates of the network in II Goofspiel(6)"
    unit = "share"                     # how values are written: share, elo, number
    resolution = 0.1                   # the widest half of an interval of ours that is compared

    [budgets.quick]
    minutes = 6                        # forecast for two cores
    seeds = [1]
    lesser = "10 iterations were trained, not 100"
    words = {iterations = 10, games = 400}

    [trainings.net]
    game = "goofspiel(cards=6)"
    settings = {algorithm = "exit-oos", iterations = "{iterations}"}

    [[rows]]
    name = "after 100 iterations, against random"
    training = "net"
    match = {player = "net:{run}", against = "random", games = "{games}"}
    printed = 0.66

A directory is a paper, with `paper.toml` beside its items. Words in braces are those of the budget, and those of
`over` in a row: `over = {games = [1, 25]}` makes a row of each.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from itertools import product
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from forethought.api.steps import TrainingPlan
from forethought.errors import ForethoughtError
from forethought.learn.toml_tables import are_seeds, flat_table, placed, refuse_unknown, toml_table
from forethought.reproduce.measures import MEASURES, RowMeasure
from forethought.reproduce.verdicts import HIGHER, Span
from forethought.specs import no_such

PAPERS = Path(__file__).parent
PAPER_FILE = "paper.toml"
BUDGETS = {"quick": 10.0, "hour": 60.0, "paper": float("inf")}  # minutes that an item may take on two cores
_WORD = re.compile(r"\{(\w+)\}")

Made = TypeVar("Made")


@dataclass(frozen=True)
class Paper:
    """A publication."""

    title: str
    authors: str
    year: int
    notes: list[str] = field(default_factory=list)  # on all of its items


@dataclass(frozen=True)
class ItemBudget:
    """How much is done, and what that is less than the paper did."""

    minutes: float  # forecast for two cores
    seeds: list[int]
    lesser: str = ""
    words: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ItemRow:
    """One printed value: how it is measured here, and what was printed."""

    name: str
    series: str = ""  # rows of a series are one curve of the figure
    x: float | None = None  # and where they lie on it
    training: str = ""  # empty: searches only
    game: str = ""  # that of the training if not given
    printed: float | None = None
    low: float | None = None
    high: float | None = None
    better: str = ""  # higher, lower or neither; that of the item if not given
    incomparable: str = ""  # why the printed value cannot be compared
    budgets: list[str] = field(default_factory=lambda: [*BUDGETS])  # with which it is measured
    measure: RowMeasure = field(default_factory=RowMeasure)

    @property
    def span(self) -> Span:
        """What was printed."""
        return Span(self.printed, self.low, self.high)


@dataclass(frozen=True)
class ItemHead:
    """What an item says of itself."""

    title: str
    unit: str
    resolution: float
    better: str = HIGHER
    across: str = ""  # what x is
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Item:
    """A table or figure with one budget."""

    paper_name: str
    name: str
    paper: Paper
    head: ItemHead
    budget_name: str
    budget: ItemBudget
    trainings: Mapping[str, TrainingPlan]
    rows: Sequence[ItemRow]
    left_out: Sequence[str]  # rows that this budget does not reach


def paper_names(home: Path = PAPERS) -> list[str]:
    """Return the papers there are."""
    return sorted(file.parent.name for file in home.glob(f"*/{PAPER_FILE}"))


def item_names(paper: str, home: Path = PAPERS) -> list[str]:
    """Return the items of a paper; a paper that is not there is refused by a sentence that lists those that are."""
    if paper not in paper_names(home):
        raise no_such("paper", paper, paper_names(home))
    return sorted(file.stem for file in (home / paper).glob("*.toml") if file.name != PAPER_FILE)


def chosen_items(paper: str, item: str | None, home: Path = PAPERS) -> list[str]:
    """Return the item that is named, or all of the paper's."""
    known = item_names(paper, home)
    if item is not None and item not in known:
        raise no_such("item", item, known)
    return known if item is None else [item]


def read_item(paper: str, name: str, budget: str, home: Path = PAPERS, words: Mapping[str, Any] | None = None) -> Item:
    """Read an item for a budget. `words` replace those of the budget; `seeds` among them, its seeds."""
    if budget not in BUDGETS:
        raise no_such("budget", budget, list(BUDGETS))
    (name,) = chosen_items(paper, name, home)
    file = home / paper / f"{name}.toml"
    with placed(file):
        about = from_table(Paper, toml_table(home / paper / PAPER_FILE), "")
        return _item(about, (paper, name), budget, toml_table(file), words or {})


def _item(
    about: Paper, names: tuple[str, str], budget: str, table: Mapping[str, Any], words: Mapping[str, Any]
) -> Item:
    refuse_unknown(table, [*(one.name for one in fields(ItemHead)), "budgets", "trainings", "rows"], "")
    head = from_table(ItemHead, {key: table[key] for key in table if key not in ("budgets", "trainings", "rows")}, "")
    refuse_unknown(table["budgets"], BUDGETS, "budgets.")
    chosen = _with_words(from_table(ItemBudget, table["budgets"][budget], f"budgets.{budget}."), words)
    plans = {
        key: _plan(f"{names[0]}-{key}", filled(one, chosen.words), chosen.seeds)
        for key, one in table.get("trainings", {}).items()
    }
    listed = [_row(one, plans, budget, chosen.words) for block in table["rows"] for one in expanded(block)]
    rows = [one for one in listed if budget in one.budgets]
    trained = {one.training for one in rows}
    return Item(
        *names,
        about,
        head,
        budget,
        chosen,
        {key: plan for key, plan in plans.items() if key in trained},
        rows,
        [one.name for one in listed if budget not in one.budgets],
    )


def _with_words(budget: ItemBudget, words: Mapping[str, Any]) -> ItemBudget:
    """Return a budget with other words."""
    refuse_unknown(words, [*budget.words, "seeds"], "")
    seeds = words.get("seeds", budget.seeds)
    if not are_seeds(seeds):
        raise ForethoughtError(f"seeds must be a list of different whole numbers at least 0, not {seeds!r}.")
    changes = {key: value for key, value in words.items() if key != "seeds"}
    return ItemBudget(budget.minutes, seeds, budget.lesser, budget.words | changes)


def _plan(name: str, table: Mapping[str, Any], seeds: Sequence[int]) -> TrainingPlan:
    refuse_unknown(table, ("game", "settings"), f"trainings.{name}.")
    return TrainingPlan(name, table["game"], flat_table(table["settings"], "settings"), tuple(seeds))


def expanded(block: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a block: one for each combination of the words that `over` lists."""
    lists: Mapping[str, Sequence[Any]] = block.get("over", {})
    rest = {key: value for key, value in block.items() if key != "over"}
    for values in product(*lists.values()):
        yield filled(rest, dict(zip(lists, values, strict=True)))


def _row(table: Mapping[str, Any], plans: Mapping[str, TrainingPlan], budget: str, words: Mapping[str, Any]) -> ItemRow:
    """Read a row; words of one that this budget does not reach may be missing."""
    within = f"rows '{table.get('name')}': "
    kinds = [key for key in table if key in MEASURES]
    if len(kinds) != 1:
        raise ForethoughtError(f"{within}one of {', '.join(MEASURES)} must say how it is measured.")
    plain = {key: value for key, value in table.items() if key not in MEASURES}
    if budget not in plain.get("budgets", BUDGETS):
        return from_table(ItemRow, plain, within)
    measure = from_table(MEASURES[kinds[0]], filled(table[kinds[0]], words), within)
    row = from_table(ItemRow, {**filled(plain, words), "measure": measure}, within)
    if row.training and row.training not in plans:
        raise ForethoughtError(f"{within}there is no training '{row.training}'.")
    game = row.game or (plans[row.training].game if row.training else "")
    return ItemRow(**{**vars(row), "game": game})


def filled(value: Any, words: Mapping[str, Any]) -> Any:
    """Return a value with the words of a budget in place; a text that is one word only becomes what the word is."""
    if isinstance(value, dict):
        return {key: filled(one, words) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, words) for one in value]
    if not isinstance(value, str):
        return value
    alone = _WORD.fullmatch(value)
    if alone and alone[1] in words:
        return words[alone[1]]
    return _WORD.sub(lambda found: str(words.get(found[1], found[0])), value)


def from_table(kind: type[Made], table: Mapping[str, Any], within: str) -> Made:
    """Make a dataclass of a table, every key and type checked."""
    known, hints = {one.name: one for one in fields(kind)}, get_type_hints(kind)  # type: ignore[arg-type]
    refuse_unknown(table, known, within)
    for name, one in known.items():
        if name not in table:
            if one.default is MISSING and one.default_factory is MISSING:
                raise ForethoughtError(f"{within}{name} is missing.")
        elif not _fits(table[name], hints[name]):
            raise ForethoughtError(f"{within}{name} cannot be {table[name]!r}.")
    return kind(**table)


def _fits(value: Any, kind: Any) -> bool:
    """Tell whether a value has a type, as far as TOML knows types."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list:
        return isinstance(value, list) and all(_fits(one, inner[0]) for one in value)
    if inner and NoneType in inner:
        return any(_fits(value, one) for one in inner if one is not NoneType)
    if kind is float:
        return type(value) in (int, float)
    return isinstance(value, origin or kind) and (kind is bool or type(value) is not bool)
