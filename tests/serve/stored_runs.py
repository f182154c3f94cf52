"""Runs on the disk for tests of the page, written as a training writes them."""

from pathlib import Path

from forethought.learn.algorithms.exit_oos import ExitOos, ExitOosConfiguration
from forethought.learn.metrics import COMMON, IterationReport
from forethought.learn.run import Run
from forethought.learn.samples import no_samples

CHECK_BET_FOLD = [0, 1, 0, 1, 0]  # of Kuhn: two cards, then check, bet, fold


def report(run: Run, iteration: int, **measured: float | None) -> None:
    """Report an iteration; what is None was not measured."""
    values = {"games": 2, "simulations_per_second": 50.0, "loss": 0.3, "entropy": 0.9, **measured}
    run.describe_metrics([*COMMON, *ExitOos.metrics])
    run.report_iteration(IterationReport(iteration, {key: one for key, one in values.items() if one is not None}))


def make_run(directory: Path, game: str = "kuhn") -> Run:
    """Make a run with two iterations, one of them with games, still locked as if it trained."""
    run = Run.create(directory, ExitOosConfiguration(game=game, seed=1))
    about = {"actions": CHECK_BET_FOLD, "returns": [-1.0, 1.0], "simulations": 5}
    for index in range(2):
        run.save_game(1, index, no_samples(3, 3), about)
    run.close_iteration(1)
    for iteration, nashconv in ((1, 0.9), (2, None)):
        report(run, iteration, nashconv=nashconv, win_rate=0.5, win_rate_low=0.4, win_rate_high=0.6)
    return run
