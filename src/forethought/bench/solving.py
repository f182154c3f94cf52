"""Solvers and best responses beside OpenSpiel's C++ ones, on one thread."""

import subprocess
import sys
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec

from forethought.bench.measure import Budget, Work
from forethought.bench.openspiel import ABSENT, beside_openspiel
from forethought.bench.result import Benchmark, Claim, Result, within_limit
from forethought.games import load
from forethought.solve.cfr import CfrSolver
from forethought.solve.unroll import unroll

SHORT = Budget(seconds=0.4, rounds=5)
GOOFSPIEL = "goofspiel(cards=6)"
SPIEL_GOOFSPIEL = "goofspiel(imp_info=True,num_cards=6,points_order=ascending)"

# Each runs in a process of its own, which tells seconds of CPU and the most memory it had, in MB.
OURS = """
import forethought as ft
from forethought.solve.unroll import unroll
from forethought.solve.best_response import strength
for spec in ("goofspiel(cards=4)", "{game}"):  # the first compiles or loads the kernels
    game = ft.load(spec)
    begin = process_time()
    tree = unroll(game)
    strength(tree, tree.uniform())
    spent = process_time() - begin
"""
THEIRS = """
import pyspiel
game = pyspiel.load_game_as_turn_based("{game}")
begin = process_time()
pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
spent = process_time() - begin
"""
STREAMED = """
import forethought as ft
from forethought.runtime.threads import Threads
from forethought.solve.policies import uniform_table
from forethought.solve.public_tree import best_responses
game = ft.load("liars_dice(dice=2)")
begin = perf_counter()  # it uses all cores
best_responses(game, uniform_table(), Threads())
spent = perf_counter() - begin
"""
FRAME = """
import resource
from time import perf_counter, process_time
{body}
print(spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def cfr_plus(name: str, ours: str, peer: str, goal: float, budget: Budget = SHORT) -> Result:
    """Iterations of CFR+ a second; one iteration updates both players, here and there."""
    claim = Claim(name, "iterations/s", "OpenSpiel", goal)
    return beside_openspiel(claim, CfrSolver(unroll(load(ours)), "cfr+").iterate, _their_cfr_plus(peer), budget)


def _their_cfr_plus(game: str) -> Work | None:
    if find_spec("pyspiel") is None:
        return None
    pyspiel = import_module("pyspiel")
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(game))

    def work(iterations: int) -> None:
        for _ in range(iterations):
            solver.evaluate_and_update_policy()

    return work


def exploitability_seconds() -> Result:
    """Exploitability of the uniform policy in II Goofspiel(6), unrolling included; seconds of CPU."""
    (ours, _), theirs = _measured()
    claim = Claim("exploitability:goofspiel(cards=6)", "seconds", "OpenSpiel", 30.0)
    return claim.by_cost(ours, theirs[0] if theirs else None, "" if theirs else ABSENT)


def exploitability_memory() -> Result:
    """The most memory that takes, the interpreter and its libraries included."""
    (_, ours), theirs = _measured()
    claim = Claim("exploitability-memory:goofspiel(cards=6)", "MB", "OpenSpiel", 10.0)
    return claim.by_cost(ours, theirs[1] if theirs else None, "" if theirs else ABSENT)


@cache
def _measured() -> tuple[tuple[float, float], tuple[float, float] | None]:
    """Seconds and megabytes of ours, best of three, and of theirs, once: it takes half a minute."""
    ours = [_run(OURS.format(game=GOOFSPIEL)) for _ in range(3)]
    theirs = _run(THEIRS.format(game=SPIEL_GOOFSPIEL)) if find_spec("pyspiel") else None
    return (min(seconds for seconds, _ in ours), min(memory for _, memory in ours)), theirs


def streamed_seconds() -> Result:
    """Exact exploitability of the uniform policy in Liar's Dice(2), whose tree of 15 billion nodes fits nowhere."""
    return within_limit("exploitability:liars_dice(dice=2)", _streamed()[0], 300.0)


def streamed_memory() -> Result:
    return Claim("exploitability-memory:liars_dice(dice=2)", "MB", "limit", 1.0).by_cost(_streamed()[1], 2_000.0)


@cache
def _streamed() -> tuple[float, float]:
    return _run(STREAMED)


def _run(body: str) -> tuple[float, float]:
    program = FRAME.format(body=body)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    seconds, memory = map(float, done.stdout.split())
    return seconds, memory


BENCHMARKS: dict[str, Benchmark] = {
    "cfr+:leduc": partial(cfr_plus, "cfr+:leduc", "leduc", "leduc_poker", 50.0),
    "cfr+:liars_dice(dice=1)": partial(cfr_plus, "cfr+:liars_dice(dice=1)", "liars_dice", "liars_dice", 30.0),
    "exploitability:goofspiel(cards=6)": exploitability_seconds,
    "exploitability-memory:goofspiel(cards=6)": exploitability_memory,
    "exploitability:liars_dice(dice=2)": streamed_seconds,
    "exploitability-memory:liars_dice(dice=2)": streamed_memory,
}
