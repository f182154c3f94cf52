"""Draw the figures of the TSPG paper from runs of one game, each with a seed of its own, and print their numbers:

python docs/pictures/tspg.py runs/c4-1 runs/c4-2 runs/c4-3 --games 200 --searches 40 --simulations 200
"""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from forethought.evaluate.pictures import save_figure
from forethought.evaluate.tspg_figures.densities import WeightDensity, weight_densities
from forethought.evaluate.tspg_figures.drawings import draw_densities, draw_entropies, draw_policy_strength
from forethought.evaluate.tspg_figures.entropies import EntropyCurve, entropy_over_time
from forethought.evaluate.tspg_figures.strength import (
    FigureEffort,
    PolicyStrength,
    SearchStrength,
    WinRate,
    policy_strength,
    search_strength,
)
from forethought.games import load
from forethought.learn.run import read_configuration
from forethought.runs import find_run
from forethought.runtime.threads import Threads

HERE = Path(__file__).parent


def main() -> None:
    asked = arguments()
    specs = {read_configuration(find_run(run)).game for run in asked.runs}
    if len(specs) != 1:
        raise SystemExit(f"error: the runs must be of one game, not of {', '.join(sorted(specs))}.")
    spec = specs.pop()
    asked.into.mkdir(parents=True, exist_ok=True)
    game, executor = load(spec), Threads()
    policies = FigureEffort(asked.games, asked.simulations, asked.seed)
    searches = FigureEffort(asked.searches, asked.simulations, asked.seed)

    curves = policy_strength(game, asked.runs, policies, executor)
    print_table(
        ("Fig. 2: policy", "games", "win rate against ce (95 % over runs)", "of the runs"), rows_of_fig_2(curves)
    )
    save_figure(draw_policy_strength(curves, spec), asked.into / "tspg-strength.png")

    densities = weight_densities(game, asked.runs)
    print_table(("Fig. 4: policy", "weights", "standard deviation", "largest"), rows_of_fig_4(densities))
    save_figure(draw_densities(densities, spec), asked.into / "tspg-weights.png")

    entropies = entropy_over_time(game, asked.runs, searches, executor)
    print_table(("Fig. 3: who", "decisions", "mean normalised entropy"), rows_of_fig_3(entropies))
    save_figure(draw_entropies(entropies, spec), asked.into / "tspg-entropy.png")

    strengths = search_strength(game, asked.runs, searches, executor)
    print_table(
        ("Table I: play-outs", "simulations", "win rate against uct", "of the runs"), rows_of_table_1(strengths)
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("runs", nargs="+", help="runs of TSPG, by name or directory")
    parser.add_argument("--games", type=int, default=200, help="of policies without search, for each run")
    parser.add_argument("--searches", type=int, default=40, help="games of tree search, for each run")
    parser.add_argument("--simulations", type=int, default=1_600, help="walks at every decision")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--into", type=Path, default=HERE, help="the directory of the pictures")
    return parser.parse_args()


def rows_of_fig_2(curves: Sequence[PolicyStrength]) -> Iterable[Sequence[str]]:
    for curve in curves:
        for at, rate in zip(curve.checkpoints, curve.win_rates, strict=True):
            yield curve.policy, str(at), *told(rate)


def rows_of_table_1(rows: Sequence[SearchStrength]) -> Iterable[Sequence[str]]:
    for row in rows:
        yield row.playouts, f"{row.simulations:,}", *told(row.win_rate)


def rows_of_fig_3(curves: Sequence[EntropyCurve]) -> Iterable[Sequence[str]]:
    for curve in curves:
        yield curve.name, f"{curve.decisions:,}", f"{curve.overall:.3f}"


def rows_of_fig_4(densities: Sequence[WeightDensity]) -> Iterable[Sequence[str]]:
    for one in densities:
        yield one.policy, f"{one.weights:,}", f"{one.deviation:.3f}", f"{one.largest:.2f}"


def told(rate: WinRate) -> tuple[str, str]:
    interval = "" if rate.low is None or rate.high is None else f" ({rate.low:.1%} to {rate.high:.1%})"
    return f"{rate.mean:.1%}{interval}", " ".join(f"{one:.1%}" for one in rate.of_runs)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table as Markdown has it, to be pasted into a page."""
    print(f"\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)  # noqa: T201
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
