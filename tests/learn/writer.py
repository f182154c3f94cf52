"""A process that trains nothing but writes everything a training writes, as fast as it can, until it is killed."""

import sys
from pathlib import Path

import numpy as np

from forethought.learn.algorithms.exit_oos import ExitOosConfiguration
from forethought.learn.learner import LEARNERS
from forethought.learn.run import Run
from forethought.learn.samples import Samples, no_samples
from forethought.runs import CONFIGURATION

GAMES = 3


def rows_of(iteration: int, index: int) -> Samples:
    """Return rows that only this game can have."""
    rows = no_samples(4 + index, 3, 5 + index)
    rows.facts[:] = iteration
    rows.targets[:] = index
    return rows


def state_after(iteration: int) -> dict[str, np.ndarray]:
    return {"weights": np.full((300, 100), iteration, np.float32), "moments": np.arange(iteration)}


def open_or_create(directory: Path) -> Run:
    is_run = (directory / CONFIGURATION).exists()
    return (
        Run.open(directory) if is_run else Run.create(directory, ExitOosConfiguration(game="kuhn", seed=1, games=GAMES))
    )


def write_on(run: Run) -> None:
    """Go on from the newest checkpoint, for ever."""
    newest = run.newest_checkpoint()
    iteration = newest.iteration if newest else 0
    while True:
        iteration += 1
        done = run.finished_games(iteration)
        for index in range(GAMES):
            if index not in done:
                run.save_game(iteration, index, rows_of(iteration, index), {"iteration": iteration, "index": index})
        run.close_iteration(iteration)
        run.report("iteration", iteration=iteration)
        run.save_checkpoint(iteration, state_after(iteration), {"told": iteration})


def main() -> None:
    """Write to the run in the directory that is the only argument; without one, import what that takes."""
    LEARNERS.names()
    if sys.argv[1:]:
        with open_or_create(Path(sys.argv[1])) as opened:
            sys.stdout.write("open\n")
            sys.stdout.flush()
            write_on(opened)


if __name__ == "__main__":
    main()
