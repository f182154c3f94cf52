"""What a data set holds, in numbers."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from forethought.arrays import Float32s
from forethought.records.data_set import HELD_OUT, TRAIN, RecordSet
from forethought.records.identity import called
from forethought.results import ResultBase

FIRST_MOVES = 8  # that are listed
SEEN_PLAYERS = 8


@dataclass(frozen=True)
class Counted(ResultBase):
    """Something, and in how many games it is."""

    name: str
    games: int


@dataclass(frozen=True)
class SeatResults(ResultBase):
    """How a seat has fared, and who sat there."""

    seat: int
    wins: int
    draws: int
    losses: int
    unknown: int
    rated: int  # games in which its rating is known
    mean_rating: float | None
    lowest_rating: float | None
    highest_rating: float | None


@dataclass(frozen=True)
class RecordsSummary(ResultBase):
    """A data set of games."""

    file: str
    game: str
    games: int
    train: int
    held_out: int
    seed: int  # of the division
    plies: int
    mean_plies: float
    shortest: int
    longest: int
    set_up: int  # games that begin with a position that is set up
    seats: list[SeatResults]
    first_moves: list[Counted]  # the most common
    players: list[Counted]  # those with the most games


def summary_of(records: RecordSet) -> RecordsSummary:
    """Sum up a data set."""
    lengths = np.diff(records.ends, prepend=0)
    known = lengths if len(lengths) else np.zeros(1, np.int64)
    begins = records.ends - lengths + records.setups
    game, start = records.game, records.game.start()
    first = Counter(records.actions[begins].tolist())
    named = Counter(records.players.ravel().tolist())
    named.pop(0, None)  # nobody
    moves = [
        Counted(str(action) if start.is_chance else start.action_name(action), count)
        for action, count in first.most_common(FIRST_MOVES)
    ]
    return RecordsSummary(
        str(records.path),
        called(game),
        len(records),
        len(records.games(TRAIN)),
        len(records.games(HELD_OUT)),
        records.seed,
        int(lengths.sum()),
        float(known.mean()),
        int(known.min()),
        int(known.max()),
        int((records.setups > 0).sum()),
        [_seat(seat, records.returns[:, seat], records.ratings[:, seat]) for seat in range(game.players)],
        moves,
        [Counted(records.names[place], count) for place, count in named.most_common(SEEN_PLAYERS)],
    )


def _seat(seat: int, returns: Float32s, ratings: Float32s) -> SeatResults:
    known = ratings[np.isfinite(ratings)]
    counts = [int(found.sum()) for found in (returns > 0, returns == 0, returns < 0, np.isnan(returns))]
    mean, low, high = (float(found) for found in (known.mean(), known.min(), known.max())) if len(known) else [None] * 3
    wins, draws, losses, unknown = counts
    return SeatResults(seat, wins, draws, losses, unknown, len(known), mean, low, high)
