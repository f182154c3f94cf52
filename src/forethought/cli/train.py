"""`forethought train` and `forethought resume`: a training, watched as it goes."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import (
    Algorithm,
    Cluster,
    ConfigurationFile,
    DrawnSeed,
    Executor,
    Game,
    GamesPerIteration,
    Iterations,
    Json,
    Preset,
    SettingList,
    Simulations,
    Workers,
    executor_or_cluster,
)
from forethought.cli.output import LONG, PROBE_SECONDS, counted, print_json, span
from forethought.runs import shortest_name
from forethought.runtime.executor import ExecutorState, state_of

if TYPE_CHECKING:
    from forethought.api.runs import TrainedRun
    from forethought.api.training import TrainingStart
    from forethought.learn.metrics import IterationReport

Minutes = Annotated[
    float | None, typer.Option(help="Begin no iteration after this many minutes, compilation not counted.")
]
Tensorboard = Annotated[bool, typer.Option("--tensorboard", help="Also write the curves for TensorBoard.")]


def train(
    game: Game,
    algorithm: Algorithm = None,
    run: Annotated[
        str | None, typer.Option(help="The run's name or directory; leduc-1 and so on if not given.")
    ] = None,
    iterations: Iterations = None,
    games: GamesPerIteration = None,
    simulations: Simulations = None,
    records: Annotated[
        str | None, typer.Option(help="Games to imitate, with alphago: a data set, a file or a run.")
    ] = None,
    expert: Annotated[
        str | None, typer.Option(help="The player whose games are imitated, with alphago and without --records.")
    ] = None,
    minutes: Minutes = None,
    preset: Preset = None,
    workers: Workers = None,
    executor: Executor = None,
    cluster: Cluster = None,
    device: Annotated[str | None, typer.Option(help="Where the network learns: cpu, cuda or auto.")] = None,
    seed: DrawnSeed = None,
    config: ConfigurationFile = None,
    settings: SettingList = None,
    tensorboard: Tensorboard = False,
    as_json: Json = False,
) -> None:
    """Train a player, in a directory of its own; stop with Ctrl-C and go on with resume."""
    with _display(tensorboard) as display:
        trained = ft.train(
            game,
            algorithm=algorithm,
            run=run,
            iterations=iterations,
            games=games,
            simulations=simulations,
            records=records,
            expert=expert,
            minutes=minutes,
            preset=preset,
            workers=workers,
            device=device,
            seed=seed,
            config=config,
            settings=settings or [],
            executor=executor_or_cluster(executor, cluster),
            callback=display.iteration,
            started=display.start,
            listen=display.games,
        )
    _print(trained, as_json)


def resume(
    run: Annotated[str, typer.Argument(help="The run: its name or directory.")],
    iterations: Iterations = None,
    minutes: Minutes = None,
    workers: Workers = None,
    executor: Executor = None,
    cluster: Cluster = None,
    tensorboard: Tensorboard = False,
    as_json: Json = False,
) -> None:
    """Go on with a run where it stopped, as if it never had; with more --iterations, also with a finished one."""
    with _display(tensorboard) as display:
        trained = ft.resume(
            run,
            iterations=iterations,
            minutes=minutes,
            workers=workers,
            executor=executor_or_cluster(executor, cluster),
            callback=display.iteration,
            started=display.start,
            listen=display.games,
        )
    _print(trained, as_json)


def _print(trained: "TrainedRun", as_json: bool) -> None:
    if trained.interrupted:
        print(f"stopped; `forethought resume {shortest_name(trained.directory)}` goes on", file=sys.stderr)
    if as_json:
        print_json(trained)
    elif trained.reports:
        print(trained.verdict.sentence)
        print(f"play against it: forethought play '{trained.game}' --against '{trained.player()}'")


class Display:
    """Lines on stderr, above a bar of the games of this iteration; without a terminal, only the lines."""

    def __init__(
        self, show: Callable[[str], None], advance: Callable[[str, int, int | None], None], board: bool
    ) -> None:
        self._show, self._advance, self._wanted = show, advance, board
        self._board: Callable[[IterationReport], None] | None = None
        self._per_iteration = 1
        self._in_all: int | None = None
        self._started: TrainingStart | None = None
        self._measured: list[IterationReport] = []
        self._forecast = False  # whether it was shown
        self._machines = ""  # as they were shown last

    def start(self, training: "TrainingStart") -> None:
        """Show what begins, and what it will take."""
        chosen = training.run.configuration
        self._started, self._per_iteration = training, chosen.games
        self._in_all = None if chosen.is_limited_by_time else chosen.games * chosen.iterations
        for warning in training.run.warnings:
            print(f"warning: {warning}", file=sys.stderr)
        if self._wanted:
            from forethought.learn.tensorboard import TensorBoard  # noqa: PLC0415

            self._board = TensorBoard(training.run.directory).add
        self._show(opening(training))
        self.games(training.iteration + 1, 0)

    def games(self, iteration: int, finished: int) -> None:
        """Show how far an iteration is."""
        done = (iteration - 1) * self._per_iteration + finished
        state = self._started and state_of(self._started.executor)
        where = f", {machines(state)}" if state else ""
        self._advance(f"iteration {iteration}{self._stage(iteration)}, game {finished}{where}", done, self._in_all)

    def _stage(self, iteration: int) -> str:
        """Return what an iteration is about, if they are not all alike."""
        stage = self._started.run.configuration.stage(iteration) if self._started is not None else ""
        return f", {stage.replace('_', ' ')}" if stage else ""

    def iteration(self, report: "IterationReport") -> None:
        """Show what an iteration measured."""
        if self._started is not None:
            names = [metric.name for metric in self._started.learner.metrics]
            self._show(line(report, names, self._stage(report.iteration)))
            self._show_machines(self._started)
            self._show_forecast(self._started, report)
        if self._board is not None:
            self._board(report)

    def _show_machines(self, started: "TrainingStart") -> None:
        """Say on which machines it runs, and what was lost, whenever that changes."""
        state = state_of(started.executor)
        if state is not None and machines(state) != self._machines:
            self._machines = machines(state)
            self._show(f"cluster: {self._machines}")

    def _show_forecast(self, started: "TrainingStart", report: "IterationReport") -> None:
        """Say how long the rest takes, once: as soon as enough was measured, if it takes long."""
        from forethought.learn.forecast import remaining_seconds  # noqa: PLC0415 (imports Numba)

        self._measured.append(report)
        if self._forecast or sum(one.values["seconds"] for one in self._measured) < PROBE_SECONDS:
            return
        seconds = remaining_seconds(started.run.configuration, self._measured)
        if seconds is not None:
            self._forecast = True
            if seconds > LONG:
                self._show(f"forecast: {span(seconds)} for the iterations to come")


def opening(training: "TrainingStart") -> str:
    """Say what begins, and what it will take."""
    run, game, chosen = training.run, training.game, training.run.configuration
    left, forecast, name = (
        chosen.iterations - training.iteration,
        training.learner.forecast(),
        shortest_name(run.directory),
    )
    iterations = "iterations" if chosen.is_limited_by_time else counted(left, "iteration")
    about = (
        f"run {name}: {chosen.algorithm} on {game.spec or game.name}, seed {chosen.seed}, "
        f"{iterations} of {counted(chosen.games, 'game')}, {counted(training.executor.workers, 'worker')}"
    )
    stop = f"stop with Ctrl-C, go on with `forethought resume {name}`"
    if forecast is None:
        return f"{about}\n{stop}"
    seconds = forecast.seconds_per_iteration * chosen.threads / training.executor.workers
    time = f"{span(left * seconds)} of self-play, without compiling, learning and evaluation"
    if chosen.is_limited_by_time:
        time = f"{chosen.minutes:g} min"
    elif chosen.minutes:
        time = f"{chosen.minutes:g} min at most; {time} for all iterations"
    return f"{about}\nforecast: {time}; {max(1.0, forecast.memory_bytes / 1e6):,.0f} MB; {stop}"


def machines(state: ExecutorState) -> str:
    """Say how large a cluster is, and what was lost."""
    size = f"{counted(state.nodes, 'node')}, {counted(state.cores, 'core')}"
    return f"{size}, {counted(state.lost, 'job')} lost and begun again" if state.lost else size


def line(report: "IterationReport", names: list[str], stage: str = "") -> str:
    """Show an iteration in a line: its stage, its speed, what the learner reports, and how strong it is."""
    speeds = _numbers(report, ("games_per_second", "simulations_per_second"))
    parts = [f"iteration {report.iteration:>4}{stage}", *speeds]
    parts += _numbers(report, names)
    if (nashconv := report.get("nashconv")) is not None:
        parts.append(f"NashConv {nashconv:.4f}")
    if (paid := report.get("mean_return")) is not None:
        low, high = report.interval("mean_return") or (paid, paid)
        parts.append(f"mean return {paid:+.3f} ({low:+.3f} to {high:+.3f})")
    if (rate := report.get("win_rate")) is not None:
        low, high = report.interval("win_rate") or (rate, rate)
        parts.append(f"wins {rate:.1%} ({low:.1%} to {high:.1%})")
    return "  ".join(parts)


def _numbers(report: "IterationReport", names: "list[str] | tuple[str, ...]") -> list[str]:
    found = []
    for name in names:
        value = report.get(name)
        if value is not None:
            shown = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
            found.append(f"{name.replace('_per_second', '/s').replace('_', ' ')} {shown}")
    return found


@contextmanager
def _display(tensorboard: bool) -> Iterator[Display]:
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("games", total=None)

        def show(text: str) -> None:
            bar.console.print(text) if sys.stderr.isatty() else print(text, file=sys.stderr)

        def advance(what: str, done: int, total: int | None) -> None:
            bar.update(task, description=what, completed=done, total=total)

        yield Display(show, advance, tensorboard)
