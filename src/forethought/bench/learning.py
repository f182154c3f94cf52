"""Learning: walks whose roll-outs a network plays, beside the same walks asking torch; the network beside the machine's
best matrix product; and where the time of a training goes.

The torch evaluator was chosen as the fastest of several: sums of weight rows by `embedding_bag`, and TorchScript, took
longer. A faster one is welcome: it makes the comparison fairer. Not all of its time is torch's: each batch is one more
call of the kernel from Python, which is the price of any evaluator outside.
"""

import os
import subprocess
import sys
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.questions import some_questions
from forethought.bench.result import Benchmark, Claim, Result
from forethought.compiler import kernel
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games import load
from forethought.learn.algorithms.exit_oos import ExitOosConfiguration, ExitOosSearch, new_expert, play_game
from forethought.learn.configuration import configuration_of
from forethought.learn.network_learner import require_torch
from forethought.learn.run import Run
from forethought.learn.training import Training
from forethought.nets.backends.pytorch import TorchEvaluator
from forethought.nets.evaluator import Evaluator, answer
from forethought.nets.mlp import Mlp, MlpScratch, MlpWeights, default_hidden, make_mlp, parameters_of
from forethought.nets.questions import Questions
from forethought.randomness import generator
from forethought.runtime.executor import Stopping
from forethought.runtime.threads import Threads
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings

LARGE, MIDDLING = "goofspiel(cards=13)", "goofspiel(cards=6)"
SLOTS = 20  # concurrent walks, the rows of a batch
TRAINING = {"iterations": 3, "games": 32, "search.simulations": 10_000}  # of which the second iteration has no exam
SEARCH_WALKS = 2_000  # of one search, or of one decision where games are counted

WALKS = Claim("learning:network-walks", "walks/s", "the same kernel asking torch", goal=4.0)
PEAK = Claim("learning:network-peak", "GFLOP/s", "sgemm of 1024 x 1024 x 1024", goal=0.25)
SHARE = Claim("learning:search-share", "s of search", "s of an iteration", goal=0.9)
WORKERS = Claim("learning:workers", "games/s", "one worker", goal=1.8)

ABSENT = "torch is not installed: pip install 'forethought[train]'"
BRIEF, ROUNDS, LONG = Budget(seconds=0.1, rounds=5), Budget(seconds=0.5, rounds=6), Budget(seconds=2.0, rounds=4)

# In a process of its own, as only the environment tells every BLAS to keep to one thread.
PRODUCT = """
import time
import numpy as np
a, b = np.random.default_rng(1).random((2, 1024, 1024), np.float32)
best, end = 1e9, time.perf_counter() + 1.5
while time.perf_counter() < end:
    begin = time.perf_counter()
    a @ b
    best = min(best, time.perf_counter() - begin)
print(2 * 1024**3 / best)
"""
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS"), "1")


def network_walks(budget: Budget = ROUNDS) -> Result:
    """Searches of the same length on both sides: the longer one is, the less of its walks is roll-out."""
    game = load(LARGE)
    net = new_network(game)
    ours, asking = our_searches(game, net), torch_evaluator(net)
    if asking is None:
        return WALKS.by_rate(SEARCH_WALKS * best_rates([ours], budget)[0], None, ABSENT)
    our_rate, torch_rate = best_rates([ours, our_searches(game, asking)], budget)
    questions, scratch = some_questions(game, SLOTS, 0), net.scratch(SLOTS)
    answers = [
        partial(evaluate_often, net, questions, scratch),
        partial(ask_often, asking, questions),
    ]
    alone = [1e6 / rate for rate in best_rates(answers, BRIEF)]
    note = f"a batch alone takes {alone[0]:.0f} us, and {alone[1]:.0f} us in torch"
    return WALKS.by_rate(SEARCH_WALKS * our_rate, SEARCH_WALKS * torch_rate, note)


