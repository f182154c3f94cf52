"""What a game is like: a study of it by games of planners."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

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
from forethought.api.matches import Means, watched_rounds
from forethought.errors import ForethoughtError
from forethought.evaluate.rounds import Entrant, contest, entrant, rounds_for
from forethought.evaluate.studies.report import study_page
from forethought.evaluate.studies.result import GameStudy, study_of
from forethought.evaluate.studies.self_play import GAMES_PER_JOB, StudiedGame, StudiedGamesJob, play_studied_games
from forethought.files import check_can_write, write_atomically
from forethought.game import Game
from forethought.games import load
from forethought.games.reference import reference_to
from forethought.player import find_player, recommended_player
from forethought.runtime.executor import Executor, batched, in_order
from forethought.search.player import SearchSettings

BUDGETS = (10, 100, 1_000)
PAGE, DATA = "index.html", "study.json"  # the files of a report


def study(  # noqa: PLR0913 (each is a choice of the caller)
    game: GameLike,
    *,
    games: int = 200,
    budgets: Sequence[int] = BUDGETS,
    planner: PlayerLike | None = None,
    seed: int = 0,
    out: PathLike | None = None,
    executor: ExecutorLike | None = None,
    workers: int | None = None,
    progress: Progress = quiet,
) -> GameStudy:
    """Study a game by games of planners: balance, length, draws, branching, how much skill decides, and drama.

    The planner, by default the one recommended for the game, plays `games` against itself with the largest of the
    `budgets`, simulations per decision in ascending order. Then each budget plays a match of as many games against the
    one before, and the smallest against random play. `out` is a directory for a report: a page and its data. The
    result depends on the game, the planner, the budgets, the number of games and the seed, never on where it is played.
    Raises ForethoughtError if the planner does not suit the game, or a number is out of range.
    """
    made = load(game, compiled=False)  # mistakes before anything is compiled
    players = [entrant("random"), *_planners(made, planner, budgets)]
    count, runner, drawn = rounds_for(games, made), chosen_executor(executor, workers), chosen_seed(seed)
    page = None if out is None else Path(out) / PAGE
    if page is not None:
        check_can_write(page, "report")
    made = load(made)
    contests = [contest(made, more, less, drawn) for less, more in pairwise(players)]
    reports = _shared_out(
        progress, [*([0, *budgets][step] + budgets[step] for step in range(len(budgets))), 2 * budgets[-1]]
    )
    steps = [
        (one, list(watched_rounds(one, count, Means(runner, None, True, report))))
        for one, report in zip(contests, reports, strict=False)
    ]
    played = list(_self_play(made, players[-1], drawn, games, runner, reports[-1]))
    result = study_of(made, players[-1].name, drawn, played, steps)
    if page is not None:
        write_atomically(page.with_name(DATA), (json.dumps(result.as_dict(), indent=2) + "\n").encode())
        write_atomically(page, study_page(result).encode())
    return result


def _planners(game: Game, planner: PlayerLike | None, budgets: Sequence[int]) -> list[Entrant]:
    """Return the planner with each of the budgets."""
    if not budgets or budgets[0] < 1 or any(more <= less for less, more in pairwise(budgets)):
        raise ForethoughtError(
            f"Budgets are simulations per decision in ascending order, such as 10,100, not {budgets}."
        )
    chosen = recommended_player(game).settings() if planner is None else planner
    settings = find_player(chosen) if isinstance(chosen, str) else chosen
    if not isinstance(settings, SearchSettings) or settings.seconds > 0.0:
        raise ForethoughtError(
            f"A study needs a player that searches by simulations, such as uct or oos, not {settings}."
        )
    return [_with_budget(settings, budget) for budget in budgets]


def _with_budget(planner: SearchSettings, budget: int) -> Entrant:
    """Return a planner that simulates so often, called `uct:100` where that names it."""
    settings = replace(planner, simulations=budget)
    return Entrant(re.sub(r"\(simulations=(\d+)\)$", r":\1", str(settings)), settings)


def _self_play(
    game: Game, planner: Entrant, seed: int, games: int, executor: Executor, progress: Progress
) -> Iterator[StudiedGame]:
    """Yield games of the planner against itself, in order."""
    numbers = batched(range(games), GAMES_PER_JOB)
    jobs = (StudiedGamesJob(reference_to(game), planner, seed, tuple(part)) for part in numbers)
    done = 0
    for played in in_order(executor, play_studied_games, jobs):
        yield from played
        done += len(played)
        progress(f"{planner.name} against itself: {done:,} games", done / games)


def _shared_out(progress: Progress, costs: Sequence[int]) -> list[Callable[[str, float], None]]:
    """Return what reports the progress of each part, as large as it costs."""
    total = sum(costs)
    return [part_of(progress, sum(costs[:place]) / total, cost / total) for place, cost in enumerate(costs)]
