"""A coin toss: both players choose something that matters to nobody, then chance decides. Nothing is hidden."""

from numpy import int8

from forethought import CHANCE, TERMINAL, Game, record


def coin_toss() -> Game:
    """A game of pure luck, with choices."""
    state = record(moves=int8, winner=int8)

    def start(s):
        s.winner = -1

    def player(s):
        if s.winner >= 0:
            return TERMINAL
        return CHANCE if s.moves == 2 else s.moves

    def legal(s, out):
        out[0], out[1] = 0, 1
        return 2

    def chance(s, out):
        out[0] = out[1] = 0.5

    def apply(s, action):
        if s.moves == 2:
            s.winner = action
        else:
            s.moves += 1

    def returns(s, out):
        out[s.winner], out[1 - s.winner] = 1, -1

    def facts(s, observer, out):
        out[0], out[1] = s.moves, 4 + s.winner
        return 2

    return Game(
        name="coin_toss",
        players=2,
        actions=2,
        outcomes=2,
        facts=6,
        plies=3,
        record=state,
        hidden=False,
        rules=[start, player, legal, chance, apply, returns, facts],
    )
