"""`forethought plot`: the curves of trainings as a picture."""

from pathlib import Path
from typing import Annotated

import typer

import forethought as ft
from forethought.cli.options import Json
from forethought.cli.output import print_json


def plot(
    runs: Annotated[list[str], typer.Argument(help="Runs, by name or directory; several share one picture.")],
    output: Annotated[
        Path | None, typer.Option(help="The .png or .svg; curves.png if not given, in the directory of a single run.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Draw what was measured over iterations and over time, and say of each run whether it learned."""
    found = ft.plot(runs, output)
    if as_json:
        print_json(found)
        return
    for run in found.runs:
        print(f"{run.run}: {run.verdict.sentence}")
    print(f"plotted {found.picture}")
