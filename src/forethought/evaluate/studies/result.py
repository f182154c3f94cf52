"""What a study found, each number with its 95 % interval, and what that means in sentences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from forethought.arrays import Float64s
from forethought.evaluate.intervals import LEVEL, deviation, mean_interval, p_value, wilson_interval
from forethought.evaluate.match import whole_match
from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.rounds import Contest, Round
from forethought.evaluate.studies.drama import GameDrama, drama_of
from forethought.evaluate.studies.report import study_block
from forethought.evaluate.studies.self_play import StudiedGame, has_leads
from forethought.game import Game
from forethought.results import ResultBase

BINS = 12  # of the histogram of lengths, at most
_RESAMPLING = 0x57D1  # tells the stream of the bootstrap from those of the games


@dataclass(frozen=True)
class IntervalEstimate:
    """A mean over games with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class SeatResult:
    """What a seat achieved where all seats play alike."""

    score: IntervalEstimate  # the part of the other seats that it beat, a draw for half
    mean_return: IntervalEstimate
    advantage: IntervalEstimate  # its return less the mean of the others'
    p_value: float  # how likely so large an advantage, or disadvantage, is if the seats are alike


@dataclass(frozen=True)
class LengthBin:
    """Games whose length is within some numbers of moves."""

    first: int
    last: int
    games: int


@dataclass(frozen=True)
class GameLengths:
    """How many moves games have, chance not counted."""

    mean: IntervalEstimate
    shortest: int
    median: float
    longest: int
    histogram: list[LengthBin]


@dataclass(frozen=True)
class SkillStep:
    """More thinking against less."""

    more: str
    less: str
    win_rate: IntervalEstimate
    mean_return: IntervalEstimate
    p_value: float  # how likely so large a difference is if both are equally strong
    wins_more: bool


@dataclass(frozen=True)
class StudyDrama:
    """Who was ahead in the course of the games, by the planner's value; see `drama.py`. None where no game was won."""

    lead_changes: IntervalEstimate
    uncertainty: IntervalEstimate
    comebacks: IntervalEstimate | None
    drama: IntervalEstimate | None
    settled: IntervalEstimate | None


@dataclass(frozen=True)
class GameStudy(ResultBase):
    """What a game is like, by games of planners. The same game, settings and seed always have the same result."""

    game: str
    planner: str  # who played the games of the study, in all seats
    games: int
    seed: int
    seats: list[SeatResult]
    draws: IntervalEstimate  # the share of games in which nobody won more than another
    length: GameLengths
    decisions: IntervalEstimate  # moves with a choice, per game
    branching: IntervalEstimate  # legal actions per move
    skill: list[SkillStep]
    drama: StudyDrama | None  # None where information is hidden, or other than two players win what others lose
    findings: list[str]

    def _repr_html_(self) -> str:
        return study_block(self)


class Estimator:
    """Makes estimates of a study, each with a stream of random numbers of its own."""

    def __init__(self, seed: int) -> None:
        self._seed, self._stream = seed, 0

    def mean(self, values: Iterable[float]) -> IntervalEstimate:
        """Estimate the mean of any numbers by bootstrap."""
        found, self._stream = np.array(list(values), np.float64), self._stream + 1
        rng = np.random.default_rng((_RESAMPLING, self._seed, self._stream))
        return IntervalEstimate(float(found.mean()), *mean_interval(found, rng))

    def share(self, values: Iterable[float]) -> IntervalEstimate:
        """Estimate the mean of numbers from 0 to 1 by Wilson's interval."""
        found = np.array(list(values), np.float64)
        return IntervalEstimate(float(found.mean()), *wilson_interval(found))


def study_of(
    game: Game, planner: str, seed: int, played: Sequence[StudiedGame], steps: Sequence[tuple[Contest, Sequence[Round]]]
) -> GameStudy:
    """Sum up the games of a planner against itself, and the matches of more thinking against less."""
    estimate, returns = Estimator(seed), np.array([one.returns for one in played])
    draws = estimate.share((returns == returns[:, :1]).all(axis=1).astype(float))
    seats, skill = _seats(returns, estimate), [_step(contest, rounds) for contest, rounds in steps]
    drama = _drama(played, estimate) if has_leads(game) else None
    return GameStudy(
        game.spec or game.name,
        planner,
        len(played),
        seed,
        seats,
        draws,
        _lengths([len(one.choices) for one in played], estimate),
        estimate.mean(sum(choices > 1 for choices in one.choices) for one in played),
        estimate.mean(float(np.mean(one.choices or (0,))) for one in played),
        skill,
        drama,
        [*_balance_findings(seats), *_skill_findings(skill), *_course_findings(draws, drama)],
    )


