"""Arguments and options that several verbs take, each with its one explanation."""

from pathlib import Path
from typing import Annotated

import typer

Game = Annotated[str, typer.Argument(help="The game: leduc, goofspiel(cards=6), my_game.py.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Seed = Annotated[int, typer.Option(help="Seed of all chance; the same seed, the same result.", min=0)]
DrawnSeed = Annotated[
    int | None, typer.Option("--seed", help="Seed of all chance; drawn and printed if not given.", min=0)
]
Workers = Annotated[int | None, typer.Option(help="Jobs that run at once; one per core if not given.")]
Executor = Annotated[str | None, typer.Option(help="Where the work is done: threads:4, or one of your own.")]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="Where rounds are kept, to be played only once; runs/matches.jsonl if not given."),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Play everything again, whatever the store holds.")]