def network_peak(budget: Budget = BRIEF) -> Result:
    """Only what must be computed counts: additions for the facts that hold, and the products of later layers."""
    game = load(LARGE)
    net, questions = new_network(game), some_questions(game, SLOTS, 0)
    scratch = net.scratch(SLOTS)
    rate = best_rates([partial(evaluate_often, net, questions, scratch)], budget)[0]
    widths = net.widths.tolist()
    products = sum(2 * SLOTS * inputs * outputs for inputs, outputs in pairwise(widths[1:]))
    operations = products + int(questions.known.sum()) * widths[1]
    return PEAK.by_rate(rate * operations / 1e9, machine_rate() / 1e9)


def search_share() -> Result:
    """The second iteration of a training with the paper's 32 games and 10,000 walks a decision."""
    try:
        require_torch()
    except ForethoughtError:
        return SHARE.by_rate(0.0, None, ABSENT)
    with TemporaryDirectory(prefix="forethought-bench-") as directory:
        configuration = configuration_of({"game": MIDDLING, "seed": 1, "algorithm": "exit-oos"} | TRAINING)
        with Run.create(Path(directory) / "run", configuration) as run:
            Training(run, load(MIDDLING), Threads()).train()
            report = run.reports()[1]
    simulations = f"{TRAINING['search.simulations']:,} simulations per decision"
    note = f"{TRAINING['games']} games, {simulations}, as many workers as cores"
    return SHARE.by_rate(report.values["search_seconds"], report.values["seconds"], note)


def games_of_workers(budget: Budget = LONG) -> Result:
    two, one = best_rates([our_games(2), our_games(1)], budget)
    return WORKERS.by_rate(two, one)


def new_network(game: Game) -> Mlp:
    return make_mlp(game.facts, game.actions, default_hidden(game), np.random.default_rng(1))


def our_searches(game: Game, evaluator: Evaluator) -> Work:
    """Search from the start of the game, each time with an empty memory."""

    def work(searches: int) -> None:
        for _ in range(searches):
            OnlineOutcomeSampling(game, OosSettings(parallel_simulations=SLOTS), generator(1), evaluator).simulate(
                SEARCH_WALKS
            )

    return work


def our_games(workers: int) -> Work:
    """Play games of self-play, each with a seed of its own."""
    game = load(MIDDLING)
    search = ExitOosSearch(parallel_simulations=SLOTS, simulations=SEARCH_WALKS, prior=0.0)
    chosen = ExitOosConfiguration(game=MIDDLING, seed=1, search=search)
    expert = new_expert(game, chosen, MlpWeights(parameters_of(new_network(game))), iteration=1)

    def play(index: int, stopping: Stopping) -> object:
        return play_game(expert, generator(1, index), stopping)

    return lambda games: list(Threads(workers).map(play, range(games)))


@kernel
def evaluate_often(net: Mlp, questions: Questions, scratch: MlpScratch, times: int) -> None:
    for _ in range(times):
        answer(net, questions, len(questions.known), scratch)


def ask_often(evaluator: Evaluator, questions: Questions, times: int) -> None:
    for _ in range(times):
        evaluator.answer(questions, SLOTS, None)


def machine_rate() -> float:
    """Return the operations a second of a large product of matrices in single precision, on one thread."""
    command = [sys.executable, "-c", PRODUCT]
    done = subprocess.run(command, env=os.environ | ONE_THREAD, capture_output=True, text=True, check=True)
    return float(done.stdout)


def torch_evaluator(net: Mlp) -> Evaluator | None:
    """Return the same network run by torch, on one thread; None if it is not installed."""
    try:
        import_module("torch").set_num_threads(1)
    except ImportError:
        return None
    return TorchEvaluator(MlpWeights(parameters_of(net), net.values), "cpu")


BENCHMARKS: dict[str, Benchmark] = {
    WALKS.name: network_walks,
    PEAK.name: network_peak,
    SHARE.name: search_share,
    WORKERS.name: games_of_workers,
}
