"""`forethought sweep`: every variant of a file with every seed, in one table and one picture."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Cluster, Executor, Json, Workers, executor_or_cluster
from forethought.cli.output import LONG, counted, print_json, print_table, progress, span

if TYPE_CHECKING:
    from forethought.api.sweep_results import SweepResult
    from forethought.api.sweeps import SweepStart
    from forethought.learn.sweeps import SweepTraining


def sweep(
    config: Annotated[Path, typer.Argument(help="A TOML file: game, seeds, variants, what is measured.")],
    at_once: Annotated[int, typer.Option(help="Trainings that run at once, and share the cores.", min=1)] = 1,
    output: Annotated[
        Path | None, typer.Option(help="The directory for table and picture; runs/sweeps/NAME if not given.")
    ] = None,
    workers: Workers = None,
    executor: Executor = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Train and measure every variant with every seed; stop with Ctrl-C, and the same command goes on."""
    try:
        with progress("sweep") as report:
            result = ft.sweep(
                config,
                at_once=at_once,
                output=output,
                executor=executor_or_cluster(executor, cluster),
                workers=workers,
                progress=report,
                begun=_show_start,
                finished=_show_run,
            )
    except KeyboardInterrupt:
        print(f"stopped; `forethought sweep {config}` goes on", file=sys.stderr)
        raise
    if as_json:
        print_json(result)
    else:
        _print(result)


def _show_start(start: "SweepStart") -> None:
    """Say what begins, and what it will take at least."""
    from forethought.learn.sweep_runs import forecast_seconds  # noqa: PLC0415 (imports Numba)

    plan, runs = start.plan, len(start.plan.trainings)
    variants, seeds = counted(len(plan.variants), "variant"), counted(len(plan.seeds), "seed")
    print(f"sweep {plan.name}: {variants} of {plan.game} with {seeds}, {counted(runs, 'run')}", file=sys.stderr)
    if len(start.left) < runs:
        print(f"{runs - len(start.left)} of them are complete", file=sys.stderr)
    seconds = forecast_seconds(start.game, start.left)
    if seconds > LONG:
        print(f"forecast: {span(seconds)} of self-play, without compiling, learning and evaluation", file=sys.stderr)


def _show_run(training: "SweepTraining", values: Mapping[str, float]) -> None:
    found = "  ".join(f"{name} {value:.4g}" for name, value in values.items())
    print(f"{training.run}  {found}", file=sys.stderr)


def _print(result: "SweepResult") -> None:
    print_table(result.columns, result.rows)
    print(f"table, values and picture are in {result.directory}")
