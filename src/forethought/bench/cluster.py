"""What Ray costs: self-play in its processes beside self-play in threads, on the same cores.

The cores are shared by Ray's own processes, and each worker has its own copy of games and networks. Jobs and results
are copied, which threads need not do.
"""

import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from forethought.bench.learning import new_network
from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.result import Benchmark, Claim, Result
from forethought.games import load
from forethought.games.reference import reference_to
from forethought.learn.algorithms.exit_oos import ExitOosConfiguration, ExitOosSearch, play_games
from forethought.learn.network_learner import NetworkReference, SelfPlayJob
from forethought.nets.mlp import MlpWeights, parameters_of
from forethought.runtime.carried import CarriedFile
from forethought.runtime.executor import Executor, find_executor

GAME, SIMULATIONS = "goofspiel(cards=6)", 20_000
CORES = 2
LONG = Budget(seconds=20.0, rounds=4)
CLAIM = Claim("cluster:overhead", "games/s", "threads on the same cores", goal=0.9)
NICENESS = "RAY_worker_niceness"  # 15 by itself: beside other work, workers would get less of a core than threads
ABSENT = "Ray is not installed: pip install 'forethought[ray]'"


def ray_beside_threads(budget: Budget = LONG) -> Result:
    if find_spec("ray") is None:
        return CLAIM.by_rate(0.0, None, ABSENT)
    os.environ.setdefault(NICENESS, "0")
    with TemporaryDirectory(prefix="forethought-bench-") as directory:
        executors = [find_executor(name).start() for name in (f"ray:{CORES}", f"threads:{CORES}")]
        ours, peer = best_rates([self_play(executor, Path(directory)) for executor in executors], budget)
    load_average = os.getloadavg()[0]
    return CLAIM.by_rate(
        ours, peer, f"{SIMULATIONS:,} simulations per decision; load of the machine {load_average:.1f}"
    )


def self_play(executor: Executor, directory: Path) -> Work:
    """Play games of self-play, one per job; as many as keep all cores busy to the end."""
    first = first_job(directory)

    def work(games: int) -> None:
        whole = -(-games // CORES) * CORES
        list(executor.map(play_games, (replace(first, indexes=(index,)) for index in range(whole))))

    return work


def first_job(directory: Path) -> SelfPlayJob:
    """Return the first game of an iteration, with a network whose file is in a directory."""
    game, file, search = load(GAME), directory / "playing.safetensors", ExitOosSearch(simulations=SIMULATIONS)
    MlpWeights(parameters_of(new_network(game))).save(file, game)
    configuration = ExitOosConfiguration(game=GAME, seed=1, search=search)
    weights = NetworkReference(CarriedFile(file), search.backend)
    return SelfPlayJob(reference_to(game), configuration, weights, 1, (0,))


BENCHMARKS: dict[str, Benchmark] = {CLAIM.name: ray_beside_threads}
