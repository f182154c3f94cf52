"""`forethought plot`: the curves of trainings as a picture."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from forethought.cli.output import Json, print_json


def plot(
    runs: Annotated[list[str], typer.Argument(help="Runs, by name or directory; several share one picture.")],
    output: Annotated[
        Path | None, typer.Option(help="The PNG to write; curves.png if not given, in the directory of a single run.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Draw what was measured over iterations and over time, and say of each run whether it learned."""
    from forethought.api.training import measurements, names_of, open_run, plot_runs  # noqa: PLC0415 (imports Numba)

    found = {run.directory.resolve(): run for run in map(open_run, runs)}  # one that is named twice is drawn once
    opened = list(found.values())
    named, path = list(zip(names_of(opened), opened, strict=True)), plot_runs(opened, output)
    if as_json:
        about = [
            {"run": name, "verdict": asdict(run.verdict), "points": [point._asdict() for point in measurements(run)]}
            for name, run in named
        ]
        print_json({"picture": str(path), "runs": about})
        return
    for name, run in named:
        print(f"{name}: {run.verdict.sentence}")
    print(f"plotted {path}")
