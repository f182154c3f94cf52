"""Time to strength: planners at several budgets and learners along their training, in any game, on one scale.

Trainings are ordinary runs and measurements are kept, so that the same call goes on where one was stopped.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, cast

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
from forethought.api.runs import TrainedRun, measurements
from forethought.api.steps import EqualParts, StepStore, TrainingPlan, trained
from forethought.api.strength_measures import StrengthByNashConv, StrengthByScore, StrengthMeasure
from forethought.drawing.markup import block, note, table
from forethought.errors import ForethoughtError
from forethought.evaluate.pictures import check_picture_file, save_figure
from forethought.evaluate.strength_curves import NASHCONV, SCORE, STRENGTHS, StrengthCurve, StrengthPoint, draw_strength
from forethought.game import Game
from forethought.games import load
from forethought.learn.configuration import keys_of
from forethought.learn.learner import LEARNERS
from forethought.player import PLAYERS, PlayerSettings, find_player, recommended_player
from forethought.results import ASIDE, ResultBase
from forethought.runs import WEIGHTS, iterations_in, runs_directory
from forethought.search.player import SearchSettings
from forethought.settings import settings_of
from forethought.solve.forecast import forecast_nodes
from forethought.specs import no_such, split_arguments, split_short_spec

KEPT = "compare"  # the directory of what was measured, beside the runs
PICTURE = "compare.svg"
BUDGETS = (100, 1_000, 10_000)  # simulations per decision
REFERENCE = 1_000  # simulations of the opponent, if none is named
CHECKPOINTS = 6  # of a training
UNMEASURED = {"evaluation.every": 1_000_000, "evaluation.games": 2}  # checkpoints are measured after the training
SMALL, LARGE = 100_000, 3_000_000  # nodes of games in which searches, and networks, are asked everywhere


@dataclass(frozen=True)
class Comparison(ResultBase):
    """Who becomes how strong in what time."""

    game: str
    strength: str  # NASHCONV, lower is stronger, or SCORE
    measured: str  # in words: whom a score is against
    minutes: float
    seed: int
    planners: list[StrengthCurve]  # seconds are those of a decision
    learners: list[StrengthCurve]  # seconds are those of training
    picture: Path = field(metadata=ASIDE)

    @property
    def columns(self) -> list[str]:
        """The headings of the table."""
        return ["who", "with", "time", self.measured]

    @property
    def rows(self) -> list[list[str]]:
        """The table: a row for each point."""
        told = [(self.planners, "{:.3g} s per decision", 1.0), (self.learners, "{:.3g} min of training", 60.0)]
        return [
            [curve.name, one.label, time.format(one.seconds / size), _written(one)]
            for curves, time, size in told
            for curve in curves
            for one in curve.points
        ]

    def _repr_html_(self) -> str:
        drawn = table(self.columns, self.rows, left=self.columns)
        return block(f"{self.game}: time to strength", drawn, note(str(self.picture)))


def compare(  # noqa: PLR0913 (each is a choice of the caller)
    game: GameLike,
    *,
    players: Sequence[PlayerLike] = (),
    learners: Sequence[str] = (),
    minutes: float = 5.0,
    budgets: Sequence[int] = BUDGETS,
    strength: str | None = None,
    against: PlayerLike | None = None,
    games: int = 400,
    seed: int = 0,
    output: PathLike = PICTURE,
    executor: ExecutorLike | None = None,
    workers: int | None = None,
    progress: Progress = quiet,
) -> Comparison:
    """Measure how strong planners and learners become in what time, and draw it.

    A player that searches and has its default number of simulations is measured at each of the `budgets`; any other as
    it is. A learner is one of `forethought learners`, with settings if need be: "exit-oos(preset=paper)"; it is trained
    for so many `minutes`, and measured at its checkpoints. `strength` is "nashconv", which must be exact, or "score",
    the win rate in `games` against a reference; if none is named, NashConv in small games, and the score in others. The
    reference is `against`, or else the planner that suits the game, with 1,000 simulations. The same call goes on after
    it was stopped. Raises ForethoughtError if something does not exist or does not suit the game.
    """
    made, picture = load(game, compiled=False), check_picture_file(output)
    spec, rng_seed = made.spec or made.name, chosen_seed(seed)
    if not players and not learners:
        raise ForethoughtError("There is nobody to compare; name players or learners.")
    if not minutes > 0.0:
        raise ForethoughtError(f"minutes must be above 0, not {minutes:g}.")
    plans = [learner_plan(one, spec, minutes, rng_seed) for one in learners]
    searching = [one for player in players for one in at_budgets(_player(player), budgets)]
    home, runner = runs_directory() / KEPT, chosen_executor(executor, workers)
    measured = _chosen_strength(load(made), strength, asked_to_search=any(one.searches for one in searching))
    common = load(made), StepStore(home / "steps"), runner, rng_seed
    measure = (
        StrengthByNashConv(*common)
        if measured == NASHCONV
        else StrengthByScore(*common, reference(made, against), games)
    )
    parts = EqualParts(progress, len(searching) + len(plans) * (1 + CHECKPOINTS))
    planners = _planner_curves(searching, measure, parts)
    learned = []
    for name, plan in zip(learners, plans, strict=True):
        (run,) = trained(plan, home, runner, parts.next(name))
        learned.append(StrengthCurve(name, _checkpoint_points(run, measure, parts)))
    save_figure(draw_strength(planners, learned, measure.measured, spec), picture)
    return Comparison(spec, measured, measure.measured, minutes, rng_seed, planners, learned, picture)


class BudgetedPlayer(NamedTuple):
    """A player with so much time."""

    name: str  # whatever its budget
    label: str  # of the budget
    settings: PlayerSettings

    @property
    def searches(self) -> bool:
        """Whether it takes a number of simulations."""
        return any(kind.settings is type(self.settings) and kind.searches for _, kind in PLAYERS)


def at_budgets(player: PlayerSettings, budgets: Sequence[int]) -> list[BudgetedPlayer]:
    """Return a player at each budget; as it is, if it does not search or names its simulations."""
    alone = BudgetedPlayer(str(player), "as it is", player)
    if not alone.searches:
        return [alone]
    search, default = cast(SearchSettings, player), settings_of(type(player))["simulations"].default
    if search.simulations != default:
        return [alone]
    return [BudgetedPlayer(str(player), f"{one:,} simulations", replace(search, simulations=one)) for one in budgets]


def learner_plan(spec: str, game: str, minutes: float, seed: int) -> TrainingPlan:
    """Return the training that a string such as `mmd` or `exit-oos(preset=paper)` names."""
    name, arguments = split_short_spec(spec, "exit-oos or mmd")
    if name not in LEARNERS.names():
        raise no_such("algorithm", name, LEARNERS.names())
    known = dict.fromkeys(keys_of(LEARNERS.find(name).configuration), "")
    given = split_arguments(name, arguments, known)
    settings = {"algorithm": name, "minutes": minutes, **UNMEASURED, **given}
    plan = TrainingPlan(f"compare-{name}", game, settings, (seed,))
    plan.check()
    return plan


def reference(game: Game, against: PlayerLike | None) -> PlayerSettings:
    """Return whom scores are measured against."""
    if against is not None:
        return _player(against)
    return find_player(recommended_player(game).thinks.format(simulations=REFERENCE))


def _planner_curves(
    planners: Sequence[BudgetedPlayer], measure: StrengthMeasure, parts: EqualParts
) -> list[StrengthCurve]:
    curves: dict[str, list[StrengthPoint]] = {}
    for name, label, player in planners:
        point = measure.point(label, measure.seconds(player), player, parts.next(str(player)))
        curves.setdefault(name, []).append(point)
    return [StrengthCurve(name, points) for name, points in curves.items()]


def _checkpoint_points(run: TrainedRun, measure: StrengthMeasure, parts: EqualParts) -> list[StrengthPoint]:
    """Measure the policy of a run at its checkpoints."""
    learner = LEARNERS.find(run.algorithm).learner
    seconds = {one.iteration: one.seconds for one in measurements(run)}
    points = []
    for at in spread_out([one for one in iterations_in(run.directory / WEIGHTS) if one in seconds], CHECKPOINTS):
        players = learner.players(f"{run.name}@{at}")
        player = players.get("policy") or next(iter(players.values()))
        points.append(measure.point(f"iteration {at}", seconds[at], player, parts.next(f"{run.name}@{at}")))
    return points


def spread_out(iterations: Sequence[int], count: int) -> list[int]:
    """Return some iterations, the first and the last among them, about equally many times apart."""
    if len(iterations) <= count:
        return list(iterations)
    first, last = iterations[0], iterations[-1]
    wanted = [first * (last / first) ** (n / (count - 1)) for n in range(count)]
    return sorted({min(iterations, key=lambda one: (abs(one - at), one)) for at in wanted})


def _chosen_strength(game: Game, named: str | None, asked_to_search: bool) -> str:
    if named is None:
        return NASHCONV if forecast_nodes(game) <= (SMALL if asked_to_search else LARGE) else SCORE
    if named not in STRENGTHS:
        raise no_such("strength", named, STRENGTHS)
    return named


def _player(given: PlayerLike) -> PlayerSettings:
    return find_player(given) if isinstance(given, str) else given


def _written(point: StrengthPoint) -> str:
    if point.low is None or point.high is None:
        return f"{point.strength:.4g}"
    return f"{point.strength:.1%} ({point.low:.1%} to {point.high:.1%})"
