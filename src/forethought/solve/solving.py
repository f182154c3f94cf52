"""Solving a game to a limit: iterations, with exploitability measured at growing intervals."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from forethought.arrays import Float64s
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.solve import mmd
from forethought.solve.best_response import Strength, strength
from forethought.solve.cfr import VARIANTS, CfrSolver
from forethought.solve.mccfr import ExternalSampling, MonteCarloCFR, OutcomeSampling
from forethought.solve.policies import TabularPolicy
from forethought.solve.tree import GameTree
from forethought.specs import did_you_mean

SAMPLINGS: dict[str, Callable[[Game, int], MonteCarloCFR]] = {
    "mccfr-outcome": OutcomeSampling,
    "mccfr-external": ExternalSampling,
}
ALGORITHMS = (*VARIANTS, mmd.NAME, *SAMPLINGS)
GROWTH = 1.25  # ratio of iterations from one measurement to the next, as curves are drawn on a log scale


@dataclass(frozen=True)
class CurvePoint:
    """The strength of the strategy that converges, at one time."""

    iterations: int
    seconds: float  # spent on iterations, not on measuring
    strength: Strength


class IterativeSolver(Protocol):
    """A solver that improves by iterations."""

    def iterate(self, iterations: int) -> None: ...

    def solution(self) -> Float64s:
        """Return the strategy that converges: an average or the last one."""

    def policy(self) -> TabularPolicy: ...


class Sampled:
    """Monte Carlo CFR measured on the whole tree; an iteration is one simulation per player."""

    def __init__(self, tree: GameTree, solver: MonteCarloCFR) -> None:
        self._tree, self._solver = tree, solver

    def iterate(self, iterations: int) -> None:
        self._solver.simulate(iterations * self._tree.game.players)

    def solution(self) -> Float64s:
        return self._tree.strategy(self._solver.average_policy())

    def policy(self) -> TabularPolicy:
        return self._solver.average_policy()


def check_algorithm(algorithm: str, temperature: float | None = None) -> None:
    """Refuse an algorithm that does not exist, or has no temperature."""
    if algorithm not in ALGORITHMS:
        hint = did_you_mean(algorithm, ALGORITHMS)
        raise ForethoughtError(f"There is no algorithm '{algorithm}'; {hint}known are {', '.join(ALGORITHMS)}.")
    if temperature is not None and algorithm != mmd.NAME:
        raise ForethoughtError(f"{algorithm} has no temperature; {mmd.NAME} finds quantal-response equilibria.")


def make_solver(tree: GameTree, algorithm: str, seed: int, temperature: float | None = None) -> IterativeSolver:
    """Return the solver of an algorithm's name."""
    check_algorithm(algorithm, temperature)
    if algorithm == mmd.NAME:
        return mmd.MmdSolver(tree, temperature)
    if algorithm in VARIANTS:
        return CfrSolver(tree, algorithm)
    return Sampled(tree, SAMPLINGS[algorithm](tree.game, seed))


@dataclass(frozen=True)
class SolveLimits:
    """When to stop: after this many iterations, or at this exploitability if it is reached before."""

    iterations: int
    exploitability: float = 0.0


def solve(method: IterativeSolver, tree: GameTree, limits: SolveLimits) -> Iterator[CurvePoint]:
    """Yield points of the curve, the last when a limit is reached. After stopping early `method` can still be used."""
    method.iterate(0)  # compiles what must be, before the clock starts
    done, step, spent = 0, 1, 0.0
    while True:
        began = time.perf_counter()
        method.iterate(step)
        spent += time.perf_counter() - began
        done += step
        point = CurvePoint(done, spent, strength(tree, method.solution()))
        yield point
        if done >= limits.iterations or point.strength.exploitability <= limits.exploitability:
            return
        step = min(max(1, round(done * (GROWTH - 1))), limits.iterations - done)
