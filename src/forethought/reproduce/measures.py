"""What a row of a table or a figure can be measured by: one class for each, whose fields are those of the data file.

A measure looks at one run, or at none where only searches play. In player strings {run} stands for the run.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from forethought.api.accuracy import accuracy
from forethought.api.arguments import Progress
from forethought.api.matches import ladder, match
from forethought.api.runs import open_run
from forethought.api.solving import exploitability
from forethought.api.steps import StepStore, identity_of_game, identity_of_player
from forethought.errors import ForethoughtError
from forethought.evaluate.exploitability import EXACT
from forethought.evaluate.store import identity_of
from forethought.evaluate.tspg_figures.densities import weight_densities
from forethought.evaluate.tspg_figures.entropies import entropy_over_time
from forethought.evaluate.tspg_figures.strength import FigureEffort
from forethought.games import load
from forethought.learn.sweeps import RUN
from forethought.player import PlayerSettings, find_player
from forethought.reproduce.verdicts import Span
from forethought.runs import matches_file, weights_of
from forethought.runtime.executor import Executor


class MeasuredRow(NamedTuple):
    """What was measured of one run: a value, its interval if it has one, and a curve if there is one to draw."""

    span: Span
    curve: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class MeasuringWork:
    """How rows are measured: what was done before is kept, and jobs run on an executor."""

    steps: StepStore
    executor: Executor
    progress: Progress


@dataclass(frozen=True)
class MeasuringPlace:
    """Where a row is measured: in a game, of a run."""

    game: str
    run: str  # empty where nothing is trained
    number: int  # of the run among the seeds: each plays games of its own
    work: MeasuringWork
    earlier: Mapping[str, Span]  # what other rows have measured of the same run

    @property
    def means(self) -> dict[str, Any]:
        """How work is done and told, as functions of the API take it."""
        return {"executor": self.work.executor, "progress": self.work.progress}

    def player(self, spec: str) -> PlayerSettings:
        """Return the player that a string names, of this run."""
        return find_player(spec.replace(RUN, self.run))

    def step(self, definition: Mapping[str, Any], work: Callable[[], Any]) -> Any:
        """Return what a step finds in this game, earlier or now."""
        return self.work.steps.done({"game": identity_of_game(self.game), **definition}, work).found


class RowMeasure:
    """What measures a row."""

    @property
    def players(self) -> list[str]:
        """Player strings that it uses, to be checked before anything is done."""
        return []

    @property
    def said(self) -> str:
        """How it is measured, for a page."""
        raise NotImplementedError

    def measure(self, place: MeasuringPlace) -> MeasuredRow:
        """Measure, or find what was measured before."""
        raise NotImplementedError


@dataclass(frozen=True)
class MatchMeasured(RowMeasure):
    """The score of a player in a match; with a seat, only of the games in which it sat there."""

    player: str
    against: str
    games: int
    seed: int = 0
    seat: int | None = None
    report: str = "win_rate"  # or mean_return
    less: float = 0.0  # what is subtracted: the value of the game to that seat, say

    @property
    def players(self) -> list[str]:
        return [self.player, self.against]

    @property
    def said(self) -> str:
        return f"{self.player} against {self.against}, {self.games:,} games{self._seat}{self._less}"

    @property
    def _seat(self) -> str:
        return "" if self.seat is None else f", those in seat {self.seat}"

    @property
    def _less(self) -> str:
        return f", less {self.less}" if self.less else ""

    def measure(self, place: MeasuringPlace) -> MeasuredRow:
        a, b = place.player(self.player), place.player(self.against)
        effort: dict[str, Any] = {"games": self.games, "seed": self.seed + place.number}
        asked = {"match": [identity_of_player(a), identity_of_player(b)], **effort}
        found = place.step(asked, lambda: match(place.game, a, b, store=matches_file(), **effort, **place.means))
        tally = found if self.seat is None else found["seats"][self.seat]
        return MeasuredRow(Span(*(tally[f"{self.report}{end}"] - self.less for end in ("", "_low", "_high"))))


@dataclass(frozen=True)
class RatingMeasured(RowMeasure):
    """The rating of a player on a ladder of several, one of which has a rating that is printed."""

    player: str
    ladder: list[str]  # all players, {run} standing for the run
    anchor: str
    rating: float  # the anchor's
    games: int  # of each pair
    seed: int = 0

    @property
    def players(self) -> list[str]:
        return [self.player, *self.ladder]

    @property
    def said(self) -> str:
        return f"{self.player} on a ladder of {len(self.ladder)}, {self.games:,} games for each pair"

    def measure(self, place: MeasuringPlace) -> MeasuredRow:
        entrants = [place.player(one) for one in self.ladder]
        anchor, effort = place.player(self.anchor), {"games": self.games, "seed": self.seed + place.number}
        asked = {"ladder": [identity_of_player(one) for one in entrants], "anchor": str(anchor), **effort}
        played: dict[str, Any] = {"anchor": anchor, "store": matches_file(), **effort, **place.means}
        found = place.step(asked, lambda: ladder(place.game, entrants, **played))
        standings = {one["player"]: one for one in found["standings"]}
        own, shift = standings[str(place.player(self.player))], self.rating - standings[str(anchor)]["rating"]
        return MeasuredRow(Span(*(own[end] + shift for end in ("rating", "low", "high"))))


@dataclass(frozen=True)
class NashConvMeasured(RowMeasure):
    """The exact NashConv of a player."""

    player: str
    scale: float = 1.0

    @property
    def players(self) -> list[str]:
        return [self.player]

    @property
    def said(self) -> str:
        return f"exact NashConv of {self.player}"

    def measure(self, place: MeasuringPlace) -> MeasuredRow:
        player = place.player(self.player)
        asked = {"nashconv": identity_of_player(player)}
        found = place.step(asked, lambda: exploitability(place.game, player, **place.means))
        if found["kind"] != EXACT:
            raise ForethoughtError(f"{place.game} is too large for an exact NashConv.")
        return MeasuredRow(Span(self.scale * found["nashconv"]))


@dataclass(frozen=True)
class MetricMeasured(RowMeasure):
    """What a training reported last under a name, at an iteration or before it; and all of it as a curve."""

    name: str
    iteration: int | None = None
    scale: float = 1.0

    @property
    def said(self) -> str:
        return f"{self.name} reported{'' if self.iteration is None else f' until iteration {self.iteration}'}"

    def measure(self, place: MeasuringPlace) -> MeasuredRow:
        reports = [(one.iteration, one.get(self.name)) for one in open_run(place.run).reports]
        curve = [(float(at), self.scale * value) for at, value in reports if value is not None]
        reached = [value for at, value in curve if self.iteration is None or at <= self.iteration]
        if not reached:
            raise ForethoughtError(f"{place.run} has not reported {self.name}.")
        return MeasuredRow(Span(reached[-1]), curve)


@dataclass(frozen=True)
class AccuracyMeasured(RowMeasure):
    """How often a player finds the best move in random positions that are solved exactly."""

    player: str
    positions: int
    seed: int = 0

    @property
    def players(self) -> list[str]:
        return [self.player]

    @property
    def said(self) -> str:
        return f"best moves of {self.player} in {self.positions:,} positions"

    def measure(self, place: MeasuringPlace) -> MeasuredRow:
        player = place.player(self.player)
        effort: dict[str, Any] = {"positions": self.positions, "seed": self.seed + place.number}
        asked = {"accuracy": identity_of_player(player), **effort}
        found = place.step(asked, lambda: accuracy(place.game, player, **effort, **place.means))
        return MeasuredRow(Span(*(found[f"share_right{end}"] for end in ("", "_low", "_high"))))


@dataclass(frozen=True)
class EntropyMeasured(RowMeasure):
    """The mean normalised entropy of a policy or of visits in games of biased search against UCT, and its curve."""

    of: str
    games: int
    simulations: int
    seed: int = 0

    @property
    def said(self) -> str:
        return f"entropy of {self.of}, {self.games:,} games of {self.simulations:,} simulations"

    def measure(self, place: MeasuringPlace) -> MeasuredRow:
        effort = FigureEffort(self.games, self.simulations, self.seed + place.number)
        asked = {"entropies": identity_of(place.run, [weights_of(place.run)]), **vars(effort)}
        curves = place.step(
            asked, lambda: entropy_over_time(load(place.game), [place.run], effort, place.work.executor)
        )
        (chosen,) = (one for one in curves if one["name"] == self.of)
        points = [
            (at, mean) for at, mean in zip(chosen["progress"], chosen["mean"], strict=True) if math.isfinite(mean)
        ]
        return MeasuredRow(Span(chosen["overall"]), points)


@dataclass(frozen=True)
class SpreadMeasured(RowMeasure):
    """The standard deviation of the weights of a linear policy, and their density as a curve."""

    of: str

    @property
    def said(self) -> str:
        return f"standard deviation of the weights of {self.of}"

    def measure(self, place: MeasuringPlace) -> MeasuredRow:
        (chosen,) = (one for one in weight_densities(load(place.game), [place.run]) if one.policy == self.of)
        return MeasuredRow(Span(chosen.deviation), list(zip(chosen.at, chosen.density, strict=True)))


@dataclass(frozen=True)
class DifferenceMeasured(RowMeasure):
    """By how much one row exceeds another: an order that a paper states, rather than values."""

    of: str
    minus: str

    @property
    def said(self) -> str:
        return f"{self.of} less {self.minus}"

    def measure(self, place: MeasuringPlace) -> MeasuredRow:
        more, less = place.earlier[self.of].value, place.earlier[self.minus].value
        return MeasuredRow(Span(None if more is None or less is None else more - less))


MEASURES: Mapping[str, type[RowMeasure]] = {
    "match": MatchMeasured,
    "rating": RatingMeasured,
    "nashconv": NashConvMeasured,
    "metric": MetricMeasured,
    "accuracy": AccuracyMeasured,
    "entropy": EntropyMeasured,
    "spread": SpreadMeasured,
    "difference": DifferenceMeasured,
}
