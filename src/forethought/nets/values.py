"""Values: what a network expects each player to win, in columns that begin with the player to move.

Column k is about player (mover + k) % players. Between two players of a zero-sum game one column says everything.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s
from forethought.compiler import inlined_kernel
from forethought.game import Game


def value_columns(game: Game) -> int:
    """Return how many values a network of this game has."""
    return 1 if game.players == 2 and game.zero_sum else game.players


def won_values(game: Game, movers: Sequence[int], returns: Sequence[float]) -> npt.NDArray[np.float32]:
    """Return the values [movers, columns] that a finished game has shown to be true, for each of its decisions."""
    seats = (np.array(movers, np.int64)[:, None] + np.arange(value_columns(game))) % game.players
    return np.array(returns, np.float32).take(seats)


@inlined_kernel
def seat_values(values: Float64s, mover: int, players: int, out: Float64s) -> None:
    """Write what each player is expected to win to `out` [players], from the columns of one row."""
    for column in range(len(values)):
        out[(mover + column) % players] = values[column]
    if len(values) < players:
        out[1 - mover] = -values[0]
