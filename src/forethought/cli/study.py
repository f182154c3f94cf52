"""`forethought study`: what is a game like?"""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Cluster, Executor, Game, Json, Seed, Workers, executor_or_cluster
from forethought.cli.output import print_json, print_table, progress
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.evaluate.studies.result import GameStudy, IntervalEstimate


def study(
    game: Game,
    games: Annotated[int, typer.Option(help="Games of the planner against itself, and of each match.")] = 200,
    budgets: Annotated[
        str, typer.Option(help="Simulations per decision, ascending; each plays against the one before.")
    ] = "10,100,1000",
    planner: Annotated[
        str | None, typer.Option(help="The player that plans; what is recommended for the game if not given.")
    ] = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option(help="Also write a report to this directory: index.html and study.json.")
    ] = None,
    workers: Workers = None,
    executor: Executor = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Let planners play a game and say what it is like: balance, length, draws, branching, skill and drama."""
    began = time.monotonic()
    with progress("study") as report:
        result = ft.study(
            game,
            games=games,
            budgets=_numbers(budgets),
            planner=planner,
            seed=seed,
            out=out,
            executor=executor_or_cluster(executor, cluster),
            workers=workers,
            progress=report,
        )
    if as_json:
        print_json(result)
    else:
        _print(result, time.monotonic() - began)


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise ForethoughtError(f"Budgets are whole numbers with commas between, such as 10,100,1000, not '{text}'.")
    return [int(part) for part in parts]


def _print(result: "GameStudy", seconds: float) -> None:
    from forethought.evaluate.studies.report import counts_of_study, shares_of_study, told_of_step  # noqa: PLC0415

    about = f"{result.games:,} games of {result.planner} against itself"
    print(f"{result.game}   {about}   seed {result.seed}   {seconds:.1f} s")
    rows = [[name, f"{one.value:.2f}", f"{one.low:.2f} to {one.high:.2f}"] for name, one in counts_of_study(result)]
    rows += [[name, *_share(one)] for name, one in shares_of_study(result)]
    print_table(("quantity", "mean", "(95 %)"), rows, right=("mean", "(95 %)"))
    columns = ("seat", "score", "(95 %)", "mean return", "(95 %) ")
    rows = [[str(seat), *_share(one.score), *_paid(one.mean_return)] for seat, one in enumerate(result.seats)]
    print_table(columns, rows, right=columns[1:])
    columns = ("more thinking", "less", "score of more", "(95 %)", "verdict")
    rows = [[one.more, one.less, *_share(one.win_rate), told_of_step(one)] for one in result.skill]
    print_table(columns, rows, right=columns[2:4])
    for finding in result.findings:
        print(finding)


def _share(one: "IntervalEstimate") -> list[str]:
    return [f"{one.value:.1%}", f"{one.low:.1%} to {one.high:.1%}"]


def _paid(one: "IntervalEstimate") -> list[str]:
    return [f"{one.value:+.3f}", f"{one.low:+.3f} to {one.high:+.3f}"]
