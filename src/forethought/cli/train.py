"""`forethought train` and `forethought resume`: expert iteration, watched as it goes."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.cli.output import Json, Seed
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.game import Game
    from forethought.learn.events import IterationReport
    from forethought.learn.run import Run
    from forethought.learn.training import Training

Minutes = Annotated[float | None, typer.Option(help="Begin no iteration after so many minutes.", min=0.0)]
Iterations = Annotated[int | None, typer.Option(help="How many iterations in all.", min=1)]
Workers = Annotated[int | None, typer.Option(help="Threads that play; one a core if not given.", min=1)]
Tensorboard = Annotated[bool, typer.Option("--tensorboard", help="Also write the curves for TensorBoard.")]
Show = Callable[[str], None]

# Whom a run of each algorithm trains.
PLAYERS = {"exit-oos": "net:{}", "alphazero": "az:{}", "tspg": "biased:{}"}


def train(
    game: Annotated[str, typer.Argument(help="The game: leduc, goofspiel(cards=6), my_game.py.")],
    algorithm: Annotated[
        str | None, typer.Option(help="exit-oos, alphazero or tspg; what suits the game if not given.")
    ] = None,
    run: Annotated[
        str | None, typer.Option(help="The run's name or directory; leduc-1 and so on if not given.")
    ] = None,
    iterations: Iterations = None,
    games: Annotated[
        int | None,
        typer.Option(help="Games of self-play in an iteration; with tspg, of one game each, in all."),
    ] = None,
    simulations: Annotated[int | None, typer.Option(help="Walks of the expert at every decision.", min=1)] = None,
    minutes: Minutes = None,
    workers: Workers = None,
    seed: Seed = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.", dir_okay=False)] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Any setting by its name: --set memory.capacity=1000.")
    ] = None,
    tensorboard: Tensorboard = False,
    as_json: Json = False,
) -> None:
    """Train a network by expert iteration, in a directory of its own; stop with Ctrl-C and go on with resume."""
    learning = _learning()
    from forethought.games import load  # noqa: PLC0415
    from forethought.learn.configuration import algorithm_for, configuration_from  # noqa: PLC0415 (imports numpy)
    from forethought.learn.run import Run  # noqa: PLC0415
    from forethought.player import find_player  # noqa: PLC0415
    from forethought.runs import new_run  # noqa: PLC0415

    suited = algorithm_for(load(game, compiled=False))
    flags = {
        "algorithm": algorithm,
        "iterations": iterations,
        "games": games,
        "search.simulations": simulations,
        "minutes": minutes,
        "workers": workers,
    }
    configuration = configuration_from(game, config, settings or [], suited, **flags, seed=seed)
    loaded = load(configuration.game)
    learning.check_suits(loaded, configuration)  # before there is a run that cannot begin
    find_player(configuration.evaluation.against)
    with Run.create(new_run(run, game), configuration) as made:
        _go_on(learning, made, loaded, tensorboard, as_json)


def resume(
    run: Annotated[str, typer.Argument(help="The run: its name or directory.")],
    iterations: Iterations = None,
    minutes: Minutes = None,
    workers: Workers = None,
    tensorboard: Tensorboard = False,
    as_json: Json = False,
) -> None:
    """Go on with a run where it stopped, as if it never had; with more --iterations, also with a finished one."""
    learning = _learning()
    from forethought.games import load  # noqa: PLC0415
    from forethought.learn.run import Run  # noqa: PLC0415
    from forethought.runs import find_run  # noqa: PLC0415

    with Run.open(find_run(run)) as opened:
        changes = {"iterations": iterations, "minutes": minutes, "workers": workers}
        given: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
        done = max((report.iteration for report in opened.reports()), default=0)
        if iterations is not None and iterations < done:
            raise ForethoughtError(f"{opened.name} has {done} iterations already; give as many or more.")
        if given:
            opened.reconfigure(replace(opened.configuration, **given))
        _go_on(learning, opened, load(opened.configuration.game), tensorboard, as_json)


def _learning() -> Any:
    try:
        from forethought.learn import training  # noqa: PLC0415
    except ImportError as error:
        if error.name != "torch":
            raise
        raise ForethoughtError("Training needs torch: pip install 'forethought[train]'.") from error
    return training


def _go_on(learning: Any, run: "Run", game: "Game", tensorboard: bool, as_json: bool) -> None:
    from forethought.learn.tensorboard import TensorBoard  # noqa: PLC0415
    from forethought.learn.verdict import verdict  # noqa: PLC0415

    training, began = learning.training_of(run, game), time.monotonic()
    for warning in run.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    reports: list[IterationReport] = []
    board = TensorBoard(run.directory) if tensorboard else None
    with _display(run, training) as (show, listen):
        show(_opening(run, training, game))
        try:
            for report in training.iterations(listen):
                reports.append(report)
                show(_line(report))
                if board is not None:
                    board.add(report)
        except KeyboardInterrupt:
            show(f"stopped; `forethought resume {run.name}` goes on")
    everything, seconds = run.reports(), time.monotonic() - began
    if as_json:
        print(json.dumps(_summary(run, everything, reports, seconds)))
    elif everything:
        print(verdict(everything).sentence)
        player = PLAYERS[run.configuration.algorithm].format(run.name)
        print(f"play against it: forethought play '{game.spec or game.name}' --against {player}")


def _opening(run: "Run", training: "Training", game: "Game") -> str:
    from forethought.learn.forecast import forecast  # noqa: PLC0415

    chosen = run.configuration
    left = chosen.iterations - training.iteration
    expected = forecast(game, chosen, training.method, training.network)
    span = _span(left * expected.seconds_per_iteration)
    if chosen.minutes:
        span = f"{chosen.minutes:g} min at most, {span} for all"
    return (
        f"run {run.name}: {chosen.algorithm} on {game.spec or game.name}, seed {chosen.seed}, "
        f"{left} iterations of {chosen.games} games, "
        f"{training.method.simulations:,} walks a decision, {chosen.threads} workers\n"
        f"forecast: {span}, "
        f"{expected.memory_bytes / 1e6:,.0f} MB; stop with Ctrl-C, go on with `forethought resume {run.name}`"
    )


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"


def _line(report: "IterationReport") -> str:
    parts = [
        f"iteration {report.iteration:>4}",
        f"{report.games_per_second:6.2f} games/s",
        f"{report.walks_per_second:>9,.0f} walks/s",
        f"loss {report.loss:.4f}",
        *([f"value {report.value_loss:.4f}"] if report.value_loss else []),
        f"entropy {report.entropy:.3f}",
    ]
    if report.nashconv is not None:
        parts.append(f"NashConv {report.nashconv:.4f}")
    if report.win_rate is not None:
        parts.append(f"wins {report.win_rate:.1%} ({report.win_rate_low:.1%} to {report.win_rate_high:.1%})")
    return "  ".join(parts)


def _summary(
    run: "Run", everything: "list[IterationReport]", reports: "list[IterationReport]", seconds: float
) -> dict[str, Any]:
    measured = [report for report in everything if report.win_rate is not None]
    searched = sum(report.search_seconds for report in reports)
    walks = sum(report.walks_per_second * report.search_seconds for report in reports)
    return {
        "run": str(run.directory),
        "iterations": everything[-1].iteration if everything else 0,
        "games": sum(report.games for report in everything),
        "seconds": seconds,
        "nashconv": measured[-1].nashconv if measured else None,
        "win_rate": measured[-1].win_rate if measured else None,
        "walks_per_second": walks / searched if searched > 0 else None,
        "seed": run.configuration.seed,
    }


@contextmanager
def _display(run: "Run", training: "Training") -> Iterator[tuple[Show, Callable[[int, int], None]]]:
    """Lines on stderr, above a bar of the games of this iteration; without a terminal, only the lines."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    chosen, console = run.configuration, Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(
            "games", total=chosen.games * chosen.iterations, completed=training.iteration * chosen.games
        )

        def listen(iteration: int, finished: int) -> None:
            done = (iteration - 1) * chosen.games + finished
            bar.update(task, description=f"iteration {iteration}, game {finished}", completed=done)

        yield (lambda text: bar.console.print(text) if sys.stderr.isatty() else print(text, file=sys.stderr)), listen
