"""Showdown: stakes on the higher of two cards. Its last action writes the winner, which hangs on the deal."""

from numpy import int8

from forethought import CHANCE, TERMINAL, Game, record

CARDS = 3


def showdown() -> Game:
    """Raise or not, and raise again or not; the winner is kept in the record."""
    state = record(dealt=int8, cards=(int8, 2), moves=int8, acts=(int8, 2), winner=int8)

    def start(s):
        s.cards[0] = s.cards[1] = -1

    def player(s):
        if s.dealt < 2:
            return CHANCE
        return TERMINAL if s.moves == 2 else s.moves

    def legal(s, out):
        n = 0
        for i in range(CARDS if s.dealt < 2 else 2):
            if s.dealt == 2 or i != s.cards[0]:
                out[n] = i
                n += 1
        return n

    def chance(s, out):
        for i in range(CARDS - s.dealt):
            out[i] = 1.0 / (CARDS - s.dealt)

    def apply(s, action):
        if s.dealt < 2:
            s.cards[s.dealt] = action
            s.dealt += 1
            return
        s.acts[s.moves] = action
        s.moves += 1
        if s.moves == 2:
            s.winner = s.cards[1] > s.cards[0]

    def returns(s, out):
        stake = 1 + s.acts[0] + 2 * s.acts[1]
        out[s.winner], out[1 - s.winner] = stake, -stake

    def facts(s, observer, out):
        n = 0
        if observer >= 0 and s.cards[observer] >= 0:
            out[n] = s.cards[observer]
            n += 1
        for t in range(s.moves):
            out[n] = CARDS + 2 * t + s.acts[t]
            n += 1
        return n

    return Game(
        name="showdown",
        players=2,
        actions=2,
        outcomes=CARDS,
        facts=CARDS + 4,
        plies=4,
        record=state,
        hidden=True,
        rules=[start, player, legal, chance, apply, returns, facts],
    )
