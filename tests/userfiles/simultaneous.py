"""Matrix games: both players choose one of several actions at once; as a game of turns, the first choice is hidden.

In biased rock-paper-scissors a rock that wins is paid twice. The one equilibrium is rock 1/4, paper 1/2, scissors 1/4,
for both players: whatever an opponent shows then, it wins 0 on average.
"""

import numpy as np
from numpy import int8

from forethought import TERMINAL, Game, record

UNKNOWN = -1
PENNIES = np.array([[1.0, -1.0], [-1.0, 1.0]])
BIASED_ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])


def matrix_game(actions: int = 2) -> Game:
    """Matching pennies, or with three actions biased rock-paper-scissors.

    Player 0 chooses a row, unseen; then player 1 chooses a column and pays what stands there.
    """
    payoffs = PENNIES if actions == 2 else BIASED_ROCK_PAPER_SCISSORS
    rows, columns = payoffs.shape
    state = record(row=int8, column=int8)

    def start(s):
        s.row = s.column = UNKNOWN

    def player(s):
        if s.row == UNKNOWN:
            return 0
        return 1 if s.column == UNKNOWN else TERMINAL

    def legal(s, out):
        count = rows if s.row == UNKNOWN else columns
        for i in range(count):
            out[i] = i
        return count

    def apply(s, action):
        if s.row == UNKNOWN:
            s.row = action
        else:
            s.column = action

    def returns(s, out):
        out[0], out[1] = payoffs[s.row, s.column], -payoffs[s.row, s.column]

    def facts(s, observer, out):
        n = 0
        if observer >= 0:
            out[n] = observer
            n += 1
        if observer == 0 and s.row != UNKNOWN:
            out[n] = 2 + s.row
            n += 1
        if s.column != UNKNOWN:
            out[n] = 2 + rows + s.column
            n += 1
        return n

    return Game(
        name="simultaneous",
        players=2,
        actions=max(rows, columns),
        facts=2 + rows + columns,
        plies=2,
        record=state,
        hidden=True,
        rules=[start, player, legal, apply, returns, facts],
    )