def _seats(returns: Float64s, estimate: Estimator) -> list[SeatResult]:
    """Compare each seat with the others."""
    found, others = [], returns.shape[1] - 1
    for seat in range(returns.shape[1]):
        own = returns[:, seat : seat + 1]
        scores = ((own > returns).sum(axis=1) + ((own == returns).sum(axis=1) - 1) / 2) / others
        advantages = own[:, 0] - (returns.sum(axis=1) - own[:, 0]) / others
        paid, chance = (estimate.mean(own[:, 0]), estimate.mean(advantages)), p_value(deviation(advantages))
        found.append(SeatResult(estimate.share(scores), *paid, chance))
    return found


def _lengths(moves: Sequence[int], estimate: Estimator) -> GameLengths:
    shortest, longest = min(moves), max(moves)
    width = -(-(longest - shortest + 1) // BINS)
    firsts = range(shortest, longest + 1, width)
    histogram = [
        LengthBin(first, first + width - 1, sum(first <= one < first + width for one in moves)) for first in firsts
    ]
    return GameLengths(estimate.mean(moves), shortest, float(np.median(moves)), longest, histogram)


def _step(contest: Contest, rounds: Sequence[Round]) -> SkillStep:
    match, advantages = whole_match(contest, rounds), Outcomes(rounds).advantages.mean(axis=1)
    chance = p_value(deviation(advantages))
    return SkillStep(
        match.a,
        match.b,
        IntervalEstimate(match.win_rate, match.win_rate_low, match.win_rate_high),
        IntervalEstimate(match.mean_return, match.mean_return_low, match.mean_return_high),
        chance,
        bool(advantages.mean() > 0.0 and chance < 1 - LEVEL),
    )


def _drama(played: Sequence[StudiedGame], estimate: Estimator) -> StudyDrama | None:
    courses = [course for one in played if (course := drama_of(one.leads, one.returns)) is not None]
    if not courses:
        return None
    won: list[GameDrama] = [course for course in courses if course.drama is not None]
    return StudyDrama(
        estimate.mean(course.lead_changes for course in courses),
        estimate.share(course.uncertainty for course in courses),
        estimate.share(float(course.was_behind or 0) for course in won) if won else None,
        estimate.share(course.drama or 0.0 for course in won) if won else None,
        estimate.share(course.settled or 0.0 for course in won) if won else None,
    )


def _balance_findings(seats: Sequence[SeatResult]) -> Iterable[str]:
    names = ("The first player", "The second player") if len(seats) == 2 else [f"Seat {n}" for n in range(len(seats))]
    unlike = [(name, seat) for name, seat in zip(names, seats, strict=True) if seat.p_value < 1 - LEVEL]
    for name, seat in unlike:
        if seat.advantage.value > 0.0:
            yield f"{name} is favoured: it scores {_shown(seat.score)}, where half would be even."
        elif len(seats) > 2:  # of two, it is enough to name the other
            yield f"{name} is at a disadvantage: it scores {_shown(seat.score)}, where half would be even."
    if not unlike:
        yield f"No seat is favoured as far as these games tell: the first scores {_shown(seats[0].score)}."


def _skill_findings(steps: Sequence[SkillStep]) -> Iterable[str]:
    better = [step for step in steps if step.wins_more]
    if steps and not better:
        yield "More thinking does not win more: luck decides, or there is nothing to think about."
    if better:
        last = better[-1]
        yield (
            f"Skill decides: {len(better)} of {len(steps)} steps to more thinking win more; "
            f"{last.more} scores {_shown(last.win_rate)} against {last.less}."
        )


def _course_findings(draws: IntervalEstimate, drama: StudyDrama | None) -> Iterable[str]:
    if draws.low > 0.5:
        yield f"Most games are drawn: {_shown(draws)}."
    if drama is not None and drama.comebacks is not None:
        yield f"The winner was behind at some time in {_shown(drama.comebacks)} of the games that were won."


def _shown(share: IntervalEstimate) -> str:
    return f"{share.value:.0%} ({share.low:.0%} to {share.high:.0%})"
