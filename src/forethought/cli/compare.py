"""`forethought compare`: who becomes how strong in what time."""

from pathlib import Path
from typing import Annotated

import typer

import forethought as ft
from forethought.cli.options import Cluster, Executor, Game, Json, Seed, Workers, executor_or_cluster
from forethought.cli.output import print_json, print_table, progress


def compare(
    game: Game,
    players: Annotated[
        list[str] | None, typer.Option("--players", help="A planner, at several budgets: oos; repeat it for more.")
    ] = None,
    learners: Annotated[
        list[str] | None,
        typer.Option("--learners", help="A learner, at its checkpoints: mmd, 'exit-oos(preset=paper)'; repeat it."),
    ] = None,
    minutes: Annotated[float, typer.Option(help="Minutes for which each learner is trained.")] = 5.0,
    budgets: Annotated[
        list[int] | None, typer.Option(help="Simulations per decision: --budgets 100 --budgets 10000.")
    ] = None,
    strength: Annotated[
        str | None,
        typer.Option(help="nashconv, or score against a reference; as the game is small or not, if none."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(help="The reference; what plans best in the game, with 1,000 simulations, if none."),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each match, for scores.", min=1)] = 400,
    seed: Seed = 0,
    output: Annotated[Path, typer.Option(help="The picture, .svg or .png.")] = Path("compare.svg"),
    workers: Workers = None,
    executor: Executor = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Measure strength over time: planners by seconds per decision, learners by minutes of training."""
    with progress("comparing") as report:
        result = ft.compare(
            game,
            players=players or [],
            learners=learners or [],
            minutes=minutes,
            **({"budgets": budgets} if budgets else {}),
            strength=strength,
            against=against,
            games=games,
            seed=seed,
            output=output,
            executor=executor_or_cluster(executor, cluster),
            workers=workers,
            progress=report,
        )
    if as_json:
        print_json(result)
    else:
        print_table(result.columns, result.rows)
        print(f"the picture is {result.picture}")
