"""`forethought reproduce`: tables and figures of papers, measured again."""

import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import forethought as ft
from forethought.cli.options import Cluster, Executor, Json, Workers, executor_or_cluster
from forethought.cli.output import print_json, print_table, progress
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forethought.reproduce import ItemForecast, ReproducedItem
    from forethought.reproduce.items import Item


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(help="The paper: exit-oos, tspg, oos, alphago, alphazero, nfsp.")
    ] = None,
    item: Annotated[str | None, typer.Argument(help="A table or figure, table-1; all of the paper's if none.")] = None,
    budget: Annotated[
        str, typer.Option(help="quick (at most ten minutes for an item on two cores), hour or paper.")
    ] = "quick",
    out: Annotated[
        Path | None, typer.Option(help="The directory of the pages; runs/reproduce/BUDGET if not given.")
    ] = None,
    words: Annotated[
        list[str] | None, typer.Option("--set", help="A word of the budget, as the data file has it: --set games=100.")
    ] = None,
    papers: Annotated[
        Path | None, typer.Option(help="A directory of data files of your own, in place of the package's.")
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Show the items and the minutes that each budget takes.")
    ] = False,
    workers: Workers = None,
    executor: Executor = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Measure tables and figures of papers again, beside what was printed; the same command goes on after Ctrl-C."""
    if listed:
        _show_list(ft.reproducible(paper, papers=papers), as_json)
        return
    if paper is None:
        raise ForethoughtError("Name a paper; `forethought reproduce --list` shows what there is.")
    try:
        with progress("reproducing") as report:
            results = ft.reproduce(
                paper,
                item,
                budget=budget,
                out=out,
                words=read_words(words or []),
                papers=papers,
                executor=executor_or_cluster(executor, cluster),
                workers=workers,
                progress=report,
                begun=_show_start,
            )
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        raise
    if as_json:
        print_json(results)
    else:
        for one in results:
            _print(one)


def read_words(texts: "Sequence[str]") -> dict[str, Any]:
    """Read `key=value`, the value as TOML writes it, or a text as it stands."""
    words: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise ForethoughtError(f"--set takes a word and its value, games=100, not '{text}'.")
        try:
            words[key] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            words[key] = value
    return words


def _show_start(item: "Item") -> None:
    print(
        f"{item.paper_name} {item.name}, budget {item.budget_name}: {item.head.title}; "
        f"forecast: {item.budget.minutes:g} min on two cores, less what is done already",
        file=sys.stderr,
    )


def _show_list(items: "Sequence[ItemForecast]", as_json: bool) -> None:
    if as_json:
        print_json(items)
        return
    budgets = list(items[0].minutes)
    rows = [[one.paper, one.item, one.title, *(f"{one.minutes[name]:g} min" for name in budgets)] for one in items]
    print_table(("paper", "item", "what it is", *budgets), rows, right=budgets)


def _print(item: "ReproducedItem") -> None:
    from forethought.reproduce.result import COLUMNS  # noqa: PLC0415 (imports numpy)

    print(item.heading)
    print_table(COLUMNS[:-1], [row[:-1] for row in item.table])
    print(f"{item.summary}; the page is {item.page}")
    for line in item.cannot_show:
        print(f"  {line}")
