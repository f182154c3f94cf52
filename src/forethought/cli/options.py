"""Arguments and options that several verbs take, each with its one explanation."""

from pathlib import Path
from typing import Annotated

import typer

from forethought.errors import ForethoughtError

Game = Annotated[str, typer.Argument(help="The game: leduc, goofspiel(cards=6), my_game.py.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Seed = Annotated[int, typer.Option(help="Seed of all chance; the same seed, the same result.", min=0)]
DrawnSeed = Annotated[
    int | None, typer.Option("--seed", help="Seed of all chance; drawn and printed if not given.", min=0)
]
Workers = Annotated[int | None, typer.Option(help="Jobs that run at once; one per core if not given.")]
Executor = Annotated[str | None, typer.Option(help="Where the work is done: threads:4, or one of your own.")]
Cluster = Annotated[
    str | None,
    typer.Option(help="The machines that do the work: auto or HOST:PORT, a Ray cluster; local:4, processes here."),
]
Algorithm = Annotated[str | None, typer.Option(help="One of `forethought learners`; what suits the game if not given.")]
Iterations = Annotated[int | None, typer.Option(help="How many iterations in all.", min=1)]
GamesPerIteration = Annotated[
    int | None, typer.Option(help="Games of self-play per iteration; with tspg, of one game each, in all.")
]
Simulations = Annotated[int | None, typer.Option(help="Simulations of the expert per decision.", min=1)]
Preset = Annotated[
    str | None,
    typer.Option(help="Settings to begin from: `paper` for the published ones; `forethought learners` lists them."),
]
ConfigurationFile = Annotated[Path | None, typer.Option("--config", help="A TOML file of settings.", dir_okay=False)]
SettingList = Annotated[
    list[str] | None,
    typer.Option("--set", help="Any setting: --set memory.capacity=1000. `forethought learners NAME` lists them."),
]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="Where rounds are kept, to be played only once; runs/matches.jsonl if not given."),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Play everything again, whatever the store holds.")]


def executor_or_cluster(executor: str | None, cluster: str | None) -> str | None:
    """Return the executor that one of two options names."""
    if cluster is None:
        return executor
    if executor is not None:
        raise ForethoughtError("--cluster names an executor, too: leave out --executor.")
    from forethought.runtime.ray import executor_of_cluster  # noqa: PLC0415 (imports numpy)

    return executor_of_cluster(cluster)
