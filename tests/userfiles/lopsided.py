"""Lopsided: one of a hundred paths is long, so that a forecast of the tree's size hardly ever sees it."""

from numpy import int8

from forethought import TERMINAL, Game, record

PATHS, LONG = 100, 12


def lopsided(plies: int = 1 + LONG) -> Game:
    """Choose a path, then go left or right: once, or on path 0 twelve times. The last to move wins by going right."""
    state = record(path=int8, steps=int8, last=int8)

    def start(s):
        s.path = -1

    def player(s):
        if s.steps == (LONG if s.path == 0 else 1):
            return TERMINAL
        return 0 if s.path < 0 else 1 - s.steps % 2

    def legal(s, out):
        n = PATHS if s.path < 0 else 2
        for i in range(n):
            out[i] = i
        return n

    def apply(s, action):
        if s.path < 0:
            s.path = action
        else:
            s.last = action
            s.steps += 1

    def returns(s, out):
        sign = 1 if s.steps % 2 == s.last else -1
        out[0], out[1] = -sign, sign

    def facts(s, observer, out):
        out[0] = s.path + 1
        out[1] = PATHS + 1 + 2 * s.steps + s.last
        return 2

    return Game(
        name="lopsided",
        players=2,
        actions=PATHS,
        facts=PATHS + 3 + 2 * LONG,
        plies=plies,
        record=state,
        rules=[start, player, legal, apply, returns, facts],
        hidden=False,
    )
