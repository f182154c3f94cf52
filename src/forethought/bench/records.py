"""Reading records: games of Go in SGF, every move replayed by the rules, beside sgfmill's reader and board.

The games are random, without passes, and as long as games of strong players are. sgfmill's board takes stones off but
refuses neither suicide nor a repeated position, so it does less. On one thread.
"""

from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from forethought.api.records import verify_records
from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.result import Benchmark, Claim, Result
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games import load

SPEC, SIZE, PLIES, DIFFERENT = "go(size=19)", 19, 210, 50
PROMISED = 500.0  # games a second
LETTERS = "abcdefghijklmnopqrs"
IN_TURNS = Budget(seconds=0.2, rounds=9, clock=process_time)


def random_record(game: Game, seed: int) -> str:
    """Return a random game in SGF, at whose end White resigns."""
    rng, state, moves = np.random.default_rng(seed), game.start(), []
    for ply in range(PLIES):
        point = int(rng.choice([action for action in state.legal_actions() if action < SIZE * SIZE]))
        state.apply(point)
        moves.append(f";{'BW'[ply % 2]}[{LETTERS[point % SIZE]}{LETTERS[point // SIZE]}]")
    return f"(;FF[4]GM[1]SZ[{SIZE}]RE[B+R]{''.join(moves)})\n"


def our_reading(records: list[str]) -> Work:
    """Return what reads so many games and replays every move; none is twice in a file, where it would be skipped."""
    game = load(SPEC)

    def read(count: int) -> None:
        with TemporaryDirectory() as directory:
            for first in range(0, count, len(records)):
                file = Path(directory, f"{first}.sgf")
                file.write_text("".join(records[: count - first]))
                if verify_records(game, file).kept < min(len(records), count - first):
                    raise ForethoughtError("A sound game was skipped, so what was measured counts for nothing.")

    return read


def their_reading(records: list[str]) -> Work | None:
    """Return what reads so many games with sgfmill, or nothing without it."""
    try:
        sgf, boards = map(import_module, ("sgfmill.sgf", "sgfmill.boards"))
    except ImportError:
        return None

    def read(count: int) -> None:
        for number in range(count):
            board = boards.Board(SIZE)
            for node in sgf.Sgf_game.from_string(records[number % len(records)]).get_main_sequence():
                colour, point = node.get_move()
                if point is not None:
                    board.play(*point, colour)

    return read


def reading_beside_sgfmill(name: str, budget: Budget = IN_TURNS) -> Result:
    records = [random_record(load(SPEC), seed) for seed in range(DIFFERENT)]
    works = [work for work in (our_reading(records), their_reading(records)) if work is not None]
    ours, *theirs = best_rates(works, budget)
    return Claim(name, "games/s", "sgfmill", 2.0).by_rate(ours, theirs[0] if theirs else None, f"{PLIES} moves a game")


def reading_as_promised(name: str, budget: Budget = IN_TURNS) -> Result:
    records = [random_record(load(SPEC), seed) for seed in range(DIFFERENT)]
    [ours] = best_rates([our_reading(records)], budget)
    return Claim(name, "games/s", "promised", 1.0).by_rate(ours, PROMISED, f"{PLIES} moves a game")


BENCHMARKS: dict[str, Benchmark] = {
    "records:go": partial(reading_beside_sgfmill, "records:go"),
    "records:go-promised": partial(reading_as_promised, "records:go-promised"),
}
