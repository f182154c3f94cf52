"""A match: rounds played on all cores, until there are enough or the sequential test has seen enough; then the verdict.

Strength is judged by the advantage, A's return less the mean of the others'. In a game of wins and losses that is the
win rate; in poker it is money, and winning more hands proves nothing.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from forethought.drawing.markup import block, interval, note, table
from forethought.evaluate.intervals import LEVEL, Z, deviation, p_value
from forethought.evaluate.outcomes import Outcomes, Tally
from forethought.evaluate.rounds import Contest, Round, RoundsJob, play_rounds_of
from forethought.evaluate.sequential import ALPHA, BETA, SequentialTest
from forethought.evaluate.store import Store, line_start
from forethought.results import ResultBase
from forethought.runtime.executor import Executor, batched, close_iterator

HOPELESS = 100  # a difference that needs so many times the games cannot be told from noise


@dataclass(frozen=True, kw_only=True)
class MatchResult(Tally, ResultBase):
    """A's results against B. The same contest and number of games always have the same result."""

    game: str
    a: str
    b: str
    seed: int
    seats: list[Tally]  # A's results in seat 0, 1, ...
    p_value: float | None  # None where the match could stop early: that makes p-values too small
    verdict: str
    stopped_early: bool

    def _repr_html_(self) -> str:
        columns = ("A's seat", "games", "wins", "draws", "losses", "win rate (95 %)", "", "mean return (95 %)")
        rows = [_shown("all", self), *(_shown(str(seat), tally) for seat, tally in enumerate(self.seats))]
        title = f"{self.game}: A {self.a} against B {self.b}"
        return block(title, table(columns, rows), note(f"{self.verdict}; seed {self.seed}"))


def _shown(seat: str, tally: Tally) -> list[object]:
    rates = tally.win_rate_low, tally.win_rate_high, tally.win_rate
    returns = tally.mean_return, tally.mean_return_low, tally.mean_return_high
    return [
        seat,
        *(f"{count:,}" for count in (tally.games, tally.wins, tally.draws, tally.losses)),
        "{2:.1%} ({0:.1%} to {1:.1%})".format(*rates),
        interval(*rates, ends=(0.0, 1.0)),
        "{:+.3f} ({:+.3f} to {:+.3f})".format(*returns),
    ]


def play_rounds(
    contest: Contest, count: int, store: Store | None, known: dict[int, Round], executor: Executor
) -> Iterator[Round]:
    """Yield the rounds 0 to count - 1 in order: those known already, and the others played now and kept."""
    start = line_start(contest) if store is not None else ""
    missing = [number for number in range(count) if number not in known]
    jobs = (RoundsJob(contest, tuple(part)) for part in batched(missing, contest.rounds_at_once))
    finished, early = executor.map(play_rounds_of, jobs), dict(known)
    try:
        for number in range(count):
            while number not in early:
                for played in next(finished)[1]:
                    if store is not None:
                        store.append(start, played)
                    early[played.number] = played
            yield early.pop(number)
    finally:  # also when the caller has seen enough, or Ctrl-C was pressed
        close_iterator(finished)


def whole_match(contest: Contest, rounds: Iterable[Round]) -> MatchResult:
    """Judge all rounds by the test of no difference."""
    outcomes = Outcomes(list(rounds))
    deviations = deviation(outcomes.advantages.mean(axis=1))
    verdict = fixed_verdict(deviations, outcomes.returns.size)
    return _result(contest, outcomes, verdict, p_value(deviations), stopped_early=False)


def stopping_match(contest: Contest, rounds: Iterator[Round], margin: float) -> MatchResult:
    """Take rounds until the sequential test can tell; the order of rounds, not of their ending, decides when."""
    test, taken = SequentialTest(margin), []
    for played in rounds:
        taken.append(played)
        if test.add(Outcomes([played]).advantages[0]):
            break
    outcomes = Outcomes(taken)
    verdict = sequential_verdict(test, outcomes.returns.size)
    return _result(contest, outcomes, verdict, None, stopped_early=bool(test.verdict))


def fixed_verdict(deviations: float, games: int) -> str:
    """Say who is stronger, or how many more games would tell if the difference is what it seems."""
    chance = p_value(deviations)
    if chance < 1 - LEVEL:
        side = "A" if deviations > 0 else "B"
        return f"{side} is stronger, " + ("p < 0.001" if chance < 0.001 else f"p = {chance:.3f}")
    if abs(deviations) < Z / math.sqrt(HOPELESS):
        return "no significant difference; it is too small to measure"
    return f"no significant difference; {_two_digits(games * ((Z / deviations) ** 2 - 1)):,} more games may show one"


def sequential_verdict(test: SequentialTest, games: int) -> str:
    """Say what the sequential test has decided."""
    if test.verdict == "equal":
        return f"no difference as large as the margin, {test.margin:g}; error at most {BETA:.0%}"
    if test.verdict:
        return f"{test.verdict} is stronger, error at most {ALPHA:.0%}"
    return f"not decided in {games:,} games"


def _two_digits(number: float) -> int:
    """Round up to two digits, and to an even number of games: more would be a lie."""
    size = int(10.0 ** max(0, math.floor(math.log10(max(number, 1))) - 1))
    return 2 * math.ceil(number / size / 2) * size


def _result(
    contest: Contest, outcomes: Outcomes, verdict: str, chance: float | None, *, stopped_early: bool
) -> MatchResult:
    return MatchResult(
        **vars(outcomes.tally(contest.seed)),
        game=contest.game.spec or contest.game.name,
        a=contest.a.name,
        b=contest.b.name,
        seed=contest.seed,
        seats=outcomes.seat_tallies(contest.seed),
        p_value=chance,
        verdict=verdict,
        stopped_early=stopped_early,
    )
