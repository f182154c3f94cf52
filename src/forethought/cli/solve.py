"""`forethought solve`: an equilibrium of a game that fits in memory."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.cli.output import Json, print_json, progress
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.solve.solving import CurvePoint

MANY = 1_000


def solve(
    game: Annotated[str, typer.Argument(help="The game: leduc, goofspiel(cards=4), my_game.py.")],
    algorithm: Annotated[
        str, typer.Option(help="cfr, cfr+, linear, dcfr, pcfr+, mccfr-outcome or mccfr-external.")
    ] = "cfr+",
    iterations: Annotated[
        int | None, typer.Option(help="Stop after so many; 1000 if no exploitability is given either.", min=1)
    ] = None,
    exploitability: Annotated[
        float | None, typer.Option(help="Stop when exploitability (NashConv / players) is this low.", min=0.0)
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Save the policy here; play it as policy:FILE.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the curve of exploitability to this PNG.")] = None,
    max_nodes: Annotated[int, typer.Option(help="Refuse games with more nodes.", min=1)] = 50_000_000,
    seed: Annotated[int, typer.Option(help="Seed of the Monte Carlo algorithms.", min=0)] = 0,
    as_json: Json = False,
) -> None:
    """Solve a whole game by counterfactual regret minimisation; Ctrl-C stops and keeps what was reached."""
    from forethought.games import load  # noqa: PLC0415 (imports numpy)
    from forethought.solve.solving import SolveLimits, check_algorithm, make_solver  # noqa: PLC0415 (imports Numba)
    from forethought.solve.solving import solve as solve_method  # noqa: PLC0415
    from forethought.solve.unroll import unroll  # noqa: PLC0415

    check_algorithm(algorithm)
    limits = SolveLimits(iterations or (MANY if exploitability is None else 10**9), exploitability or 0.0)
    with progress(f"solving {game}") as report:
        report("unrolling", 0.0)
        tree = unroll(load(game), max_nodes)
        method = make_solver(tree, algorithm, seed)
        curve: list[CurvePoint] = []
        try:
            for point in solve_method(method, tree, limits):
                curve.append(point)
                report(_words(point), _part(point, curve[0], limits.iterations, exploitability))
        except KeyboardInterrupt:
            if not curve:
                raise
    policy = method.policy()
    policy.about["exploitability"] = curve[-1].strength.exploitability
    if save:
        policy.save(save)
    if plot:
        _draw(plot, f"{game}, {algorithm}", curve)
    answer = _answer(game, algorithm, tree.infosets, curve)
    print_json(answer) if as_json else _print(answer, save, plot)


def _words(point: "CurvePoint") -> str:
    return f"{point.iterations:,} iterations, exploitability {point.strength.exploitability:.3g}"


def _part(point: "CurvePoint", first: "CurvePoint", iterations: int, target: float | None) -> float:
    """How far along it is: by iterations, or on a log scale towards the target."""
    import math  # noqa: PLC0415

    part = point.iterations / iterations
    now, then = point.strength.exploitability, first.strength.exploitability
    if target and then > target and now > 0:
        part = max(part, math.log(then / now) / math.log(then / target))
    return part


def _answer(game: str, algorithm: str, infosets: int, curve: "list[CurvePoint]") -> dict[str, Any]:
    last = curve[-1]
    return {
        "game": game,
        "algorithm": algorithm,
        "kind": "exact",
        "nashconv": last.strength.nashconv,
        "exploitability": last.strength.exploitability,
        "value": last.strength.values[0],
        "best_responses": last.strength.best_responses,
        "infosets": infosets,
        "iterations": last.iterations,
        "seconds": last.seconds,
        "curve": [
            {"iterations": p.iterations, "seconds": p.seconds, "exploitability": p.strength.exploitability}
            for p in curve
        ],
    }


def _print(answer: dict[str, Any], save: Path | None, plot: Path | None) -> None:
    print(f"{answer['game']}, {answer['algorithm']}, {answer['infosets']:,} information sets")
    print(f"  iterations      {answer['iterations']:,} in {answer['seconds']:.2f} s")
    print(f"  exploitability  {answer['exploitability']:.6g} (exact; NashConv {answer['nashconv']:.6g})")
    print(f"  value           {answer['value']:+.6f} to player 0")
    if save:
        print(f"  saved           {save}; play it: forethought play '{answer['game']}' --against 'policy:{save}'")
    if plot:
        print(f"  plotted         {plot}")


def _draw(path: Path, title: str, curve: "list[CurvePoint]") -> None:
    """Draw exploitability over iterations, both on log scales."""
    import io  # noqa: PLC0415

    from matplotlib.figure import Figure  # noqa: PLC0415 (slow to import)

    from forethought.files import write_atomically  # noqa: PLC0415

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    axes.loglog([p.iterations for p in curve], [p.strength.exploitability for p in curve], marker=".")
    axes.set(title=title, xlabel="iterations", ylabel="exploitability (NashConv / players)")
    axes.grid(alpha=0.3, which="both")
    content = io.BytesIO()
    try:
        figure.savefig(content, format="png", dpi=150)
    except ValueError as error:
        raise ForethoughtError(f"The curve cannot be drawn: {error}.") from error
    write_atomically(path, content.getvalue())
