"""`forethought check`: does a game keep the laws?"""

from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Json
from forethought.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from forethought.check import Report, Violation


def check(
    game: Annotated[
        list[str] | None, typer.Argument(help="Games to check; all that have a name if none is given.")
    ] = None,
    histories: Annotated[int, typer.Option(help="Check up to this many of the shortest histories.", min=1)] = 4_000,
    plies: Annotated[int, typer.Option(help="Check up to this many plies of random games.", min=1)] = 100_000,
    seconds: Annotated[
        float, typer.Option(help="Check for so long at most; compiling is not counted.", min=0.1)
    ] = 15.0,
    seed: Annotated[int, typer.Option(help="Seed of the random games.", min=0)] = 0,
    as_json: Json = False,
) -> None:
    """Execute every law of a game on short histories and random play; exit code 1 if one is broken."""
    reports = []
    for spec in game or [one.name for one in ft.games()]:
        with progress(f"checking {spec}", at_most=seconds) as report:
            reports.append(
                ft.check(spec, histories=histories, plies=plies, seed=seed, seconds=seconds, progress=report)
            )
    if as_json:
        print_json(reports if len(reports) != 1 else reports[0])
    else:
        _print(reports)
    if not all(report.ok for report in reports):
        raise typer.Exit(1)


def _print(reports: "list[Report]") -> None:
    columns = ("game", "laws", "random plies", "compiled = interpreted", "seconds")
    print_table(columns, [_row(report) for report in reports], right=columns[2:])
    for report in reports:
        if report.violation:
            _explain(report.game, report.violation)


def _row(report: "Report") -> list[str]:
    numbers = [f"{report.plies:,}", f"{report.compared:,} positions", f"{report.seconds:.1f}"]
    return [report.game, report.verdict, *numbers]


def _explain(game: str, violation: "Violation") -> None:
    print(f"{game} breaks the law '{violation.law}': {violation.message}\n")
    for history, names, drawing in zip(violation.histories, violation.names, violation.drawings, strict=True):
        print(f"after {history or 'the start'}  {', '.join(names)}")
        print("\n".join(f"    {line}" for line in drawing.splitlines()) + "\n")
    print("The laws stand at the top of forethought/game.py.")
