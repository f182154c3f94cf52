"""`forethought bench`: how fast, beside whom."""

from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Json
from forethought.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from forethought.bench import Result


def bench(
    name: Annotated[
        list[str] | None,
        typer.Argument(
            help="Benchmarks to run, or beginnings of names; if none, all but 'strength' and 'cluster', which are long."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure speed beside a peer in the same run; the ratio is what counts."""
    with progress("measuring") as report:
        results = ft.bench(name or [], progress=report)
    if as_json:
        print_json(results)
    else:
        columns = ("benchmark", "ours", "peer", "ratio", "goal", "holds")
        print_table(columns, [_row(result) for result in results], right=("ours", "ratio", "goal"))


def _row(result: "Result") -> list[str]:
    peer = f"{_number(result.peer)} {result.peer_name}" if result.peer is not None else result.note
    ratio = f"{result.ratio:.2f}" if result.ratio is not None else "-"
    holds = {True: "yes", False: "NO", None: "-"}[result.holds]
    return [result.name, f"{_number(result.ours)} {result.unit}", peer, ratio, f"{result.goal:g}", holds]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
