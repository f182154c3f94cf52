"""Published tables and figures, measured again by one command and set beside what was printed.

items      data files: what is trained, what is measured, what was printed; a directory is a paper
measures   what a row can be measured by
verdicts   the rule by which ours is called reproduced, stronger, weaker or not comparable
runner     trains, measures, judges; resumable, and cached by content
pages      the page as Markdown and HTML; figures draws its picture
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from forethought.api.arguments import ExecutorLike, PathLike, Progress, chosen_executor, quiet
from forethought.files import check_can_write
from forethought.games import load
from forethought.learn.sweeps import RUN
from forethought.player import find_player
from forethought.reproduce.items import BUDGETS, PAPERS, Item, chosen_items, paper_names, read_item
from forethought.reproduce.result import ItemForecast, ReproducedItem
from forethought.reproduce.runner import RunnerPlaces, make_item
from forethought.results import Listing
from forethought.runs import runs_directory
from forethought.specs import write_argument

__all__ = ["ItemForecast", "ReproducedItem", "reproduce", "reproducible"]

KEPT = "reproduce"  # the directory of steps and pages, beside the runs
Begun = Callable[[Item], None]


def reproduce(  # noqa: PLR0913 (each is a choice of the caller)
    paper: str,
    item: str | None = None,
    *,
    budget: str = "quick",
    out: PathLike | None = None,
    words: Mapping[str, Any] | None = None,
    papers: PathLike | None = None,
    executor: ExecutorLike | None = None,
    workers: int | None = None,
    progress: Progress = quiet,
    begun: Begun | None = None,
) -> Listing[ReproducedItem]:
    """Measure a table or figure of a paper again, or all of them, and write pages with printed values beside ours.

    Stopped or killed, the same call goes on; what was trained and measured before is not done again. A `budget` is
    "quick" (at most ten minutes for an item on two cores), "hour" or "paper". `words` replace those of the budget, such
    as {"games": 100}. Pages are written to the directory `out`, runs/reproduce/BUDGET if none is given. `papers` is a
    directory of data files of your own. Raises ForethoughtError, before anything is done, if nothing has such a name.
    """
    home = _home(papers)
    items = [read_item(paper, name, budget, home, words) for name in chosen_items(paper, item, home)]
    kept = runs_directory() / KEPT
    pages = kept / budget if out is None else Path(out)
    for one in items:
        check_item(one)
        check_can_write(pages / f"{one.name}.md", "page")
    places = RunnerPlaces(kept, pages, chosen_executor(executor, workers), progress)
    results = Listing[ReproducedItem]()
    for one in items:
        if begun is not None:
            begun(one)
        results.append(make_item(one, places, command_of(one, words or {}, papers)))
    return results


def reproducible(paper: str | None = None, *, papers: PathLike | None = None) -> Listing[ItemForecast]:
    """List the items that can be reproduced, of one paper or of all, with the minutes that each budget takes."""
    home, listed = _home(papers), Listing[ItemForecast]()
    for name in paper_names(home) if paper is None else [paper]:
        for item in chosen_items(name, None, home):
            read = {budget: read_item(name, item, budget, home) for budget in BUDGETS}
            minutes = {budget: one.budget.minutes for budget, one in read.items()}
            listed.append(ItemForecast(name, item, read["quick"].head.title, minutes))
    return listed


def command_of(item: Item, words: Mapping[str, Any], papers: PathLike | None) -> str:
    """Return the command that makes an item."""
    given = [f"--set {key}={write_argument(value)}" for key, value in words.items()]
    given += [] if papers is None else [f"--papers {papers}"]
    return " ".join([f"forethought reproduce {item.paper_name} {item.name} --budget {item.budget_name}", *given])


def _home(papers: PathLike | None) -> Path:
    return PAPERS if papers is None else Path(papers)


def check_item(item: Item) -> None:
    """Refuse an item whose trainings, games or players do not exist."""
    for plan in item.trainings.values():
        plan.check()
    for row in item.rows:
        load(row.game, compiled=False)
        for player in row.measure.players:
            find_player(player.replace(RUN, "run"))
