"""Filling the cache of machine code with what is commonly needed, in several processes at once.

Numba compiles one function at a time in a process. The kernels of one search call each other, so that several processes
would mostly wait for each other; different searches, solvers and games have little in common.
"""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec

from forethought.api.accuracy import accuracy
from forethought.api.matches import match
from forethought.api.playing import play
from forethought.api.positions import position
from forethought.api.solving import exploitability, solve
from forethought.api.thinking import think
from forethought.api.training import train
from forethought.compiler import compilations
from forethought.games import GAMES
from forethought.runtime.futures import as_finished

Job = tuple[Callable[..., None], str]  # a recipe below, and its game


def common_jobs() -> list[Job]:
    """List small pieces of work that compile what is commonly needed; those that take longest come first."""
    jobs: list[Job] = [(tree_search, "tic_tac_toe"), (outcome_sampling, "kuhn"), (information_set_search, "kuhn")]
    jobs += [(solvers, "kuhn"), (sampling_solvers, "kuhn")]
    if find_spec("torch"):
        jobs = [(alphazero, "connect_four"), (alphazero, "tic_tac_toe"), (expert_iteration, "kuhn"), *jobs]
    return [*jobs, (policy_gradient, "tic_tac_toe"), *((rules, name) for name in GAMES.names())]


def warm_up(jobs: Sequence[Job], workers: int) -> Iterator[tuple[int, float]]:
    """Do the jobs; yield how many functions were compiled for each, and the part of the jobs that is done."""
    spawn = multiprocessing.get_context("spawn")  # a copy of this process would lack its threads
    with tempfile.TemporaryDirectory() as runs, ProcessPoolExecutor(workers, spawn, _begin, (runs,)) as pool:
        finished = as_finished(lambda job: pool.submit(_compile_for, *job), jobs, workers)
        for number, (_, functions) in enumerate(finished, start=1):
            yield functions, number / len(jobs)


def _begin(runs: str) -> None:
    """Let a process leave nothing behind but machine code."""
    os.environ["FORETHOUGHT_RUNS"] = runs
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (for as long as the process lives)


def _compile_for(recipe: Callable[[str], None], game: str) -> int:
    before = len(compilations())
    recipe(game)
    return len(compilations()) - before


def rules(game: str) -> None:
    play(game, "random", seed=1)


def tree_search(game: str) -> None:
    think(position(game), "uct:8")
    accuracy(game, "uct:8", positions=1)


def outcome_sampling(game: str) -> None:
    for player in ("oos:8", "oos(simulations=8,targeting=public,weighting=exact)"):
        think(position(game), player)


def information_set_search(game: str) -> None:
    think(position(game), "ismcts:8")


def solvers(game: str) -> None:
    solve(game, iterations=2)
    solve(game, "mmd", iterations=2)
    exploitability(game, "random")


def sampling_solvers(game: str) -> None:
    for algorithm in ("mccfr-outcome", "mccfr-external"):
        solve(game, algorithm, iterations=8)
    match(game, "mccfr:8", "random", games=2)


def alphazero(game: str) -> None:
    tiny = {"games": 1, "learning.steps": 1, "evaluation.games": 2}
    train(game, run=f"az-{game}", simulations=4, iterations=1, seed=1, settings=tiny)
    match(game, f"az(run=az-{game},simulations=4)", "random", games=2)


def expert_iteration(game: str) -> None:
    tiny = {"games": 1, "learning.steps": 1, "evaluation.games": 2}
    train(game, run="exit", simulations=8, iterations=1, seed=1, settings=tiny)
    match(game, "net:exit", "oos(simulations=8,net=exit)", games=2)


def policy_gradient(game: str) -> None:
    train(game, run="tspg", algorithm="tspg", simulations=8, iterations=1, seed=1, settings={"evaluation.games": 2})
    match(game, "biased(run=tspg,simulations=4)", "linear(run=tspg,policy=ce)", games=2)
