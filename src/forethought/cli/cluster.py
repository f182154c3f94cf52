"""`forethought cluster`: who is there, and what a training would take there."""

from typing import Annotated

import typer

import forethought as ft
from forethought.cli.options import (
    Algorithm,
    ConfigurationFile,
    Game,
    GamesPerIteration,
    Iterations,
    Json,
    Preset,
    SettingList,
    Simulations,
)
from forethought.cli.output import counted, print_json, print_table, span

app = typer.Typer(
    name="cluster",
    help="Look at a Ray cluster, before a training or a match uses it by --cluster.",
    no_args_is_help=True,
)

Named = Annotated[str, typer.Option("--cluster", help="auto, HOST:PORT of its head, or local:4, processes here.")]


@app.command()
def status(cluster: Named = "auto", as_json: Json = False) -> None:
    """List the nodes, their cores and processors, and say whether they can work together."""
    found = ft.cluster_status(cluster)
    if as_json:
        print_json(found)
        return
    columns = ("node", "address", "cores", "processor", "problem")
    rows = [[node.name, node.address, str(node.cores), node.processor, node.problem] for node in found.nodes]
    print_table(columns, rows, right=("cores",))
    print(f"{counted(len(found.nodes), 'node')}, {counted(found.cores, 'core')}")
    for problem in found.problems:
        print(problem)


@app.command()
def forecast(
    game: Game,
    cluster: Named = "auto",
    algorithm: Algorithm = None,
    iterations: Iterations = None,
    games: GamesPerIteration = None,
    simulations: Simulations = None,
    preset: Preset = None,
    config: ConfigurationFile = None,
    settings: SettingList = None,
    as_json: Json = False,
) -> None:
    """Say what self-play of a training would take on a cluster, measured on this machine for a second."""
    found = ft.cluster_forecast(
        game,
        cluster=cluster,
        algorithm=algorithm,
        iterations=iterations,
        games=games,
        simulations=simulations,
        preset=preset,
        config=config,
        settings=settings or [],
    )
    if as_json:
        print_json(found)
        return
    print(f"{found.algorithm} on {found.game}, {counted(found.cores, 'core')}")
    print(
        f"self-play of an iteration: {span(found.seconds_per_iteration)}; {span(found.core_seconds_per_iteration)} "
        f"on one core, in {counted(found.jobs_per_iteration, 'job')}"
    )
    if found.seconds is not None:
        print(f"of all {found.iterations:,} iterations: {span(found.seconds)}, without learning and evaluation")
    if found.cores > found.jobs_per_iteration:
        print("there are more cores than jobs; more games per iteration would use them")
