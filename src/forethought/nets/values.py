"""Values: what each player is expected to win, in columns that begin with the player to move.

Column k is about player (mover + k) % players. In zero-sum games of two players one column is enough.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s
from forethought.compiler import inlined_kernel
from forethought.game import Game


def value_columns(game: Game) -> int:
    """Return the number of values per position of this game."""
    return 1 if game.players == 2 and game.zero_sum else game.players


def won_values(game: Game, movers: Sequence[int], returns: Sequence[float]) -> npt.NDArray[np.float32]:
    """Return the values [movers, columns] that the returns of a finished game give to each of its decisions."""
    seats = (np.array(movers, np.int64)[:, None] + np.arange(value_columns(game))) % game.players
    return np.array(returns, np.float32).take(seats)


@inlined_kernel
def seat_values(values: Float64s, mover: int, players: int, out: Float64s) -> None:
    """Write what each player is expected to win to `out` [players], from the columns of one row."""
    for column in range(len(values)):
        out[(mover + column) % players] = values[column]
    if len(values) < players:
        out[1 - mover] = -values[0]
