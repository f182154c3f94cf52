"""`forethought solve`: an equilibrium of a game that fits in memory."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Game, Json
from forethought.cli.output import print_json, progress
from forethought.files import check_can_write

if TYPE_CHECKING:
    from forethought.api.solving import Solution


def solve(
    game: Game,
    algorithm: Annotated[
        str, typer.Option(help="cfr, cfr+, linear, dcfr, pcfr+, mmd, mccfr-outcome or mccfr-external.")
    ] = "cfr+",
    iterations: Annotated[
        int | None, typer.Option(help="Iterations; 1000 if no exploitability is given either.", min=1)
    ] = None,
    exploitability: Annotated[
        float | None, typer.Option(help="Stop when exploitability (NashConv / players) is this low.", min=0.0)
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Save the policy here; play it as policy:FILE.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the curve of exploitability to this file, .png or .svg.")] = (
        None
    ),
    max_nodes: Annotated[int, typer.Option(help="Refuse games with more nodes.", min=1)] = 50_000_000,
    seed: Annotated[int, typer.Option(help="Seed of the Monte Carlo algorithms.", min=0)] = 0,
    temperature: Annotated[
        float | None,
        typer.Option(help="Of mmd: find the quantal-response equilibrium of this temperature, in the game's returns."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a whole game by regret minimisation or mirror descent; Ctrl-C stops and keeps what was reached."""
    from forethought.evaluate.pictures import check_picture_file  # noqa: PLC0415 (imports numpy)

    if save is not None:
        check_can_write(save, "policy")
    if plot is not None:
        check_picture_file(plot)
    made = [file.parent for file in (save, plot) if file is not None and not file.parent.exists()]
    with progress(f"solving {game}") as report:
        solution = ft.solve(
            game,
            algorithm,
            iterations=iterations,
            exploitability=exploitability,
            max_nodes=max_nodes,
            seed=seed,
            temperature=temperature,
            progress=report,
        )
    if save is not None:
        solution.save(save)
    if plot is not None:
        solution.plot(plot)
    print_json(solution) if as_json else _print(solution, save, plot)
    for directory in dict.fromkeys(made):
        print(f"  made            the directory {directory}", file=sys.stderr)


def _print(solution: "Solution", save: Path | None, plot: Path | None) -> None:
    print(f"{solution.game}, {solution.algorithm}, {solution.infosets:,} information sets")
    print(f"  iterations      {solution.iterations:,} in {solution.seconds:.2f} s")
    print(f"  exploitability  {solution.exploitability:.6g} (exact; NashConv {solution.nashconv:.6g})")
    print(f"  value           {solution.value:+.6f} to player 0")
    if save:
        print(f"  saved           {save}; play it: forethought play '{solution.game}' --against 'policy:{save}'")
    if plot:
        print(f"  plotted         {plot}")
