"""`forethought ladder`: how strong are many players?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forethought.cli.match import DEFAULT_STORE, Fresh, Seed, StorePath, Workers, watched_rounds, worker_count
from forethought.cli.output import Json, print_json, print_table, progress

if TYPE_CHECKING:
    from forethought.evaluate.ladder import Ladder


def ladder(
    game: Annotated[str, typer.Argument(help="The game: leduc, goofspiel(cards=6), my_game.py.")],
    players: Annotated[list[str], typer.Argument(help="The players, two or more.")],
    games: Annotated[int, typer.Option(help="How many games each pair plays, rounded up to whole rounds.")] = 1_000,
    anchor: Annotated[str | None, typer.Option(help="Whose rating is fixed at 1500; the first if not given.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the ratings to this PNG file.")] = None,
    seed: Seed = 0,
    workers: Workers = None,
    store: StorePath = DEFAULT_STORE,
    fresh: Fresh = False,
    as_json: Json = False,
) -> None:
    """Play all pairs and rate the players, with intervals, and a warning where A beats B beats C beats A."""
    from forethought.evaluate.ladder import all_pairs, anchor_of, rank  # noqa: PLC0415 (imports numpy)
    from forethought.evaluate.plot import check_picture, draw_ladder  # noqa: PLC0415
    from forethought.evaluate.rounds import rounds_for  # noqa: PLC0415
    from forethought.evaluate.store import Store  # noqa: PLC0415
    from forethought.games import load  # noqa: PLC0415
    from forethought.player import find_player  # noqa: PLC0415

    made = load(game, compiled=False)  # mistakes are told before anything is compiled
    players = [player.strip() for player in players]
    for player in players:
        find_player(player)
    fixed = anchor_of(players, anchor)
    count, threads = rounds_for(games, made), worker_count(workers)
    if plot is not None:
        check_picture(plot)
    with Store(store) as kept, progress("ladder") as report:
        contests = all_pairs(load(made), players, seed)
        played = [(each, list(watched_rounds(each, count, kept, fresh, threads, report))) for each in contests]
        result = rank(played, players, fixed)
    if plot is not None:
        draw_ladder(result, plot)
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
    print(f"{result.game}   {result.matches[0].games:,} games a pair   seed {result.seed}   {result.anchor} is fixed")
    columns = ("player", "rating", "(95 %)", "games", "win rate")
    rows = [
        [
            each.player,
            f"{each.rating:.0f}",
            f"{each.low:.0f} to {each.high:.0f}",
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
    print_table(
        ("A", "B", "A's win rate", "A's mean return", "verdict"), pairs, right=("A's win rate", "A's mean return")
    )
