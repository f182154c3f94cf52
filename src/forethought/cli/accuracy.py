"""`forethought accuracy`: how often does a player find the best move?"""

import time
from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Cluster, Executor, Json, Seed, Workers, executor_or_cluster
from forethought.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from forethought.evaluate.accuracy import Accuracy


def accuracy(
    game: Annotated[str, typer.Argument(help="The game: connect_four, hex(size=4), my_game.py.")],
    player: Annotated[str, typer.Argument(help="The player: uct:1600, net:RUN, random.")],
    positions: Annotated[int, typer.Option(help="How many random positions to ask about.", min=1)] = 1_000,
    from_plies: Annotated[
        int | None,
        typer.Option(help="Random plies before a position, at least; two fifths of the longest game.", min=0),
    ] = None,
    to_plies: Annotated[
        int | None, typer.Option(help="And at most; six sevenths of the longest game if not given.", min=0)
    ] = None,
    seed: Seed = 0,
    max_nodes: Annotated[
        int, typer.Option(help="Skip positions that take longer to solve; two million are about a second.", min=1)
    ] = 5_000_000,
    workers: Workers = None,
    executor: Executor = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Solve random positions exactly and count how often the player keeps their value; nothing may be hidden."""
    began = time.monotonic()
    with progress("accuracy") as report:
        result = ft.accuracy(
            game,
            player,
            positions=positions,
            from_plies=from_plies,
            to_plies=to_plies,
            seed=seed,
            max_nodes=max_nodes,
            executor=executor_or_cluster(executor, cluster),
            workers=workers,
            progress=report,
        )
    if as_json:
        print_json(result)
    else:
        _print(result, time.monotonic() - began)


def _print(result: "Accuracy", seconds: float) -> None:
    plies = f"after {result.from_plies} to {result.to_plies} random plies"
    print(f"{result.game}   {result.player}   {plies}   seed {result.seed}   {seconds:.1f} s")
    counts = [f"{count:,}" for count in (result.positions, result.solved, result.differing, result.right)]
    columns = ("positions", "solved", "moves differ", "right", "share right", "(95 %)", "mean loss")
    print_table(columns, [[*counts, *_rates(result)]], right=columns)
    if result.solved < result.positions:
        skipped = result.positions - result.solved
        print(f"{skipped:,} positions were not solved within {result.max_nodes:,} nodes; --max-nodes allows more")
    if result.differing == 0:
        print("no position was solved in which moves differ; ask for more positions, or later ones (--from-plies)")


def _rates(result: "Accuracy") -> list[str]:
    if result.share_right is None:
        return ["", "", ""]
    interval = f"{result.share_right_low:.1%} to {result.share_right_high:.1%}"
    return [f"{result.share_right:.1%}", interval, f"{result.mean_loss:.3f}"]
