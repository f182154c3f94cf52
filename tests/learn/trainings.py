"""Small trainings, and what they come to."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import forethought as ft
from forethought.learn.configuration import configuration_of
from forethought.learn.metrics import IterationReport
from forethought.learn.play import GamesFinished
from forethought.learn.run import Run
from forethought.learn.training import Training
from forethought.runtime.executor import Executor
from forethought.runtime.threads import Threads


def new_run(directory: Path, game: str, seed: int = 3, **settings: Any) -> Run:
    return Run.create(directory, configuration_of({"game": game, "seed": seed} | settings))


def training_of(run: Run, executor: Executor | None = None) -> Training:
    return Training(run, ft.load(run.configuration.game), executor or Threads(run.configuration.threads))


def finished(run: Run, executor: Executor | None = None) -> list[IterationReport]:
    """Go on with a run to its end; return what was reported on the way."""
    reports: list[IterationReport] = []
    with run:
        training_of(run, executor).train([reports.append])
    return reports


def advanced(run: Run, iterations: int) -> None:
    """Go on with a run for so many iterations."""
    done: list[IterationReport] = []
    with run:
        training_of(run).train([done.append, lambda _report: len(done) == iterations])


def stopped_at(run: Run, *places: tuple[int, int]) -> dict[tuple[int, int], Path]:
    """Go on with a run, and keep a copy of it as it was when so many games of an iteration were finished.

    Ctrl-C is pressed at the last of those places.
    """
    copies: dict[tuple[int, int], Path] = {}

    def listen(iteration: int, games: int) -> None:
        if (iteration, games) in places:
            copies[iteration, games] = run.directory.with_name(f"{run.name}-{iteration}-{games}")
            shutil.copytree(run.directory, copies[iteration, games])
        if (iteration, games) == places[-1]:
            raise KeyboardInterrupt

    interrupted(run, listen)
    assert list(copies) == list(places)
    return copies


def interrupted_at(run: Run, place: tuple[int, int]) -> None:
    """Go on with a run, and press Ctrl-C when so many games of an iteration were finished."""

    def listen(iteration: int, games: int) -> None:
        if (iteration, games) == place:
            raise KeyboardInterrupt

    interrupted(run, listen)


def interrupted(run: Run, listen: GamesFinished) -> None:
    with run, pytest.raises(KeyboardInterrupt):
        training_of(run).train(listen=listen)


def outcome(run: Run) -> list[np.ndarray]:
    """All that a training comes to: weights, the state of the learner, and every sample of every game."""
    iterations = run.configuration.iterations
    state = run.checkpoint(iterations).arrays
    games = [array for _, games in run.all_games() for game in games for array in game.samples]
    weights = load_file(run.weights_file(iterations))
    return [*(part[name] for part in (state, weights) for name in sorted(part)), *games]


def assert_same(run: Run, other: Run) -> None:
    ours, theirs = outcome(run), outcome(other)
    last = run.configuration.iterations
    assert run.checkpoint(last).about == other.checkpoint(last).about
    assert len(ours) == len(theirs)
    assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


def assert_seed_decides(whole: Run, again: Run, other: Run) -> None:
    """A run with the same seed comes to the same, whoever works for it; one with another seed to something else."""
    finished(again)
    finished(other)
    assert_same(again, whole)
    assert not np.array_equal(outcome(other)[-1], outcome(whole)[-1])


def assert_goes_on(whole: Run, run: Run, place: tuple[int, int]) -> None:
    """Stopped between the first iterations and then at a place in the last, a run goes on as if it had not been."""
    advanced(run, place[0] - 1)
    interrupted_at(Run.open(run.directory), place)
    assert [report.iteration for report in finished(Run.open(run.directory))] == [place[0]]
    assert_same(run, whole)
