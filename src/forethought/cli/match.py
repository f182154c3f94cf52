"""`forethought match`: who is stronger?"""

import time
from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Cluster, Executor, Fresh, Game, Json, Seed, StoreFile, Workers, executor_or_cluster
from forethought.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from forethought.evaluate.match import MatchResult
    from forethought.evaluate.outcomes import Tally


def match(
    game: Game,
    a: Annotated[
        str,
        typer.Argument(help="Player A, whose results are reported: oos:10000, or any other of `forethought players`."),
    ],
    b: Annotated[str, typer.Argument(help="Player B, in the other seats.")],
    games: Annotated[int, typer.Option(help="How many games to play, rounded up to whole rounds.")] = 5_000,
    seed: Seed = 0,
    stop: Annotated[bool, typer.Option("--stop", help="Stop as soon as a sequential test can tell.")] = False,
    margin: Annotated[float, typer.Option(help="With --stop: the difference in win rate that matters.")] = 0.05,
    store: StoreFile = None,
    fresh: Fresh = False,
    workers: Workers = None,
    executor: Executor = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Play two players against each other, seats swapped on every deal, and say who is stronger."""
    from forethought.runs import matches_file  # noqa: PLC0415

    began = time.monotonic()
    with progress("match") as report:
        result = ft.match(
            game,
            a,
            b,
            games=games,
            seed=seed,
            stop=stop,
            margin=margin,
            store=store or matches_file(),
            fresh=fresh,
            executor=executor_or_cluster(executor, cluster),
            workers=workers,
            progress=report,
        )
    if as_json:
        print_json(result)
    else:
        _print(result, time.monotonic() - began)


def _print(result: "MatchResult", seconds: float) -> None:
    print(f"{result.game}   A: {result.a}   B: {result.b}   seed {result.seed}   {seconds:.1f} s")
    columns = ("A's seat", "games", "wins", "draws", "losses", "win rate", "(95 %)", "mean return", "(95 %) ")
    rows = [_row("all", result), *(_row(str(seat), tally) for seat, tally in enumerate(result.seats))]
    print_table(columns, rows, right=columns[1:])
    others = len(result.seats) - 1
    if others > 1:
        print(f"Wins, draws and losses compare A with each of the other {others} seats: {others} for every game.")
    print(result.verdict + ("; stopped early" if result.stopped_early else ""))


def _row(seat: str, tally: "Tally") -> list[str]:
    counts = [f"{count:,}" for count in (tally.games, tally.wins, tally.draws, tally.losses)]
    rate = [f"{tally.win_rate:.1%}", f"{tally.win_rate_low:.1%} to {tally.win_rate_high:.1%}"]
    mean = [f"{tally.mean_return:+.3f}", f"{tally.mean_return_low:+.3f} to {tally.mean_return_high:+.3f}"]
    return [seat, *counts, *rate, *mean]
