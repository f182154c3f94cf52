"""Who is stronger: linear policies over training (Fig. 2), and biased tree search against UCT (Table I).

Each run plays the same number of games. What is told is the mean of the runs' win rates, draws for half, and what it
might have been with other seeds: runs drawn anew with replacement, and the middle 95 % of their means.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forethought.arrays import Float64s
from forethought.errors import ForethoughtError
from forethought.evaluate.intervals import middle
from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.rounds import Contest, Entrant, RoundsJob, contest, play_rounds_of, rounds_for
from forethought.game import Game
from forethought.patterns.model import CE, DOUBLE, TSPG
from forethought.players.linear import LinearSettings
from forethought.runs import WEIGHTS, find_run, iterations_in
from forethought.runtime.executor import Executor, batched, in_order
from forethought.search.mcts.players import BiasedSettings, UctSettings

CHECKPOINTS = (1, 25, 50, 100, 200)  # the paper's, in games of self-play
RESAMPLES = 10_000
_RESAMPLING = 0x5EED  # tells the stream of the bootstrap from those of the games


@dataclass(frozen=True)
class FigureEffort:
    """How much is played for a figure."""

    games: int = 40  # for each run
    simulations: int = 1_600  # per decision of a search
    seed: int = 0  # of all chance


@dataclass(frozen=True)
class WinRate:
    """A win rate over runs with its 95 % interval; a single run has none."""

    mean: float
    low: float | None
    high: float | None
    of_runs: list[float]
    games: int  # of all runs together


@dataclass(frozen=True)
class PolicyStrength:
    """Fig. 2: how one policy, without search, does against ce after so many games of self-play."""

    policy: str
    checkpoints: list[int]
    win_rates: list[WinRate]


@dataclass(frozen=True)
class SearchStrength:
    """A row of Table I: biased tree search with one policy in its play-outs against UCT, of equal simulations."""

    playouts: str
    simulations: int
    win_rate: WinRate


def policy_strength(
    game: Game, runs: Sequence[str], effort: FigureEffort, executor: Executor, checkpoints: Sequence[int] = CHECKPOINTS
) -> list[PolicyStrength]:
    """Let the linear policies tspg and double play against ce, at the checkpoints that all runs have."""
    present = shared_checkpoints(runs, checkpoints)
    return [
        PolicyStrength(policy, present, [_policy_rate(game, runs, policy, at, effort, executor) for at in present])
        for policy in (TSPG, DOUBLE)
    ]


def search_strength(game: Game, runs: Sequence[str], effort: FigureEffort, executor: Executor) -> list[SearchStrength]:
    """Let tree search biased by each run play against UCT."""
    rival = Entrant("uct", UctSettings(simulations=effort.simulations))
    found = []
    for playouts in (DOUBLE, TSPG):
        chosen = [BiasedSettings(run=run, simulations=effort.simulations, playouts=playouts) for run in runs]
        players = [Entrant(one.run, one) for one in chosen]
        contests = [contest(game, one, rival, effort.seed + number) for number, one in enumerate(players)]
        found.append(SearchStrength(playouts, effort.simulations, _win_rate(contests, effort, executor)))
    return found


def shared_checkpoints(runs: Sequence[str], wanted: Sequence[int]) -> list[int]:
    """Return the checkpoints among the wanted ones whose weights all runs have."""
    if not runs:
        raise ForethoughtError("A figure needs runs; name one or more.")
    kept = [set(iterations_in(find_run(run) / WEIGHTS)) for run in runs]
    present = [at for at in wanted if all(at in one for one in kept)]
    if not present:
        listed = ", ".join(map(str, wanted))
        raise ForethoughtError(f"The runs {', '.join(runs)} share no weights of the games {listed}; train them on.")
    return present


def over_runs(rates: Sequence[float], games: int) -> WinRate:
    """Join the win rates of runs, each of so many games."""
    low, high = seed_interval(np.array(rates)) if len(rates) > 1 else (None, None)
    return WinRate(float(np.mean(rates)), low, high, list(rates), games * len(rates))


def seed_interval(values: Float64s) -> tuple[float, float]:
    """Return the percentile bootstrap interval of the mean of one value a run."""
    rng = np.random.default_rng(_RESAMPLING)
    low, high = middle(values[rng.integers(len(values), size=(RESAMPLES, len(values)))].mean(axis=1))
    return float(low), float(high)


def _policy_rate(
    game: Game, runs: Sequence[str], policy: str, checkpoint: int, effort: FigureEffort, executor: Executor
) -> WinRate:
    contests = []
    for number, run in enumerate(runs):
        named = f"{run}@{checkpoint}"
        a, b = (Entrant(f"{name} of {named}", LinearSettings(run=named, policy=name)) for name in (policy, CE))
        contests.append(contest(game, a, b, effort.seed + number))
    return _win_rate(contests, effort, executor)


def _win_rate(contests: Sequence[Contest], effort: FigureEffort, executor: Executor) -> WinRate:
    """Play a contest of each run; return how often A won, draws for half."""
    scores = []
    for each in contests:
        numbers = range(rounds_for(effort.games, each.game))
        jobs = (RoundsJob(each, tuple(part)) for part in batched(numbers, each.rounds_at_once))
        rounds = [played for part in in_order(executor, play_rounds_of, jobs) for played in part]
        scores.append(Outcomes(rounds).scores)
    return over_runs([float(one.mean()) for one in scores], scores[0].size)
