"""Equilibria of games that fit in memory, and how much any player can be exploited."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from forethought.api.arguments import (
    ExecutorLike,
    GameLike,
    PathLike,
    PlayerLike,
    Progress,
    chosen_executor,
    chosen_seed,
    quiet,
)
from forethought.drawing.charts import curve
from forethought.drawing.markup import block, note
from forethought.evaluate import exploitability as measuring
from forethought.evaluate.exploitability import Effort, Exploitability
from forethought.evaluate.lower_bound import find_response
from forethought.evaluate.pictures import new_figure, save_figure
from forethought.evaluate.rounds import entrant
from forethought.games import load
from forethought.player import PlayerSettings
from forethought.players.tabular import SolvedSettings
from forethought.results import ASIDE, ResultBase
from forethought.solve.forecast import MAX_NODES
from forethought.solve.policies import TabularPolicy
from forethought.solve.solving import CurvePoint, IterativeSolver, SolveLimits, check_algorithm, make_solver
from forethought.solve.solving import solve as points_of
from forethought.solve.tree import GameTree
from forethought.solve.unroll import unroll

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MANY = 1_000  # iterations, if neither they nor an exploitability are given
LABELS = "iterations", ""


@dataclass(frozen=True)
class SolutionPoint:
    """How good the strategy was after some iterations."""

    iterations: int
    seconds: float  # spent on iterations
    exploitability: float  # NashConv / players, in the game's returns


@dataclass(frozen=True)
class Solution(ResultBase):
    """An approximate equilibrium of a game, and how far from an exact one it is."""

    game: str
    algorithm: str
    kind: str  # "exact": so is the exploitability
    nashconv: float  # the sum over players of what a best response adds
    exploitability: float  # NashConv / players
    value: float  # to player 0
    best_responses: list[float]  # what a best response wins, by seat
    infosets: int
    iterations: int
    seconds: float
    curve: list[SolutionPoint]
    policy: TabularPolicy = field(repr=False, compare=False, metadata=ASIDE)

    def player(self) -> PlayerSettings:
        """Return the player that plays this solution."""
        return SolvedSettings(policy=self.policy)

    def save(self, path: PathLike) -> Path:
        """Save the policy; `policy:FILE` names the player that plays it. Return the path."""
        self.policy.save(Path(path))
        return Path(path)

    def plot(self, path: PathLike) -> Path:
        """Draw exploitability over iterations, both on scales of logarithms, to a file, .png or .svg."""
        return save_figure(_figure(f"{self.game}, {self.algorithm}", self.curve), path)

    def _repr_html_(self) -> str:
        iterations, exploitability = zip(*((one.iterations, one.exploitability) for one in self.curve), strict=True)
        title = f"{self.game} solved by {self.algorithm}: exploitability {self.exploitability:.6g}"
        said = (
            f"value {self.value:+.6g} to player 0; {self.infosets:,} information sets; {self.iterations:,} iterations"
        )
        return block(title, curve("exploitability", iterations, exploitability, LABELS, logarithmic=True), note(said))


def solve(  # noqa: PLR0913 (each is a choice of the caller)
    game: GameLike,
    algorithm: str = "cfr+",
    *,
    iterations: int | None = None,
    exploitability: float | None = None,
    max_nodes: int = MAX_NODES,
    seed: int = 0,
    temperature: float | None = None,
    progress: Progress = quiet,
) -> Solution:
    """Solve a whole game by counterfactual regret minimisation or magnetic mirror descent.

    It stops after `iterations`, 1000 if neither limit is given, or when `exploitability` (NashConv / players, in the
    game's returns) is as low as asked for; Ctrl-C stops it too, and what was reached is returned. The algorithm is one
    of cfr, cfr+, linear, dcfr, pcfr+, mmd, mccfr-outcome and mccfr-external; the seed is that of the last two. With a
    `temperature`, in the game's returns, mmd finds the quantal-response equilibrium of that temperature. Raises
    ForethoughtError if the game has more nodes than `max_nodes`, or there is no such algorithm.
    """
    check_algorithm(algorithm, temperature)
    made = load(game, compiled=False)
    limits = SolveLimits(iterations or (MANY if exploitability is None else 10**9), exploitability or 0.0)
    progress("unrolling", 0.0)
    tree = unroll(load(made), max_nodes)
    method = make_solver(tree, algorithm, chosen_seed(seed), temperature)
    points: list[CurvePoint] = []
    try:
        for point in points_of(method, tree, limits):
            points.append(point)
            progress(_words(point), _part(points, limits))
    except KeyboardInterrupt:
        if not points:
            raise
    return _solution(made.spec or made.name, algorithm, tree, method, points)


def exploitability(  # noqa: PLR0913 (each is a choice of the caller)
    game: GameLike,
    player: PlayerLike,
    *,
    max_nodes: int = MAX_NODES,
    response: str | None = None,
    games: int = 20_000,
    seed: int = 0,
    executor: ExecutorLike | None = None,
    workers: int | None = None,
    progress: Progress = quiet,
) -> Exploitability:
    """Measure how much a player can lose to a best response: exactly where the game allows it, else a lower bound.

    Games of up to `max_nodes` nodes are unrolled, and the player is asked in every information set. For larger games a
    response is learned and measured in `games` new games: a lower bound with a 95 % interval. `response` says how it is
    learned, "policy-gradient" (the default if torch is installed) or "search", and from how many games:
    "policy-gradient:100000". Raises ForethoughtError if the player does not suit the game, or no bound can be had.
    """
    measured, runner = entrant(player), chosen_executor(executor, workers)
    learned = find_response(response or ("policy-gradient" if find_spec("torch") else "search"))
    effort = Effort(learned, max_nodes, games, chosen_seed(seed))
    return measuring.exploitability(load(game), measured, effort, runner, progress)


def _words(point: CurvePoint) -> str:
    return f"{point.iterations:,} iterations, exploitability {point.strength.exploitability:.3g}"


def _part(points: Sequence[CurvePoint], limits: SolveLimits) -> float:
    """Return the part of the iterations that are done, of those allowed or those that the target seems to need.

    Exploitability falls about as a power of the iterations, measured since a quarter of them was done.
    """
    last = points[-1]
    then = next((one for one in reversed(points) if 4 * one.iterations <= last.iterations), points[0])
    now, before = last.strength.exploitability, then.strength.exploitability
    part = last.iterations / limits.iterations
    if not limits.exploitability < now < before:
        return part
    power = math.log(before / now) / math.log(last.iterations / then.iterations)
    return max(part, math.exp(min(0.0, math.log(max(limits.exploitability, 1e-300) / now) / power)))


def _solution(
    game: str, algorithm: str, tree: GameTree, method: IterativeSolver, points: Sequence[CurvePoint]
) -> Solution:
    last, policy = points[-1], method.policy()
    policy.about["exploitability"] = last.strength.exploitability
    return Solution(
        game=game,
        algorithm=algorithm,
        kind=measuring.EXACT,
        nashconv=last.strength.nashconv,
        exploitability=last.strength.exploitability,
        value=last.strength.values[0],
        best_responses=last.strength.best_responses,
        infosets=tree.infosets,
        iterations=last.iterations,
        seconds=last.seconds,
        curve=[SolutionPoint(one.iterations, one.seconds, one.strength.exploitability) for one in points],
        policy=policy,
    )


def _figure(title: str, points: Sequence[SolutionPoint]) -> "Figure":
    figure = new_figure(6.4, 4.0)
    axes = figure.add_subplot()
    axes.loglog([one.iterations for one in points], [one.exploitability for one in points], marker=".")
    axes.set(title=title, xlabel="iterations", ylabel="exploitability (NashConv / players)")
    axes.grid(alpha=0.3, which="both")
    return figure
