"""`forethought ladder`: how strong are many players?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Cluster, Executor, Fresh, Game, Json, Seed, StoreFile, Workers, executor_or_cluster
from forethought.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from forethought.evaluate.ladder import Ladder


def ladder(
    game: Game,
    players: Annotated[list[str], typer.Argument(help="The players, two or more.")],
    games: Annotated[int, typer.Option(help="How many games each pair plays, rounded up to whole rounds.")] = 1_000,
    anchor: Annotated[
        str | None, typer.Option(help="Whom the others are rated against; the first if not given.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the ratings to this file, .png or .svg.")] = None,
    seed: Seed = 0,
    store: StoreFile = None,
    fresh: Fresh = False,
    workers: Workers = None,
    executor: Executor = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Play all pairs and rate the players, with intervals, and a warning where A beats B beats C beats A.

    Ratings are Elo's; where games pay different sums, what is paid per game.
    """
    from forethought.evaluate.pictures import check_picture_file  # noqa: PLC0415 (imports numpy)
    from forethought.runs import matches_file  # noqa: PLC0415

    if plot is not None:
        check_picture_file(plot)
    with progress("ladder") as report:
        result = ft.ladder(
            game,
            players,
            games=games,
            anchor=anchor,
            seed=seed,
            store=store or matches_file(),
            fresh=fresh,
            executor=executor_or_cluster(executor, cluster),
            workers=workers,
            progress=report,
        )
    if plot is not None:
        result.plot(plot)
    _warn(result)
    if as_json:
        print_json(result)
    else:
        _print(result)


def _warn(result: "Ladder") -> None:
    for cycle in result.cycles:
        circle = " beats ".join([*cycle, cycle[0]])
        print(f"warning: not transitive: {circle}; no rating can show that, look at the matches.", file=sys.stderr)


def _print(result: "Ladder") -> None:
    games = f"{result.matches[0].games:,} games per pair"
    print(f"{result.game}   {games}   seed {result.seed}   {result.reference}")
    columns = ("player", result.unit, "(95 %)", "games", "win rate")
    rows = [
        [
            each.player,
            result.rated(each.rating),
            f"{result.rated(each.low)} to {result.rated(each.high)}",
            f"{each.games:,}",
            f"{each.win_rate:.1%}",
        ]
        for each in result.standings
    ]
    print_table(columns, rows, right=columns[1:])
    pairs = [
        [match.a, match.b, f"{match.win_rate:.1%}", f"{match.mean_return:+.3f}", match.verdict]
        for match in result.matches
    ]
    columns = ("A", "B", "A's win rate", "A's mean return", "verdict")
    print_table(columns, pairs, right=("A's win rate", "A's mean return"))
