"""`forethought match`: who is stronger?"""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forethought.cli.output import Json, print_json, print_table, progress
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from forethought.evaluate.match import MatchResult
    from forethought.evaluate.outcomes import Tally
    from forethought.evaluate.rounds import Contest, Round
    from forethought.evaluate.store import Store

REPORT_SECONDS = 0.2
DEFAULT_STORE = Path("runs/matches.jsonl")

Seed = Annotated[int, typer.Option(help="Seed of all chance; the same seed, the same match.", min=0)]
Workers = Annotated[int | None, typer.Option(help="Threads that play; a core each if not given.")]
StorePath = Annotated[Path, typer.Option("--store", help="Where rounds are kept; what is there is not played again.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Play everything again, whatever the store holds.")]


def match(
    game: Annotated[str, typer.Argument(help="The game: leduc, goofspiel(cards=6), my_game.py.")],
    a: Annotated[str, typer.Argument(help="The player whose results are told.")],
    b: Annotated[str, typer.Argument(help="The player in the other seats.")],
    games: Annotated[int, typer.Option(help="How many games to play, rounded up to whole rounds.")] = 5_000,
    seed: Seed = 0,
    workers: Workers = None,
    stop: Annotated[bool, typer.Option("--stop", help="Stop as soon as a sequential test can tell.")] = False,
    margin: Annotated[float, typer.Option(help="With --stop: the difference in win rate that matters.")] = 0.05,
    store: StorePath = DEFAULT_STORE,
    fresh: Fresh = False,
    as_json: Json = False,
) -> None:
    """Play two players against each other, seats swapped on every deal, and say who is stronger."""
    from forethought.evaluate.match import stopping_match, whole_match  # noqa: PLC0415 (imports numpy)
    from forethought.evaluate.rounds import contest, entrant, rounds_for  # noqa: PLC0415
    from forethought.evaluate.sequential import SequentialTest  # noqa: PLC0415
    from forethought.evaluate.store import Store  # noqa: PLC0415
    from forethought.games import load  # noqa: PLC0415
    from forethought.player import find_player  # noqa: PLC0415

    made = load(game, compiled=False)  # mistakes are told before anything is compiled
    for player in (a, b):
        find_player(player)
    count, threads = rounds_for(games, made), worker_count(workers)
    SequentialTest(margin)
    started = time.monotonic()
    with Store(store) as kept, progress("match") as report:
        compiled = load(made)
        made_contest = contest(compiled, entrant(a), entrant(b), seed)
        rounds = watched_rounds(made_contest, count, kept, fresh, threads, report)
        result = stopping_match(made_contest, rounds, margin) if stop else whole_match(made_contest, rounds)
        rounds.close()
    if as_json:
        print_json(result)
    else:
        _print(result, time.monotonic() - started)


def worker_count(workers: int | None) -> int:
    """Return how many threads play: as many as told, or a core each."""
    if workers is not None and workers < 1:
        raise ForethoughtError(f"A match needs 1 worker or more, not {workers}.")
    return workers or os.cpu_count() or 1


def watched_rounds(
    contest: "Contest",
    count: int,
    store: "Store",
    fresh: bool,
    workers: int,
    report: "Callable[[str, float], None]",
) -> "Generator[Round, None, None]":
    """Yield the rounds of a contest, and report A's running win rate with its interval now and then."""
    import numpy as np  # noqa: PLC0415

    from forethought.evaluate.intervals import wilson_interval  # noqa: PLC0415
    from forethought.evaluate.match import play_rounds  # noqa: PLC0415
    from forethought.evaluate.outcomes import Outcomes  # noqa: PLC0415
    from forethought.runtime.threads import Threads  # noqa: PLC0415

    known = {} if fresh else store.rounds_of(contest)
    scores, told = [], 0.0
    for played in play_rounds(contest, count, store, known, Threads(workers)):
        scores.append(Outcomes([played]).scores.mean())
        if time.monotonic() - told > REPORT_SECONDS:
            low, high = wilson_interval(np.array(scores))
            rate = f"{np.mean(scores):.1%} ({low:.1%} to {high:.1%})"
            games_so_far = f"{len(scores) * contest.game.players:,} games"
            report(f"{contest.a.name} - {contest.b.name}: {games_so_far}, {rate}", len(scores) / count)
            told = time.monotonic()
        yield played


def _print(result: "MatchResult", seconds: float) -> None:
    print(f"{result.game}   A: {result.a}   B: {result.b}   seed {result.seed}   {seconds:.1f} s")
    columns = ("A's seat", "games", "wins", "draws", "losses", "win rate", "(95 %)", "mean return", "(95 %) ")
    rows = [_row("all", result), *(_row(str(seat), tally) for seat, tally in enumerate(result.seats))]
    print_table(columns, rows, right=columns[1:])
    print(result.verdict + ("; stopped early" if result.stopped_early else ""))


def _row(seat: str, tally: "Tally") -> list[str]:
    counts = [f"{count:,}" for count in (tally.games, tally.wins, tally.draws, tally.losses)]
    rate = [f"{tally.win_rate:.1%}", f"{tally.win_rate_low:.1%} to {tally.win_rate_high:.1%}"]
    mean = [f"{tally.mean_return:+.3f}", f"{tally.mean_return_low:+.3f} to {tally.mean_return_high:+.3f}"]
    return [seat, *counts, *rate, *mean]
