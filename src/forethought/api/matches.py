"""Who is stronger: matches and ladders."""

import time
from collections.abc import Generator, Sequence
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np

from forethought.api.arguments import (
    ExecutorLike,
    GameLike,
    PathLike,
    PlayerLike,
    Progress,
    chosen_executor,
    chosen_seed,
    part_of,
    quiet,
)
from forethought.evaluate.intervals import wilson_interval
from forethought.evaluate.ladder import Ladder, all_pairs, anchor_of, rank
from forethought.evaluate.match import MatchResult, play_rounds, stopping_match, whole_match
from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.rounds import Contest, Round, contest, entrant, rounds_for
from forethought.evaluate.sequential import SequentialTest
from forethought.evaluate.store import Store
from forethought.games import load
from forethought.runtime.executor import Executor

REPORT_SECONDS = 0.2


class Means(NamedTuple):
    """How rounds are played, and where they are kept."""

    executor: Executor
    store: Store | None
    fresh: bool
    progress: Progress


def match(  # noqa: PLR0913 (each is a choice of the caller)
    game: GameLike,
    a: PlayerLike,
    b: PlayerLike,
    *,
    games: int = 5_000,
    seed: int = 0,
    stop: bool = False,
    margin: float = 0.05,
    store: PathLike | None = None,
    fresh: bool = False,
    executor: ExecutorLike | None = None,
    workers: int | None = None,
    progress: Progress = quiet,
) -> MatchResult:
    """Play A against B, seats swapped on every deal, and judge who is stronger.

    `games` is rounded up to whole rounds: one game with A in each seat. With `stop`, a sequential test ends the match
    as soon as it can tell; `margin`, above 0 and below 0.5, is the difference in win rate that matters. `store` is a
    file in which rounds are kept: those that are there are not played again, unless `fresh`. The result depends on the
    game, the players, the seed and the number of games, never on where it is played. Raises ForethoughtError if a
    player does not suit the game, or a number is out of range.
    """
    made, sides = load(game, compiled=False), (entrant(a), entrant(b))  # mistakes before anything is compiled
    count, test = rounds_for(games, made), SequentialTest(margin)
    runner = chosen_executor(executor, workers)
    with nullcontext() if store is None else Store(store) as kept:
        found = contest(load(made), *sides, chosen_seed(seed))
        rounds = watched_rounds(found, count, Means(runner, kept, fresh, progress))
        result = stopping_match(found, rounds, test.margin) if stop else whole_match(found, rounds)
        rounds.close()
    return result


def ladder(  # noqa: PLR0913 (each is a choice of the caller)
    game: GameLike,
    players: Sequence[PlayerLike],
    *,
    games: int = 1_000,
    anchor: PlayerLike | None = None,
    seed: int = 0,
    store: PathLike | None = None,
    fresh: bool = False,
    executor: ExecutorLike | None = None,
    workers: int | None = None,
    progress: Progress = quiet,
) -> Ladder:
    """Let all pairs of players play a match, and rate them, with 95 % intervals: on the scale of Elo, or, where
    games pay different sums, by what is paid per game.

    Each pair plays `games`, rounded up to whole rounds. Ratings are relative to `anchor`, the first player if none is
    named: its Elo is 1500, its payoff 0. `store`, `fresh` and what is raised are as in `match`.
    """
    made, entrants = load(game, compiled=False), [entrant(one) for one in players]
    names = [one.name for one in entrants]
    fixed = anchor_of(names, None if anchor is None else entrant(anchor).name)
    count, runner = rounds_for(games, made), chosen_executor(executor, workers)
    with nullcontext() if store is None else Store(store) as kept:
        contests = all_pairs(load(made), entrants, chosen_seed(seed))
        played = []
        for number, each in enumerate(contests):
            means = Means(runner, kept, fresh, part_of(progress, number / len(contests), 1 / len(contests)))
            played.append((each, list(watched_rounds(each, count, means))))
    return rank(played, names, fixed)


def watched_rounds(contest: Contest, count: int, means: Means) -> Generator[Round, None, None]:
    """Yield the rounds of a contest, and report A's running win rate with its interval now and then.

    Rounds that the store had are not reported: they took no time, and would spoil a forecast.
    """
    known = {} if means.fresh or means.store is None else means.store.rounds_of(contest)
    scores, told = [], 0.0
    for played in play_rounds(contest, count, means.store, known, means.executor):
        scores.append(Outcomes([played]).scores.mean())
        if played.number not in known and time.monotonic() - told > REPORT_SECONDS:
            low, high = wilson_interval(np.array(scores))
            rate = f"{np.mean(scores):.1%} ({low:.1%} to {high:.1%})"
            so_far = f"{len(scores) * contest.game.players:,} games"
            means.progress(f"{contest.a.name} against {contest.b.name}: {so_far}, {rate}", len(scores) / count)
            told = time.monotonic()
        yield played
